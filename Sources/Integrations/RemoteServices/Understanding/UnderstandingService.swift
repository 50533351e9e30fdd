import Networking
import Platform
import Understanding

/// A server that understands text: how it is asked, and what its answer means. Neither does any I/O.
public protocol UnderstandingService: Sendable {
  /// The name in configuration files and messages.
  var name: String { get }

  /// The request for `text`.
  ///
  /// - Throws: ``RemoteFault`` for a key that ``check(_:)`` refuses, or a signature that cannot be made.
  func request(_ text: String, _ occasion: ServiceOccasion) throws(RemoteFault) -> HTTPRequest

  /// What the answer to a request for `text` means; nil when it is not of the documented shape.
  func meaning(of text: String, language: String, answer: JSON) -> Interpretation?

  /// What of an answer the next request of the same conversation takes back; nil for nothing.
  func memory(of answer: JSON) -> JSON?

  /// Refuses a key, or none, with which no request can be made.
  func check(_ key: Secret?) throws(RemoteFault)
}

extension UnderstandingService {
  public func memory(of answer: JSON) -> JSON? { nil }

  public func check(_ key: Secret?) throws(RemoteFault) {}
}

/// What a request depends on besides the text.
public struct ServiceOccasion: Sendable, Equatable {
  /// The language that is spoken, as in `en` or `de-DE`.
  public var language: String
  /// Names the conversation: letters, digits and hyphens.
  public var session: String
  public var key: Secret?
  /// What ``UnderstandingService/memory(of:)`` kept of the answer before; nil for the first request of a conversation.
  public var memory: JSON?
  /// Seconds since 1970-01-01 UTC.
  public var time: Int

  public init(language: String, session: String, key: Secret? = nil, memory: JSON? = nil, time: Int = 0) {
    self.language = language
    self.session = session
    self.key = key
    self.memory = memory
    self.time = time
  }

  /// The key as a bearer's token.
  var bearer: [HTTPRequest.Header] { header("Authorization", "Bearer ") }

  func header(_ name: String, _ prefix: String = "") -> [HTTPRequest.Header] {
    key.map { [HTTPRequest.Header(name, prefix + $0.text)] } ?? []
  }
}

extension HTTPRequest {
  /// A POST of JSON that asks for JSON.
  static func post(_ address: WebAddress, _ body: JSON, headers: [Header] = []) -> HTTPRequest {
    let kinds = [Header("Content-Type", "application/json"), Header("Accept", "application/json")]
    return HTTPRequest(.post, address, headers: kinds + headers, body: Array(body.description.utf8))
  }
}
