import Networking
import PCM
import Platform

/// What a satellite tells programs such as those that drive lamps.
public enum SatelliteEvent: Sendable, Equatable {
  /// Home Assistant is connected, or no longer.
  case connected, disconnected
  /// A hotword, or a press without a name.
  case wake(name: String?, speaker: String?)
  /// Speech has begun and is sent.
  case listening
  /// The speech has ended; the answer is awaited.
  case thinking
  case transcript(String)
  /// The answer, or an announcement, plays.
  case speaking
  /// Nothing is awaited or played any more.
  case idle
  case error(String)
  case muted, unmuted
  /// A timer of Home Assistant: started, updated, cancelled or finished.
  case timer(state: String, id: String, name: String?, seconds: Double?)

  /// One line of JSON with `event` and `time`, the seconds of the stream.
  public func json(at position: SampleIndex) -> JSON {
    .object(
      [JSON.Member("event", .string(kind)), JSON.Member("time", .rounded(AudioFormat.seconds(position)))]
        + fields)
  }

  private var kind: String {
    switch self {
    case .connected: "connected"
    case .disconnected: "disconnected"
    case .wake: "wake"
    case .listening: "listening"
    case .thinking: "thinking"
    case .transcript: "transcript"
    case .speaking: "speaking"
    case .idle: "idle"
    case .error: "error"
    case .muted: "muted"
    case .unmuted: "unmuted"
    case .timer: "timer"
    }
  }

  private var fields: [JSON.Member] {
    func text(_ value: String?) -> JSON { value.map { .string($0) } ?? .null }
    return switch self {
    case .wake(let name, let speaker):
      [JSON.Member("keyword", text(name)), JSON.Member("speaker", text(speaker))]
    case .transcript(let text): [JSON.Member("text", .string(text))]
    case .error(let message): [JSON.Member("message", .string(message))]
    case .timer(let state, let id, let name, let seconds):
      [
        JSON.Member("state", .string(state)), JSON.Member("id", .string(id)), JSON.Member("name", text(name)),
        JSON.Member("seconds", seconds.map { .number($0) } ?? .null),
      ]
    case .connected, .disconnected, .listening, .thinking, .speaking, .idle, .muted, .unmuted: []
    }
  }
}

/// Derives the events of a satellite from the inputs and actions of its ``SatelliteSession``.
///
/// A state machine without clock and I/O. After each `wake` there is an `idle` before the next.
struct SatelliteEvents: Sendable {
  /// Seconds for which an answer is awaited after the speech.
  static let patience = 20.0

  private enum Phase: Equatable {
    case idle
    case waiting
    case streaming
    case thinking(until: SampleIndex)
    case speaking
  }

  /// Whether answers are played here; if not, a command ends with its transcript.
  private let plays: Bool
  private var phase = Phase.idle
  private(set) var position: SampleIndex = 0

  init(plays: Bool = true) { self.plays = plays }

  /// The events of one input, and of the actions that it caused.
  mutating func note(_ input: SatelliteSession.Input, _ actions: [SatelliteSession.Action])
    -> [SatelliteEvent]
  {
    var events = before(input)
    for action in actions { events += after(action, input) }
    let isPlayed = actions.contains {
      if case .send(let event) = $0 { event.type == "played" } else { false }
    }
    if isPlayed, phase == .speaking { events += rest() }
    if !plays, case .thinking = phase, case .received(let event) = input, event.type == "transcript" {
      events += rest()
    }
    return events
  }

  private mutating func before(_ input: SatelliteSession.Input) -> [SatelliteEvent] {
    switch input {
    case .frame(let end, _, _), .gap(let end):
      position = max(position, end)
      if case .thinking(let until) = phase, position >= until { return rest() }
      return []
    case .connected: return [.connected]
    case .disconnected: return rest() + [.disconnected]
    case .muted(let isMuted): return [isMuted ? .muted : .unmuted]
    case .received(let event):
      let events = received(event)
      if event.type == "error" || event.type == "run-end", case .thinking = phase { return events + rest() }
      return events
    case .audioStarted, .played, .continued, .detected, .compared, .pressed, .silenced, .ended, .stopped:
      return []
    }
  }

  private func received(_ event: WyomingEvent) -> [SatelliteEvent] {
    func line(_ name: String) -> String? { event[name]?.string.map { PlainText.line($0, limit: 200) } }
    switch event.type {
    case "transcript": return [.transcript(line("text") ?? "")]
    case "error": return [.error(line("text") ?? "")]
    case "timer-started", "timer-updated", "timer-cancelled", "timer-finished":
      return [
        .timer(
          state: String(event.type.dropFirst("timer-".count)), id: line("id") ?? "", name: line("name"),
          seconds: event["total_seconds"]?.number)
      ]
    default: return []
    }
  }

  private mutating func after(
    _ action: SatelliteSession.Action, _ input: SatelliteSession.Input
  ) -> [SatelliteEvent] {
    switch action {
    case .signal(.opened):
      let ended = rest()
      phase = .waiting
      if case .detected(let name, _, let speaker, _) = input {
        return ended + [.wake(name: name, speaker: speaker)]
      }
      return ended + [.wake(name: nil, speaker: nil)]
    case .send(let event) where event.type == "run-pipeline":
      phase = .streaming
      return [.listening]
    case .signal(.closed):
      guard phase == .streaming, awaitsAnswer(input) else { return rest() }
      phase = .thinking(until: position + AudioFormat.samples(Self.patience))
      return [.thinking]
    case .play:
      phase = .speaking
      return [.speaking]
    case .withdraw:
      if case .compared = input { return [.error(OrderCheck.refusal)] }
      return []
    case .send, .stream, .compare, .stopPlayback, .signal, .drop, .log: return []
    }
  }

  /// Whether Home Assistant goes on with the speech that has ended with `input`.
  private func awaitsAnswer(_ input: SatelliteSession.Input) -> Bool {
    switch input {
    case .received(let event): event.type != "error" && event.type != "pause-satellite"
    case .frame, .gap: true
    case .compared(_, let isAccepted): isAccepted
    case .connected, .disconnected, .audioStarted, .played, .continued, .detected, .pressed, .silenced,
      .muted, .ended, .stopped:
      false
    }
  }

  private mutating func rest() -> [SatelliteEvent] {
    defer { phase = .idle }
    return phase == .idle ? [] : [.idle]
  }
}
