import Networking
import Platform
import Synchronization

/// The token of the page: who has given it, and how it is asked for.
///
/// A browser gives it once and gets a cookie, which no script can read and no other site sends along. A program sends it with each
/// request as `Authorization: Bearer TOKEN`. Wrong tokens are limited for each client.
final class SignIn: Sendable {
  /// Who sends a request.
  enum Sender: Sendable {
    /// Nobody who has given the token.
    case unknown
    /// A browser with the cookie.
    case browser
    /// A program with the token itself, which no page of another site can send.
    case program
  }

  private static let cookieName = "hotword"
  /// Seconds that a browser keeps the cookie: 30 days.
  private static let cookieAge = 2_592_000
  private static let scheme = "Bearer "

  private let token: String
  /// Derived from the token, so that it is valid after a restart and invalid with another token.
  private let cookieValue: String
  private let isSecure: Bool
  private let failed = Mutex(FailedAttempts())

  /// - Parameter isSecure: whether browsers reach the page by https only.
  init(_ token: String, isSecure: Bool) throws(NetworkFault) {
    self.token = token
    self.isSecure = isSecure
    cookieValue = Digest.hex(
      try Digest.hmacSHA256(key: Array(token.utf8), Array("the cookie of the page".utf8)))
  }

  /// Who sends `request`.
  ///
  /// - Throws: ``WebFault/tooManyAttempts`` or ``WebFault/wrongToken`` for a token that is not the right one.
  func sender(of request: ServedRequest, at now: Double = MonotonicClock.now()) throws(WebFault) -> Sender {
    if let cookies = request.headers["cookie"], Self.values(cookies).contains(where: isCookie) {
      return .browser
    }
    guard let header = request.headers["authorization"], header.hasPrefix(Self.scheme) else {
      return .unknown
    }
    try check(String(header.dropFirst(Self.scheme.count)), from: request.peer, at: now)
    return .program
  }

  /// The cookie for a browser that gives the token in the body of its request.
  func cookie(for request: ServedRequest, at now: Double = MonotonicClock.now()) throws(WebFault) -> String {
    try check(try JSONBody(request).text("token", limit: 1_000), from: request.peer, at: now)
    return "\(Self.cookieName)=\(cookieValue); Path=/; Max-Age=\(Self.cookieAge); HttpOnly; SameSite=Strict"
      + (isSecure ? "; Secure" : "")
  }

  private func check(_ given: String, from peer: String, at now: Double) throws(WebFault) {
    let isRight = ConstantTime.areEqual(given, token)
    // Behind a proxy all clients have one address: who guesses must not lock out those who know.
    let isShared = peer.isEmpty || ListenAddress.isLocal(host: peer)
    if failed.withLock({ $0.isBlocked(peer, at: now) }), !(isRight && isShared) { throw .tooManyAttempts }
    guard isRight else {
      failed.withLock { $0.add(peer, at: now) }
      PeerLog.warning("web: a wrong token from \(peer.isEmpty ? "the proxy" : peer)", from: peer)
      throw .wrongToken
    }
  }

  private func isCookie(_ value: String) -> Bool { ConstantTime.areEqual(value, cookieValue) }

  /// The values of the page's cookie in a header.
  private static func values(_ header: String) -> [String] {
    header.split(separator: ";").compactMap { part in
      let pair = part.drop { $0 == " " }
      guard pair.hasPrefix("\(cookieName)=") else { return nil }
      return String(pair.dropFirst(cookieName.count + 1))
    }
  }
}
