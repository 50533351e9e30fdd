import Networking
import Platform
import Understanding

/// Home Assistant's conversation, which also does what is asked. The key is a long-lived access token.
///
/// What it has done is the intent `HomeAssistant`; its words are the reply, or the prompt where it goes on listening. The
/// slot `response` says how it went, `target` and `failed` hold the identifiers of what did and did not do it, and what
/// was meant has its names in slots called by its kind: `area`, `floor`, `domain`, `device`.
public struct HomeAssistantService: UnderstandingService {
  public let name = "homeassistant"
  /// Such as `http://homeassistant.local:8123`.
  public let address: WebAddress

  public init(_ address: WebAddress) { self.address = address }

  public func request(_ text: String, _ occasion: ServiceOccasion) -> HTTPRequest {
    var body = [
      JSON.Member("text", .string(text)), JSON.Member("language", .string(occasion.language)),
    ]
    if let conversation = occasion.memory { body.append(JSON.Member("conversation_id", conversation)) }
    return .post(
      address.appending("/api/conversation/process"), .object(body), headers: occasion.bearer)
  }

  public func memory(of answer: JSON) -> JSON? { answer["conversation_id"]?.string.map(JSON.string) }

  public func meaning(of text: String, language: String, answer: JSON) -> Interpretation? {
    guard let response = answer["response"], let kind = response["response_type"]?.string else { return nil }
    var meaning = ServiceAnswer(text, language: language)
    let words = response["speech"]?["plain"]?["speech"]?.string
    meaning.reply(words)
    let data = response["data"]
    let code = data?["code"]?.string
    if kind == "error", code == "no_intent_match" || code == nil { return meaning.interpretation }
    let asks = kind != "error" && answer["continue_conversation"]?.bool == true
    meaning.understand(
      Interpretation.Guess(name: "HomeAssistant", confidence: 1),
      status: kind == "error" ? .unsupported : asks ? .needsValue : .ready)
    if asks {
      meaning.prompt(words)
      meaning.reply(nil)
    }
    meaning.fill("response", .string(code ?? kind))
    for target in data?["targets"]?.array?.prefix(Self.limit) ?? [] {
      meaning.fill(target["type"]?.string, target["name"] ?? .null)
    }
    for (slot, list) in [("target", "success"), ("failed", "failed")] {
      for entity in data?[list]?.array?.prefix(Self.limit) ?? [] {
        meaning.fill(slot, Self.identifier(of: entity))
      }
    }
    return meaning.interpretation
  }

  /// The most of each kind that are heeded.
  private static let limit = 25

  private static func identifier(of entity: JSON) -> JSON {
    entity["id"]?.string.map(JSON.string) ?? entity["name"] ?? .null
  }
}
