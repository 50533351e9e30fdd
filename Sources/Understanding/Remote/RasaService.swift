import Network
import Platform

/// A Rasa server: `POST /model/parse`. The key is a token of its JWT authentication.
public struct RasaService: UnderstandingService {
  public let name = "rasa"
  /// Such as `http://localhost:5005`.
  public let address: WebAddress

  public init(_ address: WebAddress) { self.address = address }

  public func request(_ text: String, _ occasion: ServiceOccasion) -> HTTPRequest {
    .post(address.appending("/model/parse"), ["text": .string(text)], headers: occasion.bearer)
  }

  public func meaning(of text: String, language: String, answer: JSON) -> Interpretation? {
    guard let intent = answer["intent"] else { return nil }
    var meaning = ServiceAnswer(text, language: language)
    let others = (answer["intent_ranking"]?.array ?? []).prefix(ServiceAnswer.limit).compactMap {
      ServiceAnswer.guess($0["name"], $0["confidence"])
    }
    if let best = ServiceAnswer.guess(intent["name"], intent["confidence"]), best.name != "nlu_fallback" {
      meaning.understand(best, others: others.filter { $0.name != "nlu_fallback" })
    } else if intent != .null, intent.members == nil {
      return nil
    }
    for entity in answer["entities"]?.array?.prefix(ServiceAnswer.limit) ?? [] {
      meaning.fill(
        entity["role"]?.string ?? entity["entity"]?.string, entity["value"] ?? .null,
        range: (entity["start"], entity["end"]),
        confidence: entity["confidence_entity"] ?? entity["confidence"])
    }
    return meaning.interpretation
  }
}
