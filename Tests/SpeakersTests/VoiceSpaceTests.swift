import Detection
import Platform
import Speakers
import TestServers
import Testing

@Suite(.limited) struct VoiceSpaceTests {
  /// A space of two components and two directions, of made-up numbers.
  private static func space() -> VoiceSpace {
    var random = RandomSource(seed: 4)
    let width = VoiceSpace.width
    func numbers(_ count: Int, _ range: ClosedRange<Float>) -> [Float] {
      (0..<count).map { _ in Float(Float16(random.uniform(range))) }
    }
    return VoiceSpace(
      mixture: VoiceSpace.Mixture(
        means: numbers(2 * width, -3...3), variances: numbers(2 * width, 0.5...4), shares: [0.5, 0.5]),
      channel: numbers(width, -1...1), center: numbers(2 * width, -0.1...0.1),
      directions: numbers(4 * width, -1...1), odds: [-1, 8, 0.5, 0.25])
  }

  private func print(tract: Double, pitch: Double = 120, seed: UInt64 = 1) throws -> SpeechPrint {
    try #require(SpeechPrint(Signals.word(tract: tract, pitch: pitch, seed: seed)))
  }

  @Test func aSpaceIsReadAsItWasWritten() throws {
    let space = Self.space()
    #expect(try VoiceSpace(decoding: space.encoded) == space)
  }

  @Test func brokenFilesAreRefusedWithoutACrash() throws {
    let bytes = Self.space().encoded
    for length in stride(from: 0, to: bytes.count - 1, by: 13) {
      #expect(throws: ModelDefect.self) { try VoiceSpace(decoding: Array(bytes[..<length])) }
    }
    let file = try Safetensors(decoding: bytes)
    let pairs = file.metadata
    for index in file.tensors.indices {
      var tensors = file.tensors
      let removed = tensors.remove(at: index)
      #expect(throws: ModelDefect.missingTensor(removed.name)) {
        try VoiceSpace(decoding: Safetensors(tensors: tensors, metadata: pairs).encoded)
      }
      tensors.append(.init(name: removed.name, shape: [1, 1, 1], values: [1]))
      #expect(throws: ModelDefect.malformedTensor(removed.name)) {
        try VoiceSpace(decoding: Safetensors(tensors: tensors, metadata: pairs).encoded)
      }
    }
    #expect(throws: ModelDefect.self) {
      try VoiceSpace(
        decoding: Safetensors(
          tensors: file.tensors, metadata: [("format", "hotword-voices-1"), ("odds", "[1]")]
        ).encoded)
    }
  }

  @Test func aPlaceHasLengthOneAndDoesNotDependOnTheLevel() throws {
    let space = Self.space()
    let loud = space.place(try print(tract: 1))
    let soft = try #require(SpeechPrint(Signals.word(tract: 1, pitch: 120, gain: 0.3)))
    let other = space.place(try print(tract: 1.25))
    #expect(abs(loud.reduce(0) { $0 + $1 * $1 } - 1) < 1e-4)
    #expect(
      VoiceSpace.similarity(loud, space.place(soft)) > VoiceSpace.similarity(loud, other))
  }

  @Test func silenceAndNoiseHaveNoPrint() {
    #expect(SpeechPrint([Int16]()) == nil)
    #expect(SpeechPrint([Int16](repeating: 0, count: 16_000)) == nil)
    #expect(VoicePrint(order: [Int16](repeating: 0, count: 16_000)) == nil)
    var random = RandomSource(seed: 6)
    let noise = (0..<32_000).map { _ in Int16(random.uniform(-2_000...2_000)) }
    #expect(VoicePrint(order: noise) == nil)
  }

  @Test func noiseThatEndsInDigitalSilenceIsNoOrder() throws {
    var random = RandomSource(seed: 6)
    let noise = (0..<20_000).map { _ in Int16(random.uniform(-60...60)) }
    let padding = (0..<8_000).map { Int16($0 % 2) }
    #expect(VoicePrint(order: noise + padding) == nil)
    #expect(VoicePrint(order: padding + noise + padding) == nil)
    let order = try #require(VoicePrint(order: Signals.word(tract: 1, pitch: 130)))
    #expect(VoicePrint(order: padding + Signals.word(tract: 1, pitch: 130) + padding) == order)
  }

  @Test func longOrdersHaveThePrintOfTheirFirstSeconds() throws {
    let long = (0..<8).flatMap { Signals.word(tract: 1, pitch: 120, seed: $0) }
    let print = try #require(VoicePrint(order: long))
    #expect(print.count == VoicePrint.lengths.upperBound)
  }

  @Test func withoutASpaceAVoiceOrItsOrdersNothingIsCompared() throws {
    let word = Signals.word(tract: 1, pitch: 120)
    let print = try #require(VoicePrint(word, word: Signals.range))
    var voice = EnrolledVoice(name: "ann")
    voice.enroll([print], keyword: "computer")
    #expect(EnrolledVoices([voice], space: Self.space()).likeness(of: word, to: "ann") == nil)
    voice.enroll([print], orders: [print], keyword: "computer")
    #expect(EnrolledVoices([voice]).likeness(of: word, to: "ann") == nil)
    let voices = EnrolledVoices([voice], space: Self.space())
    #expect(voices.likeness(of: word, to: "ann") != nil)
    #expect(voices.likeness(of: word, to: "bob") == nil)
    #expect(voices.likeness(of: [Int16](repeating: 0, count: 16_000), to: "ann") == nil)
  }

  @Test func ordersBelongToTheirHotwordAndAreKeptInTheFile() throws {
    let print = try #require(VoicePrint(Signals.word(tract: 1, pitch: 120), word: Signals.range))
    let order = try #require(VoicePrint(order: Signals.word(tract: 1, pitch: 130)))
    var voice = EnrolledVoice(name: "ann")
    voice.enroll([print], orders: [order, order], keyword: "computer")
    voice.enroll([print], keyword: "jarvis")
    #expect(try EnrolledVoice(decoding: voice.encoded) == voice)
    #expect(voice.orders.count == 2 && voice.keywords == ["computer", "jarvis"])
    voice.forget("computer")
    #expect(voice.orders.isEmpty && voice.keywords == ["jarvis"])
  }
}
