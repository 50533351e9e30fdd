import CommandLineParsing
import Configuration

/// The options of the page for browsers.
enum WebOptions {
  static let all =
    [
      CommandDefinition.Option.optionalValue(
        "--web", "ADDRESS:PORT", default: WebAccess.standardAddress,
        "serve a page for browsers there, or at unix:///PATH behind a proxy (default: \(WebAccess.standardAddress))"
      )
    ] + protection

  /// Those except the address.
  static let protection = [
    CommandDefinition.Option.value(
      "--web-certificate", "FILE",
      "the page's certificate in PEM; required for an address that other machines can reach"),
    .value("--web-key", "FILE", "the key of the certificate in PEM"),
    .value(
      "--web-token", "FILE",
      "the token that the page asks for, created if absent (default where others can reach it: ~/.local/share/hotword/web.token)"
    ),
    .value("--web-name", "NAME", repeats: true, "a host name by which browsers reach the page"),
  ]
}
