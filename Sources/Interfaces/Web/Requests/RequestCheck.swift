import Networking

/// Whether a request may be answered: it comes from this machine's own page, or from a program with the token.
///
/// Other sites that are open in the same browser can send requests here too. Their `Origin` is another one (cross-site request
/// forgery), or their `Host` is their own name that they resolve to this machine (DNS rebinding).
struct RequestCheck: Sendable {
  /// The header that carries the token.
  static let tokenHeader = "x-hotword-token"

  let token: String

  /// Why `request` is rejected; nil if it may be answered.
  func fault(of request: ServedRequest) -> WebFault? {
    guard let host = request.headers["host"], RequestHost.isLoopback(host) else { return .badHost }
    if let origin = request.headers["origin"], origin != "http://\(host)" { return .badOrigin }
    if let site = request.headers["sec-fetch-site"], site != "same-origin", site != "none" {
      // A link on another site may open the page, and nothing else.
      let opensPage =
        request.isReading && request.headers["sec-fetch-mode"] == "navigate"
        && !request.path.hasPrefix("/api/")
      guard opensPage else { return .badOrigin }
    }
    if !request.isReading {
      guard let given = request.headers[Self.tokenHeader], isToken(given) else { return .noToken }
    }
    return nil
  }

  /// Compares in a time that does not depend on where the texts differ.
  private func isToken(_ given: String) -> Bool {
    let (one, other) = (Array(token.utf8), Array(given.utf8))
    guard one.count == other.count else { return false }
    return zip(one, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
