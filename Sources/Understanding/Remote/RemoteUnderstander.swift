import Glibc
import Network
import Platform

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
  private let keyFile: String?
  private let client: HTTPClient
  private let session: String
  private var downUntil = -Double.infinity

  /// - Parameters:
  ///   - keyFile: what ``Secret/init(file:)`` takes; read for each text anew, because tokens expire.
  ///   - authorities: a file of certificates to trust instead of the system's.
  ///   - timeout: seconds for an answer.
  /// - Throws: ``NetworkFault`` when the key cannot be read.
  public init(
    _ service: any UnderstandingService, language: String, keyFile: String? = nil, authorities: String? = nil,
    timeout: Double = 2
  ) throws(NetworkFault) {
    self.service = service
    self.language = language
    self.keyFile = keyFile
    if let keyFile { _ = try Secret(file: keyFile) }
    client = HTTPClient(
      timeout: timeout, connectTimeout: min(timeout, 3), limit: Self.limit, authorities: authorities)
    var random = SystemRandomNumberGenerator()
    session = "hotword-" + String(UInt64.random(in: .min ... .max, using: &random), radix: 16)
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
      let meaning = try interpret(text, isCancelled)
      downUntil = -.infinity
      return .understood(meaning)
    } catch {
      if error == .network(.cancelled, service: service.name) { return .down }
      let wasDown = downUntil > -.infinity
      downUntil = now + Self.rest
      return wasDown ? .down : .failed(error)
    }
  }

  private func interpret(
    _ text: String, _ isCancelled: @escaping () -> Bool
  ) throws(RemoteFault) -> Interpretation {
    let short = String(String.UnicodeScalarView(text.unicodeScalars.prefix(Understander.textLimit)))
    let response: HTTPResponse
    do {
      let key = try keyFile.map { file throws(NetworkFault) in try Secret(file: file) }
      let occasion = ServiceOccasion(language: language, session: session, key: key, time: Int(time(nil)))
      response = try client.send(try service.request(short, occasion), isCancelled: isCancelled)
    } catch {
      throw .network(error, service: service.name)
    }
    guard response.isSuccess else { throw .refused(service: service.name, status: response.status) }
    guard let answer = try? JSON(parsing: response.body, what: "the answer"),
      let meaning = service.meaning(of: short, language: language, answer: answer)
    else { throw .wrongShape(service: service.name) }
    return meaning
  }
}
