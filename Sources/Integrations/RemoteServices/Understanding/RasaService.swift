import Networking
import Platform
import Understanding

/// A Rasa server: `POST /model/parse`. The key is its token or JSON web token.
public struct RasaService: UnderstandingService {
  public let name = "rasa"
  /// Such as `http://localhost:5005`.
  public let address: WebAddress

  public let authentication: Authentication

  /// How the server authenticates its clients.
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

  public func request(_ text: String, _ context: ServiceRequestContext) -> HTTPRequest {
    let target = address.appending("/model/parse")
    let body: JSON = ["text": .string(text)]
    return switch authentication {
    case .token:
      .post(target.appending(query: context.key.map { [(name: "token", value: $0.text)] } ?? []), body)
    case .jwt: .post(target, body, headers: context.bearer)
    }
  }

  public func interpretation(of text: String, language: String, answer: JSON) -> Interpretation? {
    guard let intent = answer["intent"] else { return nil }
    var builder = InterpretationBuilder(text, language: language)
    let others = (answer["intent_ranking"]?.array ?? []).prefix(InterpretationBuilder.limit).compactMap {
      InterpretationBuilder.guess($0["name"], $0["confidence"])
    }
    if let best = InterpretationBuilder.guess(intent["name"], intent["confidence"]),
      best.name != "nlu_fallback"
    {
      builder.setIntent(best, others: others.filter { $0.name != "nlu_fallback" })
    } else if intent != .null, intent.members == nil {
      return nil
    }
    for entity in answer["entities"]?.array?.prefix(InterpretationBuilder.limit) ?? [] {
      builder.addSlot(
        entity["role"]?.string ?? entity["entity"]?.string, entity["value"] ?? .null,
        range: (entity["start"], entity["end"]),
        confidence: entity["confidence_entity"] ?? entity["confidence"])
    }
    return builder.interpretation
  }
}
