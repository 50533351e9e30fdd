import Networking
import Platform
import Understanding

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
      .get, address.appending("/message").appending(query: [("q", text), ("n", "5")]),
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
        meaning.fill(
          role, Self.value(of: entity) ?? entity["body"] ?? .null, range: (entity["start"], entity["end"]),
          said: entity["body"]?.string, confidence: entity["confidence"])
      }
    }
    for trait in answer["traits"]?.members ?? [] {
      let best = trait.value.array?.first
      meaning.tell(trait.name, best?["value"], confidence: best?["confidence"])
    }
    return meaning.interpretation
  }

  /// The value that was resolved; of several possible ones the first, which is the nearest in time.
  private static func value(of entity: JSON) -> JSON? {
    if let value = entity["value"], value != .null { return value }
    let ends = ["from", "to"].compactMap { end in
      entity[end]?["value"].map { JSON.Member(end, $0) }
    }
    if !ends.isEmpty { return .object(ends) }
    guard let first = entity["values"]?.array?.first, first["values"] == nil else { return nil }
    return value(of: first)
  }
}
