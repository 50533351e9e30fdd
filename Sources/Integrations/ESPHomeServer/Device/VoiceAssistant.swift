import Networking
import Platform
import WyomingServer

/// Translates between the messages of ESPHome's voice assistant and what a `SatelliteSession` takes and sends.
///
/// A state machine without I/O. Of a run of Home Assistant's pipeline the session is given the end of speech, the transcript, errors
/// and the end. The answer comes as audio over the connection; its address is used where no audio comes.
///
/// | from Home Assistant | steps |
/// |---|---|
/// | STT_VAD_END, STT_END, ERROR | the session's `voice-stopped`, `transcript`, `error` |
/// | INTENT_END with `continue_conversation` | a command is expected after the answer |
/// | TTS_STREAM_START, audio, TTS_STREAM_END | play |
/// | TTS_END, then RUN_END without audio | fetch the address |
/// | RUN_END otherwise | the session's `run-end`, of the run that was started last only |
struct VoiceAssistant: Sendable {
  enum Step: Sendable, Equatable {
    case input(SatelliteSession.Input)
    case play([Int16])
    case endAudio
    /// Fetch the answer and play it.
    case fetch(String)
    case send(ServerMessage)
  }

  /// Whether answers are played here.
  private let plays: Bool
  /// Whether Home Assistant has begun the run that was requested last.
  private var hasBegun = false
  private var answer: String?
  /// Whether audio comes, and whether it has come in this run.
  private var isStreaming = false
  private var hasStreamed = false
  /// The first byte of a sample that is not complete.
  private var half: UInt8?
  /// The conversation that the next command continues.
  private var conversation = ""

  init(plays: Bool) { self.plays = plays }

  mutating func take(_ event: VoiceAssistantEvent) -> [Step] {
    switch event.kind {
    case .runStart:
      hasBegun = true
      answer = nil
      hasStreamed = false
      return []
    case .sttVadEnd: return [received("voice-stopped")]
    case .sttEnd: return [received("transcript", event["text"])]
    case .error: return [received("error", event["message"] ?? event["code"])]
    case .intentEnd:
      guard event["continue_conversation"] == "1" else { return [] }
      conversation = event["conversation_id"] ?? ""
      return plays ? [.input(.continued)] : []
    case .ttsEnd:
      answer = event["url"]
      // Home Assistant awaits that the answer has been played.
      return plays ? [] : [.send(.announceFinished(isSuccess: true))]
    case .ttsStreamStart:
      guard plays else { return [] }
      defer { (isStreaming, hasStreamed, half) = (true, true, nil) }
      return endStream() + [.input(.audioStarted)]
    case .ttsStreamEnd: return endStream()
    case .runEnd: return endRun()
    case .sttStart, .intentStart, .intentProgress, .ttsStart, .wakeWordStart, .wakeWordEnd, .sttVadStart, nil:
      return []
    }
  }

  /// Audio of an answer: 16-bit samples, 16 kHz, mono.
  mutating func take(audio bytes: [UInt8]) -> [Step] {
    guard isStreaming else { return [] }
    let all = (half.map { [$0] } ?? []) + bytes
    half = all.count % 2 == 1 ? all.last : nil
    return [
      .play(
        stride(from: 0, to: all.count - 1, by: 2).map {
          Int16(bitPattern: UInt16(all[$0]) | UInt16(all[$0 + 1]) << 8)
        })
    ]
  }

  func take(_ timer: VoiceAssistantTimer) -> [Step] {
    guard let state = timer.state else { return [] }
    let members = [
      JSON.Member("id", .string(timer.id)),
      JSON.Member("name", timer.name.isEmpty ? .null : .string(timer.name)),
      JSON.Member("total_seconds", .number(Double(timer.seconds))),
    ]
    return [.input(.received(WyomingEvent("timer-\(state)", members)))]
  }

  /// What the session sends, as messages.
  ///
  /// - Parameter phrase: the phrase of a model.
  mutating func send(_ event: WyomingEvent, phrase: (String) -> String) -> [ServerMessage] {
    switch event.type {
    case "run-pipeline":
      hasBegun = false
      defer { conversation = "" }
      let name = event["wake_word_name"]?.string
      return [.voiceAssistantStart(phrase: name.map(phrase) ?? "", conversation: conversation)]
    case "audio-stop": return [.voiceAssistantAudioEnd]
    case "played": return [.announceFinished(isSuccess: true)]
    default: return []
    }
  }

  private func received(_ type: String, _ text: String? = nil) -> Step {
    .input(.received(WyomingEvent(type, text.map { [JSON.Member("text", .string($0))] } ?? [])))
  }

  private mutating func endStream() -> [Step] {
    defer { isStreaming = false }
    return isStreaming ? [.endAudio] : []
  }

  private mutating func endRun() -> [Step] {
    guard hasBegun else { return [] }
    hasBegun = false
    defer { answer = nil }
    if plays, !hasStreamed, let answer, !answer.isEmpty { return [.fetch(answer)] }
    return hasStreamed ? [] : [received("run-end")]
  }
}
