import Networking
import Platform
import Understanding

/// A Rasa server: `POST /model/parse`. The key is what it was started with, or signed by.
public struct RasaService: UnderstandingService {
  public let name = "rasa"
  /// Such as `http://localhost:5005`.
  public let address: WebAddress

  public let authentication: Authentication

  /// What the server asks of its clients.
  public enum Authentication: Sendable {
    /// The token of `--auth-token`.
    case token
    /// A JSON web token, signed with the secret of `--jwt-secret`.
    case jwt
  }

  public init(_ address: WebAddress, authentication: Authentication = .token) {
    self.address = address
    self.authentication = authentication
  }

  public func request(_ text: String, _ occasion: ServiceOccasion) -> HTTPRequest {
    let target = address.appending("/model/parse")
    let body: JSON = ["text": .string(text)]
    return switch authentication {
    case .token:
      .post(target.appending(query: occasion.key.map { [(name: "token", value: $0.text)] } ?? []), body)
    case .jwt: .post(target, body, headers: occasion.bearer)
    }
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
