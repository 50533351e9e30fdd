import Detection
import Evaluation
import Glibc
import PCM
import Platform
import TestServers
import Testing

@testable import Training

@Suite(.limited(minutes: 5)) struct JoinedBandsTests {
  private static let width = SpeechEmbedding.bands

  /// A stream whose rows have the same number in every band.
  private static func stream(_ levels: [Float], _ kind: FeatureStream.Kind = .speech) -> FeatureStream {
    FeatureStream(
      kind: kind, features: levels.flatMap { [Float16](repeating: Float16($0), count: width) },
      vectors: levels.count, word: nil)
  }

  // MARK: - SpeechBands

  @Test func aFileKeepsLevelsToOneAndAHalfDecibels() throws {
    let folder = temporaryFolder()
    defer { _ = try? Subprocess(["rm", "-rf", folder]).run(timeout: 10) }
    var random = RandomSource(seed: 4)
    var speech = FeatureStream(
      kind: .speech, features: (0..<5 * Self.width).map { _ in Float16(random.uniform(0...12)) }, vectors: 5,
      word: nil)
    speech.sounds = [0, 3, 3, 42, Target.unlabelled]
    let noise = Self.stream([2.5], .noise)
    let path = "\(folder)/bands.bin"
    try Files.write(SpeechBands(streams: [speech, noise]).encoded, to: path)
    let read = try SpeechBands(reading: path).streams
    #expect(read.map(\.kind) == [.speech, .noise])
    #expect(read.map(\.sounds) == [speech.sounds, []])
    // A half has 10 bits: 0.004 at 8.
    #expect(zip(read[0].features, speech.features).allSatisfy { abs(Float($0) - Float($1)) < 0.159 })
    #expect(throws: TrainingFault.self) { try Background(reading: path) }
  }

  @Test func anotherFileIsRefused() throws {
    let folder = temporaryFolder()
    defer { _ = try? Subprocess(["rm", "-rf", folder]).run(timeout: 10) }
    let path = "\(folder)/bands.bin"
    func defect(of bytes: [UInt8]) throws -> String? {
      try Files.write(bytes, to: path)
      return thrown(TrainingFault.self) { _ = try SpeechBands(reading: path) }?.message
    }
    let outputs = FeatureStream(kind: .speech, features: [1, 2, 3], vectors: 1, word: nil)
    #expect(try defect(of: Background(streams: [outputs], encoder: "").encoded)?.contains(path) == true)
    let bands = SpeechBands(streams: [Self.stream([1, 2])]).encoded
    #expect(try defect(of: SpeechBands(streams: [outputs]).encoded)?.contains("version") == true)
    #expect(try defect(of: bands.dropLast())?.contains("match") == true)
    try Files.write(bands, to: path)
    #expect(try SpeechBands(reading: path).streams.count == 1)
  }

  @Test func speechHasARowAndASoundForEvery20Milliseconds() throws {
    let speech = try Synthesizer().pronounce("good morning to you", SynthesisVoice(.espeak("en-us+m3")))
    func recording(_ words: [String]) -> AlignedSpeech.Recording {
      AlignedSpeech.Recording(
        clip: LabelledClip(samples: Level.integers(speech.samples), phonemes: speech.phonemes),
        line: Transcripts.Line(path: "a.wav", speaker: "a", words: words))
    }
    // Only sentences are taken.
    let recordings = [recording(["morning"]), recording(["good", "morning", "to", "you"])]
    var random = RandomSource(seed: 1)
    let noise = (0..<16_000).map { _ in random.uniform(-0.1...0.1) }
    let bands = SpeechBands(recordings, noise: [noise], seed: 1, threads: 1).streams
    #expect(bands.map(\.kind) == [.speech, .noise] && bands[1].sounds.isEmpty)
    let said = bands[0]
    #expect(abs(said.vectors - speech.samples.count / 320) <= 2 && said.sounds.count == said.vectors)
    let order = said.sounds.filter { $0 != Target.unlabelled && $0 != Phoneme.silence.rawValue }
    let expected = speech.phonemes.map(\.phoneme.rawValue).filter { $0 != Phoneme.silence.rawValue }
    #expect(order.indices.filter { $0 == 0 || order[$0] != order[$0 - 1] }.map { order[$0] } == expected)
    // Vowels are louder than the pauses, in decades of power.
    func level(_ sound: Phoneme) -> Float {
      let rows = said.sounds.indices.filter { said.sounds[$0] == sound.rawValue }
      let sum = rows.reduce(Float(0)) { sum, row in
        sum
          + said.features[row * Self.width..<(row + 1) * Self.width].reduce(0) {
            $0 + Float($1)
          }
      }
      return sum / Float(max(1, rows.count * Self.width))
    }
    #expect(level(.ao) > level(.silence) + 1.5)
  }

  // MARK: - BandRows

  @Test func rowsBetweenTwoStepsAreTheirMeanAndTheEndsAreRepeated() {
    let rows = BandRows(Self.stream([1, 2, 4]), from: -1, count: 7)
    #expect(
      stride(from: 0, to: rows.values.count, by: Self.width).map { rows.values[$0] } == [
        1, 1, 1.5, 2, 3, 4, 4,
      ])
  }

  @Test func aLongerVocalTractMovesWhatIsHeardToLowerBands() {
    var ramp = FeatureStream(
      kind: .speech, features: (0..<Self.width).map { Float16($0) }, vectors: 1, word: nil)
    ramp.sounds = [0]
    var rows = BandRows(ramp, from: 0, count: 1)
    rows.warp(by: 1.25)
    #expect(rows.values[8] == 10 && rows.values[31] == 31)
    var same = BandRows(ramp, from: 0, count: 1)
    same.warp(by: 1)
    #expect(same.values == BandRows(ramp, from: 0, count: 1).values)
  }

  /// The levels of both before do not matter.
  @Test(arguments: [Float(10), -10]) func noiseIsMixedAtARatio(ratio: Float) {
    var rows = BandRows(Self.stream([Float](repeating: 2, count: 20)), from: 0, count: 40)
    rows.mix(
      BandRows(Self.stream([7], .noise), from: 0, count: 40), ratio: ratio, measuredIn: 5..<30)
    let expected = 2 + log10f(1 + powf(10, -ratio / 10))
    #expect(rows.values.allSatisfy { abs($0 - expected) < 0.01 })
  }

  @Test func aRoomSoundsAfterTheSpeechAndHardlyChangesIt() {
    var random = RandomSource(seed: 2)
    let levels = [Float](repeating: 6, count: 20) + [Float](repeating: 0, count: 60)
    for _ in 0..<20 {
      var rows = BandRows(Self.stream(levels), from: 0, count: 160)
      rows.reverberate(&random)
      let heard = stride(from: 0, to: rows.values.count, by: Self.width).map { rows.values[$0] }
      #expect(heard[30] >= 6 && heard[30] < 6.8, "\(heard[30])")
      // It is heard 0.2 s after the end, falls by more than 10 dB in the next 0.4 s, and is over after 1.2 s.
      #expect(heard[42] > 1 && heard[42] > heard[82] + 1 && heard[159] < 1.5, "\(heard[42]) \(heard[159])")
    }
  }

  @Test func aMicrophoneHasALevelAndASmoothResponse() {
    var random = RandomSource(seed: 3)
    var means: [Float] = []
    for _ in 0..<50 {
      var rows = BandRows(Self.stream([5, 5]), from: 0, count: 2)
      rows.colour(&random)
      let row = rows.values.prefix(Self.width)
      #expect(Array(row) == Array(rows.values.suffix(Self.width)))
      #expect(zip(row, row.dropFirst()).allSatisfy { abs($0 - $1) < 0.36 })
      means.append(row.reduce(0, +) / Float(Self.width))
    }
    #expect(means.min()! < 4.3 && means.max()! > 5.7 && means.allSatisfy { abs($0 - 5) < 2.3 })
  }

  // MARK: - JoinedBands

  /// Sentences by a few voices, in which the words of "good morning" are never together.
  private static func bands(_ voices: [String]) throws -> SpeechBands {
    let synthesizer = try Synthesizer()
    let pause = [Float](repeating: 0, count: 8_000)
    let texts = ["it was good for all of them in the end", "they met this morning at nine near the old mill"]
    let recordings = voices.flatMap { voice in
      texts.map { text in
        let speech = synthesizer.pronounce(text, SynthesisVoice(.espeak("en-us+\(voice)")))
        let spans = speech.phonemes.map {
          Phoneme.Span(
            phoneme: $0.phoneme, samples: $0.samples.lowerBound + 8_000..<$0.samples.upperBound + 8_000)
        }
        let end = 8_000 + speech.samples.count
        let silences = [0..<8_000, end..<end + 8_000].map { Phoneme.Span(phoneme: .silence, samples: $0) }
        return AlignedSpeech.Recording(
          clip: LabelledClip(
            samples: Level.integers(pause + speech.samples.map { $0 * 0.4 } + pause),
            phonemes: [silences[0]] + spans + [silences[1]]),
          line: Transcripts.Line(
            path: text, speaker: voice, words: text.split(separator: " ").map(String.init)))
      }
    }
    return SpeechBands(recordings, noise: [], seed: 1, threads: 2)
  }

  private static var settings: TrainingSettings {
    get throws {
      var settings = TrainingSettings(phrase: "good morning")
      settings.embedding = PackedEmbedding(try PretrainedEncoder().embedding)
      settings.joinedBands = 60
      return settings
    }
  }

  private static let reading: [[Phoneme]] = [[.g, .uh, .d], [.m, .ao, .r, .n, .ih, .ng]]

  @Test func aJoinedPhraseSoundsLikeThePhraseToTheEmbedding() throws {
    let settings = try Self.settings
    let voices = ["m1", "m3", "m4", "f1", "f2", "f3"]
    let joined = JoinedBands(try Self.bands(voices)).utterances(of: [Self.reading], settings)
    let phrases = joined.filter(\.isPhrase)
    let others = joined.filter { !$0.isPhrase }
    #expect(phrases.count == 60 && others.count > 40)
    #expect(joined.allSatisfy { $0.embeddings.count == 11 * SpeechEmbedding.outputs })
    // What other voices say, 0.1 s after its end.
    let synthesizer = try Synthesizer()
    func window(_ text: String, _ voice: String) -> [Float] {
      let speech = synthesizer.speak(text, SynthesisVoice(.espeak("en-us+\(voice)")))
      let pause = [Float](repeating: 0, count: 24_000)
      let renderer = EmbeddingRenderer(settings.embedding!)
      renderer.begin(firstVector: 0, warp: 1)
      let samples = Level.integers(pause + speech.map { $0 * 0.4 } + pause.prefix(1_600))
      samples.withUnsafeBufferPointer { samples in
        for start in stride(from: 0, to: samples.count - 159, by: 160) {
          renderer.push(UnsafeBufferPointer(rebasing: samples[start..<start + 160]))
        }
      }
      return renderer.embeddings.suffix(SecondStage.window * SpeechEmbedding.outputs).map { Float($0) }
    }
    func likeness(_ utterance: JoinedBands.Utterance, _ window: [Float]) -> Float {
      let start = SpeechEmbedding.outputs
      let own = utterance.embeddings[start..<start + window.count].map { Float($0) }
      func product(_ a: [Float], _ b: [Float]) -> Float { zip(a, b).reduce(0) { $0 + $1.0 * $1.1 } }
      return product(own, window) / (product(own, own) * product(window, window)).squareRoot()
    }
    func mean(_ utterances: [JoinedBands.Utterance], _ windows: [[Float]]) -> Float {
      let all = utterances.flatMap { utterance in windows.map { likeness(utterance, $0) } }
      return all.reduce(0, +) / Float(all.count)
    }
    let said = ["m5", "m7", "f4", "f5"].map { window("good morning", $0) }
    let other = ["m5", "m7", "f4", "f5"].map { window("nine of them", $0) }
    let likeSaid = mean(phrases, said)
    #expect(likeSaid > mean(phrases, other) + 0.1, "\(likeSaid), \(mean(phrases, other))")
    #expect(likeSaid > mean(others, said) + 0.05, "\(likeSaid), \(mean(others, said))")
  }

  @Test func theSameSeedJoinsTheSamePhrases() throws {
    let joined = JoinedBands(try Self.bands(["m1", "f1", "m3"]))
    var settings = try Self.settings
    settings.joinedBands = 5
    func embeddings(seed: UInt64, threads: Int) -> [[Float16]] {
      settings.seed = seed
      settings.threads = threads
      return joined.utterances(of: [Self.reading], settings).map(\.embeddings)
    }
    #expect(embeddings(seed: 1, threads: 1) == embeddings(seed: 1, threads: 2))
    #expect(embeddings(seed: 1, threads: 1) != embeddings(seed: 2, threads: 1))
  }

  @Test func nothingIsJoinedWithoutASoundOrAnEmbeddingOrSpeech() throws {
    var settings = try Self.settings
    let bands = try Self.bands(["m1"])
    #expect(JoinedBands(bands).utterances(of: [[[.g, .zh, .d]]], settings).isEmpty)
    #expect(JoinedBands(SpeechBands(streams: [])).utterances(of: [Self.reading], settings).isEmpty)
    settings.embedding = nil
    #expect(JoinedBands(bands).utterances(of: [Self.reading], settings).isEmpty)
  }
}
