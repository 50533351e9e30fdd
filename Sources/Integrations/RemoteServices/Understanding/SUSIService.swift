import Networking
import Platform
import Understanding

/// SUSI.AI: `chat.json`. The key is an access token.
///
/// The answer is the reply. The intent is `Susi`; its slot `actions` has all actions, unknown types included, and
/// `data` the rows of tables and feeds.
public struct SUSIService: UnderstandingService {
  public let name = "susi"
  /// Such as `https://api.susi.ai`.
  public let address: WebAddress

  public init(_ address: WebAddress) { self.address = address }

  public func request(_ text: String, _ context: ServiceRequestContext) -> HTTPRequest {
    var query = [("q", text), ("timezoneOffset", "0"), ("language", context.language)]
    if let key = context.key { query.append(("access_token", key.text)) }
    return HTTPRequest(
      .get, address.appending("/susi/chat.json").appending(query: query.map { (name: $0.0, value: $0.1) }),
      headers: [HTTPRequest.Header("Accept", "application/json")])
  }

  public func interpretation(of text: String, language: String, answer: JSON) -> Interpretation? {
    guard let answers = answer["answers"]?.array else { return nil }
    var builder = InterpretationBuilder(text, language: language)
    guard let first = answers.first else { return builder.interpretation }
    guard let actions = first["actions"]?.array, actions.allSatisfy({ $0["type"]?.string != nil }) else {
      return nil
    }
    if actions.isEmpty { return builder.interpretation }
    let expressions = actions.prefix(InterpretationBuilder.limit).filter { $0["type"] == "answer" }
      .compactMap { $0["expression"]?.string }
    builder.setReply(expressions.joined(separator: " "))
    builder.setIntent(Interpretation.Guess(name: "Susi", confidence: 1))
    builder.addSlot("actions", .array(Array(actions)))
    if let rows = first["data"], rows.array?.isEmpty == false { builder.addSlot("data", rows) }
    return builder.interpretation
  }
}
