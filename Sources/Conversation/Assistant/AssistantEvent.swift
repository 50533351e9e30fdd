import PCM
import Platform

/// One line of `hotword run --events json`.
public struct AssistantEvent: Sendable, Equatable {
  /// The position of the stream.
  public let at: SampleIndex
  public let kind: Kind

  public init(at: SampleIndex, _ kind: Kind) {
    self.at = at
    self.kind = kind
  }

  public enum Kind: Sendable, Equatable {
    case ready
    /// `snr` in dB: the estimated signal-to-noise ratio of the hotword; nil if unknown.
    case wake(Wake, snr: Double?)
    case listening
    case partial(text: String)
    /// The members of `result` join the event.
    case transcript(result: JSON)
    case intent(result: JSON)
    case prompt(text: String)
    case action(result: JSON)
    case reply(text: String)
    case idle(IdleReason)
    case device(DeviceState)
    case error(code: Int32, message: String)
  }

  /// Why a cycle ended.
  public enum IdleReason: String, Sendable, Equatable, CaseIterable {
    /// The intent was carried out.
    case done
    /// Nobody spoke.
    case noSpeech
    /// Somebody spoke, and the recognizer found no words, or the words are no command.
    case notUnderstood
    /// The speaker has no permission.
    case refused
    /// The user cancelled the command.
    case cancelled
    /// A part failed; an `error` event came before.
    case failed
    /// The user said the hotword again.
    case interrupted
    /// The stream ended first.
    case streamEnded
    /// Another program continues: only a transcript was requested, or only the hotword.
    case handedOver
  }

  public enum DeviceState: String, Sendable, Equatable {
    case lost
    case recovered
    case overrun
  }

  public var name: String {
    switch kind {
    case .ready: "ready"
    case .wake: "wake"
    case .listening: "listening"
    case .partial: "partial"
    case .transcript: "transcript"
    case .intent: "intent"
    case .prompt: "prompt"
    case .action: "action"
    case .reply: "reply"
    case .idle: "idle"
    case .device: "device"
    case .error: "error"
    }
  }

  /// The event's JSON object: `event`, `time` in seconds since the stream began, and its fields.
  public var json: JSON {
    .object([JSON.Member("event", .string(name)), JSON.Member("time", Self.seconds(at))] + fields)
  }

  private var fields: [JSON.Member] {
    switch kind {
    case .ready, .listening: []
    case .wake(let wake, let snr): Self.members(of: wake, snr: snr)
    case .partial(let text), .prompt(let text), .reply(let text): [JSON.Member("text", .string(text))]
    case .transcript(let result), .intent(let result), .action(let result): result.members ?? []
    case .idle(let reason): [JSON.Member("reason", .string(reason.rawValue))]
    case .device(let state): [JSON.Member("state", .string(state.rawValue))]
    case .error(let code, let message):
      [JSON.Member("code", .number(Double(code))), JSON.Member("message", .string(message))]
    }
  }

  private static func members(of wake: Wake, snr: Double?) -> [JSON.Member] {
    var members = [
      JSON.Member("keyword", .string(wake.keyword)),
      JSON.Member("score", .rounded(wake.score)),
      JSON.Member("start", seconds(wake.start)),
      JSON.Member("end", seconds(wake.end)),
    ]
    if let speaker = wake.speaker {
      members.append(JSON.Member("speaker", speaker.name.map { .string($0) } ?? .null))
      members.append(JSON.Member("speakerScore", .rounded(speaker.score)))
    }
    if let snr { members.append(JSON.Member("snr", .rounded(snr, digits: 1))) }
    return members
  }

  private static func seconds(_ index: SampleIndex) -> JSON { .rounded(AudioFormat.seconds(index)) }
}
