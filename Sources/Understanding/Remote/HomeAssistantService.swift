import Network
import Platform

/// Home Assistant's conversation, which also does what is asked. The key is a long-lived access token.
///
/// What it has done is the intent `HomeAssistant` with the slot `response`; its words are the reply.
public struct HomeAssistantService: UnderstandingService {
  public let name = "homeassistant"
  /// Such as `http://homeassistant.local:8123`.
  public let address: WebAddress

  public init(_ address: WebAddress) { self.address = address }

  public func request(_ text: String, _ occasion: ServiceOccasion) -> HTTPRequest {
    .post(
      address.appending("/api/conversation/process"),
      ["text": .string(text), "language": .string(occasion.language)], headers: occasion.bearer)
  }

  public func meaning(of text: String, language: String, answer: JSON) -> Interpretation? {
    guard let response = answer["response"], let kind = response["response_type"]?.string else { return nil }
    var meaning = ServiceAnswer(text, language: language)
    meaning.reply(response["speech"]?["plain"]?["speech"]?.string)
    let code = response["data"]?["code"]?.string
    if kind == "error", code == "no_intent_match" || code == nil { return meaning.interpretation }
    meaning.understand(
      Interpretation.Guess(name: "HomeAssistant", confidence: 1),
      status: kind == "error" ? .unsupported : .ready)
    meaning.fill("response", .string(code ?? kind))
    for (index, target) in (response["data"]?["success"]?.array?.prefix(10) ?? []).enumerated() {
      meaning.fill(index == 0 ? "target" : "target\(index + 1)", target["id"] ?? target["name"] ?? .null)
    }
    return meaning.interpretation
  }
}
