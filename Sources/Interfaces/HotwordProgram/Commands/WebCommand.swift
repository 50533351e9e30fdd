import CommandLineParsing
import Configuration
import Networking
import Platform
import Service
import Understanding

/// `hotword web`: the page for browsers where no service runs.
enum WebCommand: Command {
  static let definition = CommandDefinition(
    "web", "serve the page for browsers without a service: clips, sentences and checks",
    operands: .upTo(1, "ADDRESS:PORT"),
    options: [
      .value(
        "--config", "FILE",
        "the service's settings, for the folder of clips and the intents (default: as 'hotword run' finds them)"
      ),
      .value("--keep", "DIR", "the folder of the clips (default: ~/.local/share/hotword/clips)"),
      SharedOptions.intents,
      SharedOptions.understanding,
    ] + WebOptions.protection,
    notes: [
      """
      ADDRESS:PORT can be unix:///PATH, behind a proxy (default: \(WebAccess.standardAddress), which only this machine reaches). \
      'hotword run --web' serves the same page with the live view. SIGINT and SIGTERM end it.
      """
    ],
    examples: ["hotword web", "hotword web 127.0.0.1:10481 --keep clips"])

  static func run(_ arguments: Arguments) throws {
    let settings = try LoadedSettings(arguments).checked()
    var access = settings.web
    let text = arguments.operands.first ?? WebAccess.standardAddress
    guard let endpoint = HTTPEndpoint(text) else {
      throw UsageFault.badValue(
        option: "ADDRESS:PORT", text: text, expected: WebAccess.expected, command: name)
    }
    access.endpoint = endpoint
    if let fault = access.fault { throw fault }
    // The page may be there to mend it.
    do throws(IntentFileFault) {
      _ = try PlugIns.intents(settings.intents)
    } catch {
      Log.warning(error.message)
    }
    // Before the first thread.
    let signals = SignalWatcher()
    let server = try WebPage.serve(
      access, nil, views: [.clips, .teach, .understand, .state], teaching: WebPage.teaching(listen: nil),
      settings: { settings },
      load: { LoadedSettings(arguments, text: $0) })
    withExtendedLifetime(server) {
      while signals.next(within: 3_600) == nil {}
    }
  }
}
