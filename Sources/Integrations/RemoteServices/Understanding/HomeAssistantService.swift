import Networking
import Platform
import Understanding

/// Home Assistant's conversation API, which also executes the command. The key is a long-lived access token.
///
/// The intent is always `HomeAssistant`. Its speech is the reply, or the prompt where the conversation continues. The
/// slot `response` has the type of the response; `target` and `failed` have the identifiers of the entities that
/// succeeded and failed; `area`, `floor`, `domain` and `device` have the names of the targets.
public struct HomeAssistantService: UnderstandingService {
  public let name = "homeassistant"
  public let executes = true
  /// Such as `http://homeassistant.local:8123`.
  public let address: WebAddress

  public init(_ address: WebAddress) { self.address = address }

  public func request(_ text: String, _ context: ServiceRequestContext) -> HTTPRequest {
    var body = [
      JSON.Member("text", .string(text)), JSON.Member("language", .string(context.language)),
    ]
    if let conversation = context.conversationState {
      body.append(JSON.Member("conversation_id", conversation))
    }
    return .post(
      address.appending("/api/conversation/process"), .object(body), headers: context.bearer)
  }

  public func conversationState(of answer: JSON) -> JSON? {
    answer["conversation_id"]?.string.map(JSON.string)
  }

  public func interpretation(of text: String, language: String, answer: JSON) -> Interpretation? {
    guard let response = answer["response"], let kind = response["response_type"]?.string else { return nil }
    var builder = InterpretationBuilder(text, language: language)
    let words = response["speech"]?["plain"]?["speech"]?.string
    builder.setReply(words)
    let data = response["data"]
    let code = data?["code"]?.string
    if kind == "error", code == "no_intent_match" || code == nil { return builder.interpretation }
    let asks = kind != "error" && answer["continue_conversation"]?.bool == true
    builder.setIntent(
      Interpretation.Guess(name: "HomeAssistant", confidence: 1),
      status: kind == "error" ? .unsupported : asks ? .needsValue : .ready)
    if asks {
      builder.setPrompt(words)
      builder.setReply(nil)
    }
    builder.addSlot("response", .string(code ?? kind))
    for target in data?["targets"]?.array?.prefix(Self.limit) ?? [] {
      builder.addSlot(target["type"]?.string, target["name"] ?? .null)
    }
    for (slot, list) in [("target", "success"), ("failed", "failed")] {
      for entity in data?[list]?.array?.prefix(Self.limit) ?? [] {
        builder.addSlot(slot, Self.identifier(of: entity))
      }
    }
    return builder.interpretation
  }

  /// The maximum number of targets and entities of each kind; more are ignored.
  private static let limit = 25

  private static func identifier(of entity: JSON) -> JSON {
    entity["id"]?.string.map(JSON.string) ?? entity["name"] ?? .null
  }
}
