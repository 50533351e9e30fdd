import Assistant
import Configuration
import PCM
import Platform

/// The lines that report events: JSON for programs, or words for people.
package enum EventText {
  /// The event's line with its end; nil for an event that a person does not need to see.
  static func line(_ event: AssistantEvent, as form: EventForm) -> String? {
    switch form {
    case .json: "\(event.json)\n"
    case .text: text(of: event).map { "\(clock(event.at))  \($0)\n" }
    }
  }

  /// The priority of an event in the journal; nil for one that reports no fault.
  static func level(of kind: AssistantEvent.Kind) -> Log.Level? {
    switch kind {
    case .error: .error
    case .device(.lost), .device(.overrun): .warning
    default: nil
    }
  }

  private static func text(of event: AssistantEvent) -> String? {
    switch event.kind {
    case .ready: "listening for the hotword"
    case .wake(let wake, _):
      "wake        \(wake.keyword) (\(Self.speaker(wake.speaker))score \(JSON.rounded(wake.score, digits: 2)))"
    case .listening, .partial: nil
    case .transcript(let result): "heard       \(result["text"]?.string ?? "")"
    case .intent(let result): "intent      \(Self.intent(result))"
    case .prompt(let text): "asks        \(text)"
    case .action(let result): result["action"].map { "action      \($0)" }
    case .reply(let text): "reply       \(text)"
    case .idle(.done): nil
    case .idle(let reason): "idle        \(Self.words(for: reason))"
    case .device(let state): "microphone  \(state.rawValue)"
    case .error(_, let message): "error       \(message)"
    }
  }

  private static func speaker(_ speaker: Speaker?) -> String {
    guard let speaker else { return "" }
    return "\(speaker.name.map { "spoken by \($0)" } ?? "spoken by a stranger"), "
  }

  private static func intent(_ result: JSON) -> String {
    guard let name = result["intent"]?["name"]?.string else { return "none" }
    let slots = (result["slots"]?.members ?? []).map { slot in
      let value = slot.value["value"] ?? .null
      return "\(slot.name)=\(value.string ?? "\(value)")"
    }
    return ([name] + slots).joined(separator: " ")
  }

  private static func words(for reason: AssistantEvent.IdleReason) -> String {
    switch reason {
    case .done: "done"
    case .noSpeech: "nothing was said"
    case .notUnderstood: "not understood"
    case .refused: "not permitted"
    case .cancelled: "cancelled"
    case .failed: "failed"
    case .interrupted: "the hotword was said again"
    case .streamEnded: "the audio ended"
    case .handedOver: "handed over"
    }
  }

  /// A stream position as minutes, seconds and hundredths, ten columns wide.
  package static func clock(_ at: SampleIndex) -> String {
    let hundredths = at * 100 / AudioFormat.sampleRate
    func padded(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    let text = "\(hundredths / 6000):\(padded(hundredths / 100 % 60)).\(padded(hundredths % 100))"
    return String(repeating: " ", count: max(0, 10 - text.count)) + text
  }
}
