import Platform

/// An understood text in the form of the Hermes protocol of Snips and Rhasspy, on `hermes/intent/NAME` and
/// `hermes/nlu/intentNotRecognized`.
public struct HermesIntent: Sendable, Equatable {
  /// The object that `hotword understand` prints.
  public let meaning: JSON
  public let site: String
  /// The session it belongs to.
  public var session: String?
  /// The identifier of the query.
  public var id: String?
  public var keyword: String?
  public var customData: JSON = .null

  public init(_ meaning: JSON, site: String) {
    self.meaning = meaning
    self.site = site
  }

  /// The intent that can be carried out; nil if there is none.
  public var name: String? {
    meaning["status"]?.string == "ready" ? meaning["intent"]?["name"]?.string : nil
  }

  /// The payload of `hermes/intent/NAME`; unknown fields are null.
  public var json: JSON {
    let text = meaning["text"] ?? ""
    return [
      "input": text, "rawInput": text,
      "intent": [
        "intentName": meaning["intent"]?["name"] ?? "",
        "confidenceScore": meaning["intent"]?["confidence"] ?? 0,
      ],
      "slots": .array((meaning["slots"]?.members ?? []).map(Self.slot)),
      "siteId": .string(site), "id": .text(id), "sessionId": .text(session), "customData": customData,
      "asrTokens": .null, "asrConfidence": .null,
      "wakewordId": .text(keyword), "lang": meaning["language"] ?? .null,
    ]
  }

  /// The payload of `hermes/nlu/intentNotRecognized`.
  public var notRecognized: JSON {
    [
      "input": meaning["text"] ?? "", "siteId": .string(site), "id": .text(id), "customData": customData,
      "sessionId": .text(session),
    ]
  }

  private static func slot(_ slot: JSON.Member) -> JSON {
    let value = slot.value["value"] ?? .null
    let range: JSON =
      slot.value["range"]?.array.flatMap {
        $0.count == 2 ? ["start": $0[0], "end": $0[1], "rawStart": $0[0], "rawEnd": $0[1]] : nil
      } ?? .null
    return [
      "entity": .string(slot.name), "slotName": .string(slot.name),
      "value": ["kind": value.number == nil ? "Unknown" : "Number", "value": value],
      "rawValue": slot.value["text"] ?? "", "confidence": slot.value["confidence"] ?? 0, "range": range,
    ]
  }
}

extension JSON {
  /// A text, or null.
  static func text(_ text: String?) -> JSON { text.map(JSON.string) ?? .null }
}
