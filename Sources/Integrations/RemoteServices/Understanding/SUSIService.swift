import Networking
import Platform
import Understanding

/// SUSI.AI: `chat.json`. The key is an access token.
///
/// What it answers is the reply; the intent is `Susi`, and its slot `actions` holds the actions as they came, kinds
/// that nobody knows too, and `data` the rows of tables and feeds.
public struct SUSIService: UnderstandingService {
  public let name = "susi"
  /// Such as `https://api.susi.ai`.
  public let address: WebAddress

  public init(_ address: WebAddress) { self.address = address }

  public func request(_ text: String, _ occasion: ServiceOccasion) -> HTTPRequest {
    var query = [("q", text), ("timezoneOffset", "0"), ("language", occasion.language)]
    if let key = occasion.key { query.append(("access_token", key.text)) }
    return HTTPRequest(
      .get, address.appending("/susi/chat.json").appending(query: query.map { (name: $0.0, value: $0.1) }),
      headers: [HTTPRequest.Header("Accept", "application/json")])
  }

  public func meaning(of text: String, language: String, answer: JSON) -> Interpretation? {
    guard let answers = answer["answers"]?.array else { return nil }
    var meaning = ServiceAnswer(text, language: language)
    guard let first = answers.first else { return meaning.interpretation }
    guard let actions = first["actions"]?.array, actions.allSatisfy({ $0["type"]?.string != nil }) else {
      return nil
    }
    if actions.isEmpty { return meaning.interpretation }
    let expressions = actions.prefix(ServiceAnswer.limit).filter { $0["type"] == "answer" }
      .compactMap { $0["expression"]?.string }
    meaning.reply(expressions.joined(separator: " "))
    meaning.understand(Interpretation.Guess(name: "Susi", confidence: 1))
    meaning.fill("actions", .array(Array(actions)))
    if let rows = first["data"], rows.array?.isEmpty == false { meaning.fill("data", rows) }
    return meaning.interpretation
  }
}
