import Glibc
import Networking
import Platform
import Understanding

/// Asks a service what a text means.
///
/// One that failed is left out for half a minute, so that nobody waits for its time-out at every sentence.
public struct RemoteUnderstander: Sendable {
  /// Seconds for which a service that failed is left out.
  public static let rest = 30.0
  /// The most bytes of an answer.
  static let limit = 1 << 20

  private let service: any UnderstandingService
  private let language: String
  private var key: ServiceKey
  private let client: HTTPClient
  private var session: String
  private var memory: JSON?
  private var downUntil = -Double.infinity

  /// - Parameters:
  ///   - keyFile: what ``Secret/init(file:)`` takes; read for each text anew, because tokens expire.
  ///   - accountFile: the same of a key of a service account of Google, instead of `keyFile`: it is exchanged for access
  ///     tokens, each of which is used until a minute before its end.
  ///   - authorities: a file of certificates to trust instead of the system's.
  ///   - timeout: seconds for an answer.
  /// - Throws: ``RemoteFault`` when the key cannot be read, or is none for the service.
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

  /// Begins another conversation: the service is not told of what was said before.
  public mutating func beginAnew() {
    session = Self.newSession()
    memory = nil
  }

  /// What came of asking.
  public enum Outcome: Sendable, Equatable {
    case understood(Interpretation)
    /// It failed, and did not the time before.
    case failed(RemoteFault)
    /// It still fails, or is left out because it did.
    case down
  }

  /// What `text` means to the service.
  ///
  /// - Parameters:
  ///   - now: seconds of a clock that never jumps.
  ///   - isCancelled: asked every 50 ms.
  public mutating func ask(
    _ text: String, at now: Double = MonotonicClock.now(), isCancelled: @escaping () -> Bool = { false }
  ) -> Outcome {
    if now < downUntil { return .down }
    do throws(RemoteFault) {
      let meaning = try interpret(text, at: now, isCancelled)
      downUntil = -.infinity
      return .understood(meaning)
    } catch {
      if error == .network(.cancelled, service: service.name) { return .down }
      let wasDown = downUntil > -.infinity
      downUntil = now + Self.rest
      return wasDown ? .down : .failed(error)
    }
  }

  private mutating func interpret(
    _ text: String, at now: Double, _ isCancelled: @escaping () -> Bool
  ) throws(RemoteFault) -> Interpretation {
    let short = String(String.UnicodeScalarView(text.unicodeScalars.prefix(Understander.textLimit)))
    let key = try key.current(at: now, by: client, isCancelled)
    let occasion = ServiceOccasion(
      language: language, session: session, key: key, memory: memory, time: Int(time(nil)))
    let request = try service.request(short, occasion)
    let response: HTTPResponse
    do {
      response = try client.send(request, isCancelled: isCancelled)
    } catch {
      throw .network(error, service: service.name)
    }
    if response.status == 401 { self.key.refused() }
    guard response.isSuccess else { throw .refused(service: service.name, status: response.status) }
    guard let answer = try? JSON(parsing: response.body, what: "the answer"),
      let meaning = service.meaning(of: short, language: language, answer: answer)
    else { throw .wrongShape(service: service.name) }
    memory = service.memory(of: answer)
    return meaning
  }
}
