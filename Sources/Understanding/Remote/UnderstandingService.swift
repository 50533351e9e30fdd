import Network
import Platform

/// A server that understands text: how it is asked, and what its answer means. Neither does any I/O.
public protocol UnderstandingService: Sendable {
  /// The name in configuration files and messages.
  var name: String { get }

  /// The request for `text`.
  ///
  /// - Throws: ``NetworkFault`` for a signature that cannot be made.
  func request(_ text: String, _ occasion: ServiceOccasion) throws(NetworkFault) -> HTTPRequest

  /// What the answer to a request for `text` means; nil when it is not of the documented shape.
  func meaning(of text: String, language: String, answer: JSON) -> Interpretation?
}

/// What a request depends on besides the text.
public struct ServiceOccasion: Sendable, Equatable {
  /// The language that is spoken, as in `en` or `de-DE`.
  public var language: String
  /// Names the conversation: letters, digits and hyphens.
  public var session: String
  public var key: Secret?
  /// Seconds since 1970-01-01 UTC.
  public var time: Int

  public init(language: String, session: String, key: Secret? = nil, time: Int = 0) {
    self.language = language
    self.session = session
    self.key = key
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
