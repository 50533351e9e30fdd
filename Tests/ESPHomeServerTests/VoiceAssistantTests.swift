import Networking
import Platform
import TestServers
import Testing
import WyomingServer

@testable import ESPHomeServer

@Suite(.limited) struct VoiceAssistantTests {
  private func event(_ kind: VoiceAssistantEvent.Kind, _ data: [(String, String)] = []) throws
    -> VoiceAssistantEvent
  {
    var writer = ProtobufWriter()
    writer.number(1, kind.rawValue)
    for (name, value) in data {
      writer.message(2) {
        $0.text(1, name)
        $0.text(2, value)
      }
    }
    return try VoiceAssistantEvent(ProtobufReader(writer.bytes[...]))
  }

  private func received(_ type: String, _ text: String? = nil) -> VoiceAssistant.Step {
    .input(.received(WyomingEvent(type, text.map { [JSON.Member("text", .string($0))] } ?? [])))
  }

  private func start(_ assistant: inout VoiceAssistant, _ name: String? = "computer") -> [ServerMessage] {
    let members = name.map { [JSON.Member("wake_word_name", .string($0))] } ?? []
    return assistant.send(WyomingEvent("run-pipeline", members)) { "hey \($0)" }
  }

  @Test func aRunWithAudioIsPlayed() throws {
    var assistant = VoiceAssistant(plays: true)
    #expect(start(&assistant) == [.voiceAssistantStart(phrase: "hey computer", conversation: "")])
    #expect(assistant.take(try event(.runStart, [("url", "http://a/b")])).isEmpty)
    #expect(assistant.take(try event(.sttVadEnd)) == [received("voice-stopped")])
    #expect(assistant.take(try event(.sttEnd, [("text", "hi")])) == [received("transcript", "hi")])
    #expect(assistant.take(try event(.ttsStreamStart)) == [.input(.audioStarted)])
    #expect(assistant.take(try event(.ttsEnd, [("url", "http://a/b")])).isEmpty)
    #expect(assistant.take(try event(.runEnd)).isEmpty)
    // Samples may be divided anywhere.
    #expect(assistant.take(audio: [1, 0, 2]) == [.play([1])])
    #expect(assistant.take(audio: [1, 255, 255]) == [.play([258, -1])])
    #expect(assistant.take(try event(.ttsStreamEnd)) == [.endAudio])
    #expect(assistant.take(audio: [1, 0]).isEmpty)
    #expect(
      assistant.send(WyomingEvent("played")) { $0 } == [.announceFinished(isSuccess: true)])
  }

  @Test func withoutAudioTheAddressIsFetched() throws {
    var assistant = VoiceAssistant(plays: true)
    _ = start(&assistant)
    _ = assistant.take(try event(.runStart))
    _ = assistant.take(try event(.ttsEnd, [("url", "http://a/b")]))
    #expect(assistant.take(try event(.runEnd)) == [.fetch("http://a/b")])
  }

  @Test func withoutAnswerTheRunEnds() throws {
    var assistant = VoiceAssistant(plays: true)
    _ = start(&assistant)
    _ = assistant.take(try event(.runStart))
    #expect(assistant.take(try event(.runEnd)) == [received("run-end")])
  }

  @Test func theEndOfAnEarlierRunEndsNothing() throws {
    var assistant = VoiceAssistant(plays: true)
    _ = start(&assistant)
    _ = assistant.take(try event(.runStart))
    _ = start(&assistant)
    #expect(assistant.take(try event(.runEnd)).isEmpty)
  }

  @Test func aConversationGoesOnWithItsIdentifier() throws {
    var assistant = VoiceAssistant(plays: true)
    _ = start(&assistant)
    let data = [("continue_conversation", "1"), ("conversation_id", "c1")]
    #expect(assistant.take(try event(.intentEnd, data)) == [.input(.continued)])
    #expect(start(&assistant, nil) == [.voiceAssistantStart(phrase: "", conversation: "c1")])
    #expect(start(&assistant, nil) == [.voiceAssistantStart(phrase: "", conversation: "")])
  }

  @Test func withoutLoudspeakerTheAnswerIsReportedAsPlayed() throws {
    var assistant = VoiceAssistant(plays: false)
    _ = start(&assistant)
    _ = assistant.take(try event(.runStart))
    #expect(assistant.take(try event(.ttsStreamStart)).isEmpty)
    #expect(assistant.take(try event(.ttsEnd)) == [.send(.announceFinished(isSuccess: true))])
    #expect(assistant.take(try event(.runEnd)) == [received("run-end")])
  }

  @Test func errorsAndTimersAreTranslated() throws {
    var assistant = VoiceAssistant(plays: true)
    let data = [("code", "stt-failed"), ("message", "no text")]
    #expect(assistant.take(try event(.error, data)) == [received("error", "no text")])
    var writer = ProtobufWriter()
    writer.number(1, 3)
    writer.text(2, "t1")
    writer.number(4, 300)
    let steps = assistant.take(VoiceAssistantTimer(try ProtobufReader(writer.bytes[...])))
    let members = [
      JSON.Member("id", "t1"), JSON.Member("name", .null), JSON.Member("total_seconds", 300),
    ]
    #expect(steps == [.input(.received(WyomingEvent("timer-finished", members)))])
  }
}
