import Glibc
import Networking
import Platform
import Understanding

/// Interprets texts by a remote service.
///
/// After a failure the service is skipped for 30 seconds, so that not every sentence waits for its time-out.
public struct RemoteUnderstander: Sendable {
  /// Seconds for which a service is skipped after a failure.
  public static let retryDelay = 30.0
  /// The maximum size of an answer in bytes.
  static let limit = 1 << 20

  private let service: any UnderstandingService
  private let language: String
  private var key: ServiceKey
  private let client: HTTPClient
  private var session: String
  private var conversationState: JSON?
  private var unavailableUntil = -Double.infinity

  /// - Parameters:
  ///   - keyFile: as for ``Secret/init(file:)``; read again for each text, because tokens expire.
  ///   - accountFile: the key file of a Google service account, instead of `keyFile`. It is exchanged for access tokens,
  ///     each used until one minute before it expires.
  ///   - authorities: a file of certificates to trust instead of those of the system.
  ///   - timeout: seconds to wait for an answer.
  /// - Throws: ``RemoteFault`` where the key cannot be read or is invalid for the service.
  public init(
    _ service: any UnderstandingService, language: String, keyFile: String? = nil, accountFile: String? = nil,
    authorities: String? = nil, timeout: Double = 2
  ) throws(RemoteFault) {
    self.service = service
    self.language = language
    let source = accountFile.map(ServiceKey.Source.account) ?? keyFile.map(ServiceKey.Source.file) ?? .keyless
    key = ServiceKey(source, for: service.name)
    client = HTTPClient(
      timeout: timeout, connectTimeout: min(timeout, 3), limit: Self.limit, authorities: authorities)
    session = Self.newSession()
    try service.check(try key.check())
  }

  private static func newSession() -> String {
    var random = SystemRandomNumberGenerator()
    return "hotword-" + String(UInt64.random(in: .min ... .max, using: &random), radix: 16)
  }

  /// Starts a new conversation with the service.
  public mutating func startConversation() {
    session = Self.newSession()
    conversationState = nil
  }

  /// Whether the service also carries out what it understands.
  public var executes: Bool { service.executes }

  /// The result of a request.
  public enum Outcome: Sendable, Equatable {
    case understood(Interpretation)
    /// The request failed, and the previous one did not.
    case failed(RemoteFault)
    /// The service still fails, or is skipped after a failure.
    case unavailable
  }

  /// Interprets `text`. Blocks until the service answers or times out.
  ///
  /// - Parameters:
  ///   - now: seconds on a monotonic clock.
  ///   - isCancelled: called every 50 ms.
  public mutating func interpret(
    _ text: String, at now: Double = MonotonicClock.now(), isCancelled: @escaping () -> Bool = { false }
  ) -> Outcome {
    if now < unavailableUntil { return .unavailable }
    do throws(RemoteFault) {
      let interpretation = try request(text, at: now, isCancelled)
      unavailableUntil = -.infinity
      return .understood(interpretation)
    } catch {
      if error == .network(.cancelled, service: service.name) { return .unavailable }
      let wasUnavailable = unavailableUntil > -.infinity
      unavailableUntil = now + Self.retryDelay
      return wasUnavailable ? .unavailable : .failed(error)
    }
  }

  private mutating func request(
    _ text: String, at now: Double, _ isCancelled: @escaping () -> Bool
  ) throws(RemoteFault) -> Interpretation {
    let short = String(String.UnicodeScalarView(text.unicodeScalars.prefix(Understander.textLimit)))
    let key = try key.current(at: now, by: client, isCancelled)
    let context = ServiceRequestContext(
      language: language, session: session, key: key, conversationState: conversationState,
      time: Int(time(nil)))
    let request = try service.request(short, context)
    let response: HTTPResponse
    do {
      response = try client.send(request, isCancelled: isCancelled)
    } catch {
      throw .network(error, service: service.name)
    }
    if response.status == 401 { self.key.discardToken() }
    guard response.isSuccess else { throw .refused(service: service.name, status: response.status) }
    guard let answer = try? JSON(parsing: response.body, what: "the answer"),
      let interpretation = service.interpretation(of: short, language: language, answer: answer)
    else { throw .wrongShape(service: service.name) }
    conversationState = service.conversationState(of: answer)
    return interpretation
  }
}
