import Networking
import Platform
import Understanding

/// Wit.ai: `GET /message`. The key is the token of the app.
public struct WitService: UnderstandingService {
  /// The requested version of the API.
  static let version = "20240304"

  public let name = "wit"
  /// Such as `https://api.wit.ai`.
  public let address: WebAddress

  public init(_ address: WebAddress) { self.address = address }

  public func request(_ text: String, _ context: ServiceRequestContext) -> HTTPRequest {
    let accept = HTTPRequest.Header("Accept", "application/vnd.wit.\(Self.version)+json")
    return HTTPRequest(
      .get, address.appending("/message").appending(query: [("q", text), ("n", "5")]),
      headers: [accept] + context.bearer)
  }

  public func interpretation(of text: String, language: String, answer: JSON) -> Interpretation? {
    guard let intents = answer["intents"]?.array else { return nil }
    var builder = InterpretationBuilder(text, language: language)
    let guesses = intents.prefix(InterpretationBuilder.limit).compactMap {
      InterpretationBuilder.guess($0["name"], $0["confidence"])
    }
    if let best = guesses.first { builder.setIntent(best, others: guesses) }
    for member in answer["entities"]?.members ?? [] {
      // The name is "entity:role"; the role is the slot.
      let role = member.name.split(separator: ":").last.map(String.init)
      for entity in member.value.array?.prefix(InterpretationBuilder.limit) ?? [] {
        builder.addSlot(
          role, Self.value(of: entity) ?? entity["body"] ?? .null, range: (entity["start"], entity["end"]),
          said: entity["body"]?.string, confidence: entity["confidence"])
      }
    }
    for trait in answer["traits"]?.members ?? [] {
      let best = trait.value.array?.first
      builder.addTrait(trait.name, best?["value"], confidence: best?["confidence"])
    }
    return builder.interpretation
  }

  /// The resolved value; of several the first, which is the nearest in time.
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
