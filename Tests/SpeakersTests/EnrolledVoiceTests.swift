import Detection
import Glibc
import Platform
import Speakers
import TestServers
import Testing

@Suite(.limited) struct VoiceTests {
  private func prints(tract: Double, pitch: Double) throws -> [VoicePrint] {
    try (1...3).map { seed in
      try #require(
        VoicePrint(
          Signals.word(tract: tract, pitch: pitch + Double(seed), seed: UInt64(seed)), word: Signals.range))
    }
  }

  private func voice() throws -> EnrolledVoice {
    var voice = EnrolledVoice(name: "ann")
    voice.enroll(try prints(tract: 1, pitch: 120), keyword: "computer")
    return voice
  }

  private func temporaryFolder() -> String {
    PythonServer.temporaryFolder("voices")
  }

  @Test func aVoiceIsReadAsItWasWritten() throws {
    let voice = try voice()
    #expect(try EnrolledVoice(decoding: voice.encoded) == voice)
  }

  @Test func brokenFilesAreRefusedWithoutACrash() throws {
    let bytes = try voice().encoded
    for length in stride(from: 0, to: bytes.count - 1, by: 97) {
      #expect(throws: ModelDefect.self) { try EnrolledVoice(decoding: Array(bytes[..<length])) }
    }
    #expect(throws: ModelDefect.self) {
      try EnrolledVoice(decoding: Safetensors(tensors: [], metadata: [("format", "hotword-2")]).encoded)
    }
    let narrow = Safetensors(
      tensors: [.init(name: "0", shape: [40, 20], values: [Float](repeating: 0, count: 800))],
      metadata: [("format", "hotword-voice-1"), ("name", "ann"), ("keywords", "[\"computer\"]")])
    #expect(throws: ModelDefect.malformedTensor("0")) { try EnrolledVoice(decoding: narrow.encoded) }
    let away = Safetensors(
      tensors: [], metadata: [("format", "hotword-voice-1"), ("name", "../ann"), ("keywords", "[]")])
    #expect(throws: ModelDefect.self) { try EnrolledVoice(decoding: away.encoded) }
  }

  @Test func enrollingAgainReplacesThePhraseAlone() throws {
    var voice = try voice()
    let others = try prints(tract: 1.1, pitch: 200)
    voice.enroll(others, keyword: "jarvis")
    voice.enroll(others, keyword: "computer")
    #expect(voice.keywords == ["computer", "jarvis"])
    #expect(voice.prints(of: "computer") == others)
    #expect(voice.clips.count == 6)
  }

  @Test func voiceFilesAreReadableByTheirOwnerOnly() throws {
    let store = VoiceStore(folder: temporaryFolder() + "/data/voices")
    #expect(try store.names() == [])
    try store.save(voice())
    #expect(try store.voices() == [voice()])
    var status = stat()
    #expect(stat(store.path(of: "ann"), &status) == 0)
    #expect(status.st_mode & 0o077 == 0)
    try store.remove("ann")
    #expect(throws: VoiceFault.unknownVoice("ann", known: [])) { try store.remove("ann") }
  }

  @Test(arguments: ["", ".ann", "a/b", "-x", "a\nb", String(repeating: "a", count: 65)])
  func namesThatAreNoFileNamesAreRefused(name: String) { #expect(!VoiceStore.isName(name)) }

  @Test func theNearestVoiceIsNamedAndAnUnknownSpeakerIsNot() throws {
    var bob = EnrolledVoice(name: "bob")
    bob.enroll(try prints(tract: 0.85, pitch: 90), keyword: "computer")
    let voices = EnrolledVoices([try voice(), bob])
    let ann = Signals.word(tract: 1, pitch: 122, seed: 9)
    let judgement = try #require(voices.judge(ann, word: Signals.range, keyword: "computer"))
    #expect(judgement.name == "ann")
    #expect(judgement.score >= 0.5)
    let stranger = Signals.word(tract: 1.2, pitch: 230, seed: 9)
    let other = try #require(voices.judge(stranger, word: Signals.range, keyword: "computer"))
    #expect(other.name == nil)
    #expect(other.score < 0.5)
  }

  @Test func anotherHotwordIsNotIdentified() throws {
    let voices = EnrolledVoices([try voice()])
    #expect(voices.know("computer"))
    #expect(!voices.know("alexa"))
    #expect(voices.judge(Signals.word(tract: 1, pitch: 120), word: Signals.range, keyword: "alexa") == nil)
  }

  @Test func silenceHasNoSpeaker() throws {
    let silence = [Int16](repeating: 0, count: 20_000)
    let judgement = EnrolledVoices([try voice()]).judge(silence, word: Signals.range, keyword: "computer")
    #expect(judgement == EnrolledVoices.Judgement(name: nil, score: 0))
  }
}
