import Network
import Platform

/// Wit.ai: `GET /message`. The key is the app's token.
public struct WitService: UnderstandingService {
  /// The version of the interface that is asked for.
  static let version = "20240304"

  public let name = "wit"
  /// Such as `https://api.wit.ai`.
  public let address: WebAddress

  public init(_ address: WebAddress) { self.address = address }

  public func request(_ text: String, _ occasion: ServiceOccasion) -> HTTPRequest {
    let accept = HTTPRequest.Header("Accept", "application/vnd.wit.\(Self.version)+json")
    return HTTPRequest(
      .get, address.appending("/message").asking([("q", text), ("n", "5")]),
      headers: [accept] + occasion.bearer)
  }

  public func meaning(of text: String, language: String, answer: JSON) -> Interpretation? {
    guard let intents = answer["intents"]?.array else { return nil }
    var meaning = ServiceAnswer(text, language: language)
    let guesses = intents.prefix(ServiceAnswer.limit).compactMap {
      ServiceAnswer.guess($0["name"], $0["confidence"])
    }
    if let best = guesses.first { meaning.understand(best, others: guesses) }
    for member in answer["entities"]?.members ?? [] {
      // Written "entity:role"; the role is what the intent calls it.
      let role = member.name.split(separator: ":").last.map(String.init)
      for entity in member.value.array?.prefix(ServiceAnswer.limit) ?? [] {
        let value = entity["value"] ?? entity["values"] ?? entity["body"] ?? .null
        meaning.fill(
          role, value, range: (entity["start"], entity["end"]), said: entity["body"]?.string,
          confidence: entity["confidence"])
      }
    }
    return meaning.interpretation
  }
}
