import Networking
import Platform
import Understanding

/// The protocol of a language-understanding service: builds requests and reads answers. No I/O.
public protocol UnderstandingService: Sendable {
  /// The name of the service in configuration files and messages.
  var name: String { get }

  /// Whether it also carries out what it understands.
  var executes: Bool { get }

  /// The request for `text`.
  ///
  /// - Throws: ``RemoteFault`` for a key that ``check(_:)`` rejects, or if signing fails.
  func request(_ text: String, _ context: ServiceRequestContext) throws(RemoteFault) -> HTTPRequest

  /// Reads the answer to a request for `text`; nil where it does not have the documented shape.
  func interpretation(of text: String, language: String, answer: JSON) -> Interpretation?

  /// The state of the conversation in an answer, which the next request sends back; nil for none.
  func conversationState(of answer: JSON) -> JSON?

  /// Checks the key before the first request.
  ///
  /// - Throws: ``RemoteFault/badKey(service:form:)`` for a missing or invalid key.
  func check(_ key: Secret?) throws(RemoteFault)
}

extension UnderstandingService {
  public var executes: Bool { false }

  public func conversationState(of answer: JSON) -> JSON? { nil }

  public func check(_ key: Secret?) throws(RemoteFault) {}
}

/// The parameters of a request besides the text.
public struct ServiceRequestContext: Sendable, Equatable {
  /// The language of the text, such as `en` or `de-DE`.
  public var language: String
  /// The identifier of the conversation: letters, digits and hyphens.
  public var session: String
  public var key: Secret?
  /// The result of ``UnderstandingService/conversationState(of:)`` for the last answer; nil for the first request.
  public var conversationState: JSON?
  /// Seconds since 1970-01-01 UTC.
  public var time: Int

  public init(
    language: String, session: String, key: Secret? = nil, conversationState: JSON? = nil, time: Int = 0
  ) {
    self.language = language
    self.session = session
    self.key = key
    self.conversationState = conversationState
    self.time = time
  }

  /// The header with the key as a bearer token.
  var bearer: [HTTPRequest.Header] { header("Authorization", "Bearer ") }

  func header(_ name: String, _ prefix: String = "") -> [HTTPRequest.Header] {
    key.map { [HTTPRequest.Header(name, prefix + $0.text)] } ?? []
  }
}

extension HTTPRequest {
  /// A POST request with a JSON body that accepts JSON.
  static func post(_ address: WebAddress, _ body: JSON, headers: [Header] = []) -> HTTPRequest {
    let kinds = [Header("Content-Type", "application/json"), Header("Accept", "application/json")]
    return HTTPRequest(.post, address, headers: kinds + headers, body: Array(body.description.utf8))
  }
}

/// Why a remote service did not interpret a text.
public enum RemoteFault: Fault, Equatable {
  /// The connection failed, or the key cannot be read.
  case network(NetworkFault, service: String)
  /// The key is missing or has the wrong form.
  case badKey(service: String, form: String)
  /// `file` has no valid key of a service account.
  case badAccount(service: String, file: String)
  /// `peer` did not issue an access token for the service account.
  case noToken(service: String, peer: String, status: Int)
  /// The service answered with an error status.
  case refused(service: String, status: Int)
  /// The answer does not have the documented shape.
  case wrongShape(service: String)

  public var exitCode: ExitCode {
    switch self {
    case .network(let fault, _): fault.exitCode
    case .badKey, .badAccount: .configuration
    case .noToken, .refused: .unavailable
    case .wrongShape: .badData
    }
  }

  public var message: String {
    switch self {
    case .network(let fault, let service): "\(service): \(fault.message)"
    case .badKey(let service, let form):
      "\(service): requires a key of the form \(form); write it to a file and add ,key=FILE"
    case .badAccount(let service, let file):
      "\(service): \(file): not a key of a service account; use the JSON key file from the Google Cloud console"
    case .noToken(let service, let peer, let status):
      "\(service): \(peer) issued no access token (status \(status)); check the key of the account and the clock"
    case .refused(let service, let status) where status == 401 || status == 403:
      "\(service): request rejected with status \(status); check the key"
    case .refused(let service, let status):
      "\(service): request rejected with status \(status); check the address and the settings of the service"
    case .wrongShape(let service):
      "\(service): unexpected answer; check that the address is that of the service"
    }
  }
}
