import Platform
import Understanding

/// An intent as the Hermes protocol of Snips and Rhasspy has it on `hermes/intent/NAME`.
public struct HermesIntent: Sendable, Equatable {
  public let event: IntentEvent
  public let site: String

  public init(_ event: IntentEvent, site: String) {
    self.event = event
    self.site = site
  }

  /// The payload; what is not known is null.
  public var json: JSON {
    let meaning = event.interpretation
    return [
      "input": .string(meaning.text), "rawInput": .string(meaning.text),
      "intent": [
        "intentName": .string(meaning.intent?.name ?? ""),
        "confidenceScore": .number(meaning.intent?.confidence ?? 0),
      ],
      "slots": .array(meaning.slots.map(Self.slot)),
      "siteId": .string(site), "id": .null, "sessionId": .null, "customData": .null,
      "asrTokens": .null, "asrConfidence": .null,
      "wakewordId": event.keyword.map(JSON.string) ?? .null, "lang": .string(meaning.language),
    ]
  }

  private static func slot(_ slot: Interpretation.Slot) -> JSON {
    let range: JSON =
      slot.range.map {
        let start = JSON.number(Double($0.lowerBound))
        let end = JSON.number(Double($0.upperBound))
        return ["start": start, "end": end, "rawStart": start, "rawEnd": end]
      } ?? .null
    let kind = slot.value.number == nil ? "Unknown" : "Number"
    return [
      "entity": .string(slot.name), "slotName": .string(slot.name),
      "value": ["kind": .string(kind), "value": slot.value], "rawValue": .string(slot.text),
      "confidence": .number(slot.confidence), "range": range,
    ]
  }
}
