import Configuration
import Networking

/// Whether a request may be answered: it comes from the page itself, or from a program with the token.
///
/// Other sites that are open in the same browser can send requests here too. Their `Origin` is another one (cross-site request
/// forgery), or their `Host` is their own name that they resolve to this machine (DNS rebinding).
struct RequestCheck: Sendable {
  /// The header that carries the token of changes.
  static let tokenHeader = "x-hotword-token"

  /// The token of changes, which only a page of this origin can read.
  let token: String
  /// The scheme by which browsers reach the page.
  let scheme: String
  private let isLoopback: Bool
  /// In lowercase.
  private let names: [String]

  init(_ access: WebAccess, token: String) {
    self.token = token
    isLoopback = access.endpoint?.isLoopback ?? true
    names = access.names.map { $0.lowercased() }
    // A proxy in front of a local socket encrypts.
    scheme = access.certificate != nil || access.endpoint?.address == nil ? "https" : "http"
  }

  /// Why `request` is rejected; nil if its host and origin are the page's.
  func fault(of request: ServedRequest) -> WebFault? {
    guard let host = request.headers["host"], isOwn(host) else { return .badHost }
    if let origin = request.headers["origin"], origin != "\(scheme)://\(host)" { return .badOrigin }
    if let site = request.headers["sec-fetch-site"], site != "same-origin", site != "none" {
      // A link on another site may open the page, and nothing else.
      let opensPage =
        request.isReading && request.headers["sec-fetch-mode"] == "navigate"
        && !request.path.hasPrefix("/api/")
      guard opensPage else { return .badOrigin }
    }
    return nil
  }

  /// Why a request of a browser that changes something is rejected; nil for others.
  func tokenFault(of request: ServedRequest) -> WebFault? {
    if request.isReading { return nil }
    guard let given = request.headers[Self.tokenHeader], ConstantTime.areEqual(given, token) else {
      return .noToken
    }
    return nil
  }

  /// Whether the host is this machine, by a configured name, or, where others reach it, by an address: no other site has one of those.
  private func isOwn(_ host: String) -> Bool {
    if RequestHost.isLoopback(host) || names.contains(RequestHost.name(in: host)) { return true }
    return !isLoopback && RequestHost.isAddress(host)
  }
}
