import Detection
import FrontEnd
import Glibc
import PCM
import Platform
import TestServers
import Testing
import Training

@Suite(.limited(minutes: 15)) struct EncoderTests {
  @Test func phonemeNamesOfDictionaryAndSynthesizersMap() {
    #expect(Phoneme(arpabet: "AH0") == .ah && Phoneme(arpabet: "pau") == .silence)
    #expect(Phoneme(arpabet: "QQ") == nil)
    #expect(Phoneme.sequence(ipa: "tʃ", english: true) == [.ch])
    #expect(Phoneme.sequence(ipa: "oːɹ", english: true) == [.ow, .r])
    #expect(Phoneme.sequence(ipa: "a", english: true) == [.ae])
    #expect(Phoneme.sequence(ipa: "aː", english: false) == [.aa])
    #expect(Phoneme.sequence(ipa: "ɾ", english: true) == [.d])
    #expect(Phoneme.sequence(ipa: "ɾ", english: false) == [.r])
    #expect(Phoneme.sequence(ipa: "", english: true) == [.silence])
  }

  @Test(arguments: ["en-us+m3", "flite"]) func synthesizersLabelTheTimesOfSounds(name: String) throws {
    let voice = SynthesisVoice(name == "flite" ? .flite(.slt) : .espeak(name))
    let speech = try Synthesizer().pronounce("computer", voice)
    let sounds = speech.phonemes.filter { $0.phoneme != .silence }
    #expect(sounds.map(\.phoneme).starts(with: [.k, .ah, .m, .p, .y, .uw]), "\(sounds.map(\.phoneme))")
    #expect(zip(sounds, sounds.dropFirst()).allSatisfy { $0.samples.upperBound <= $1.samples.lowerBound })
    #expect(sounds.last!.samples.upperBound <= speech.samples.count)
    // The vowel of the second syllable is louder than the closure before it.
    func level(_ phoneme: Phoneme) -> Float {
      let span = sounds.first { $0.phoneme == phoneme }!.samples
      return Level.rms(speech.samples[span])
    }
    #expect(level(.uw) > 2 * level(.p))
  }

  @Test func theBestPathFollowsTheSoundsAndSkipsSilence() throws {
    // Silence, k, ae, t, silence: four steps each, certain.
    let said: [Phoneme] = [.silence, .k, .ae, .t, .silence]
    let outputs = Phoneme.allCases.count
    var logits: [Float] = []
    for phoneme in said {
      for _ in 0..<4 { logits += (0..<outputs).map { $0 == Int(phoneme.rawValue) ? 6 : 0 } }
    }
    let fitting = try #require(Alignment(logits, outputs: outputs, words: [[.k, .ae, .t]]))
    #expect(fitting.path == said.flatMap { [Phoneme](repeating: $0, count: 4) })
    let two = try #require(Alignment(logits, outputs: outputs, words: [[.k, .ae], [.t]]))
    #expect(two.path == fitting.path)
    let other = try #require(Alignment(logits, outputs: outputs, words: [[.d, .ao, .g]]))
    #expect(other.score < fitting.score - 3)
    let long = [[Phoneme]](repeating: [.k, .ae, .t], count: 4)
    #expect(Alignment(logits, outputs: outputs, words: long) == nil)
  }

  private static let speech: [LabelledClip] = (0..<4).map { clip in
    let samples = Level.integers((0..<16_000).map { 0.2 * sinf(0.1 * Float(clip + 1) * Float($0)) })
    let sound = Phoneme(rawValue: UInt8(clip + 1))!
    return LabelledClip(samples: samples, phonemes: [.init(phoneme: sound, samples: 0..<16_000)])
  }

  private static func rows(threads: Int) throws -> PhonemeRows {
    var settings = TrainingSettings(phrase: "encoder")
    settings.threads = threads
    let augmenter = Augmenter(noise: NoiseSource(recordings: [], speech: []), speech: [])
    return try PhonemeRows(
      speech, times: { $0 + 1 }, augmenter: augmenter, settings: settings, seconds: 3, least: 210)
  }

  @Test func rowsAreNewEachAndTheSameForAnyNumberOfThreads() throws {
    let rows = try Self.rows(threads: 1).render([0, 1, 7])
    let again = try Self.rows(threads: 3).render([7, 0])
    #expect(rows[2].features == again[0].features && rows[0].labels == again[1].labels)
    #expect(rows[0].features != rows[1].features)
    for row in rows {
      #expect(row.labels.count >= 210 && row.features.count == row.labels.count * 40)
      let sounds = Set(row.labels)
      #expect(sounds.contains(Phoneme.silence.rawValue) && sounds.count >= 2)
      let spoken = row.labels.count { (1...4).contains($0) }
      #expect((250...400).contains(spoken), "three clips of a second, some at another speed: \(spoken)")
    }
  }

  @Test func windowsAreTheSameAfterAContinuation() throws {
    var settings = PhonemeWindows.Settings(lookAhead: 4, seed: 2)
    settings.batchSize = 4
    settings.rows = 5
    settings.renewed = 2
    let whole = PhonemeWindows(try Self.rows(threads: 2), settings)
    var batches: [Int: Batch] = [:]
    for index in [0, 1, 99, 100, 250, 330] { batches[index] = whole.batch(index) }
    let rest = PhonemeWindows(try Self.rows(threads: 1), settings)
    for index in [250, 330] {
      let batch = rest.batch(index)
      #expect(batch.features == batches[index]!.features && batch.targets == batches[index]!.targets)
    }
    #expect(batches[0]!.features != batches[1]!.features)
  }

  @Test func aBackgroundFileKeepsLogitsToAHalf() throws {
    let folder = temporaryFolder()
    defer { _ = try? Subprocess(["rm", "-rf", folder]).run(timeout: 10) }
    var random = RandomSource(seed: 4)
    let values = (0..<5 * 43).map { _ in Float16(random.uniform(-15...15)) }
    var stream = FeatureStream(kind: .speech, features: values, vectors: 5, word: nil)
    stream.heldOut = .always
    stream.source = "radio"
    stream.sounds = [0, 3, 3, 42, Target.unlabelled]
    let noise = FeatureStream(kind: .noise, features: Array(values.prefix(43)), vectors: 1, word: nil)
    let path = "\(folder)/background.bin"
    try Files.write(Background(streams: [stream, noise], encoder: "abc").encoded, to: path)
    let read = try Background(reading: path)
    #expect(read.encoder == "abc" && read.streams.count == 2)
    #expect(read.streams[0].isHeldOut && read.streams[0].source == "radio" && read.streams[1].kind == .noise)
    #expect(read.streams[0].sounds == stream.sounds && read.streams[1].sounds.isEmpty)
    #expect(zip(read.streams[0].features, values).allSatisfy { abs(Float($0) - Float($1)) <= 0.25 })
    let bytes = try Files.read(path)
    for count in [0, 7, 30, bytes.count - 1] {
      try Files.write(Array(bytes.prefix(count)), to: path)
      #expect(throws: TrainingFault.self) { try Background(reading: path) }
    }
    try Files.write(bytes + [0], to: path)
    #expect(throws: TrainingFault.self) { try Background(reading: path) }
    for position in bytes.indices {
      var damaged = bytes
      damaged[position] ^= 0x10
      try Files.write(damaged, to: path)
      _ = try? Background(reading: path)
    }
  }

  @Test func wholeNumbersSurviveTheirCode() throws {
    var random = RandomSource(seed: 9)
    for spread: Float in [0, 1, 3, 60] {
      let values = (0..<1000).map { _ in Int16(random.uniform(-spread...spread).rounded()) }
      let bytes = RiceCode.encoded(values)
      #expect(RiceCode.decoded(bytes[...], count: values.count) == values)
      #expect(bytes.count <= 2 + 1000 * (spread < 1 ? 1 : spread < 4 ? 4 : 9) / 8)
      #expect(RiceCode.decoded(bytes.dropLast(), count: values.count) == nil)
      #expect(RiceCode.decoded((bytes + [0])[...], count: values.count) == nil)
      #expect(RiceCode.decoded(bytes[...], count: values.count + 8) == nil)
    }
    #expect(RiceCode.decoded([], count: 0) == nil)
  }

  @Test func theShippedEncoderRecognizesPhonemesOfAnUnseenVoice() throws {
    let pretrained = try PretrainedEncoder()
    let encoder = pretrained.encoder
    let speech = try Synthesizer().pronounce("good morning", SynthesisVoice(.espeak("en-us+m2")))
    let silence = [Float](repeating: 0, count: 8_000)
    let renderer = try FeatureRenderer(frontEnd: encoder.frontEnd, features: encoder.features)
    let features = try renderer.render(Level.integers(silence + speech.samples.map { $0 * 0.3 } + silence))
    let logits = NetworkScorer.logits(encoder.network, features: features)
    let words = [speech.phonemes.map(\.phoneme).filter { $0 != .silence }]
    let right = try #require(Alignment(logits, outputs: 43, words: words))
    let wrong = try #require(Alignment(logits, outputs: 43, words: [[.s, .ih, .k, .s, .t, .iy, .f, .ay]]))
    #expect(right.score > wrong.score + 1)
    #expect(pretrained.background.seconds(heldOut: false, step: 0.02) > 3600)
    #expect(pretrained.background.seconds(heldOut: true, step: 0.02) > 3600)
  }

  @Test func aMissingPretrainedEncoderNamesTheFoldersSearched() throws {
    let folder = temporaryFolder()
    defer { _ = try? Subprocess(["rm", "-rf", folder]).run(timeout: 10) }
    let fault = thrown(TrainingFault.self) {
      _ = try PretrainedEncoder(ModelStore(folders: ["\(folder)/models"]))
    }
    #expect(fault?.message.contains("\(folder)/models/training") == true)
  }

  @Test func transcriptsNameFilesOrFolders() throws {
    let folder = temporaryFolder()
    defer { _ = try? Subprocess(["rm", "-rf", folder]).run(timeout: 10) }
    try Files.createFolder("\(folder)/yes")
    for name in ["a.wav", "b.wav"] { try Files.write([0], to: "\(folder)/yes/\(name)") }
    let list = "\(folder)/list.tsv"
    try Files.write(Array("yes\tYes\n12-3-0000.opus\tgood morning\n".utf8), to: list)
    let lines = try Transcripts(list, in: [folder]).lines
    #expect(lines.map(\.words) == [["yes"], ["yes"], ["good", "morning"]])
    #expect(lines[2].speaker == "reader 12")
    #expect(try Transcripts(list, in: ["/nowhere"]).lines.prefix(2) == lines.prefix(2))
    try Files.write(Array("12-3-0000.opus\t“Don’t,” she said: 'no'.\tann\n".utf8), to: list)
    let line = try Transcripts(list, in: [folder]).lines[0]
    #expect(line.words == ["don't", "she", "said", "no"])
    #expect(line.speaker == "ann")
    try Files.write(Array("yes\n".utf8), to: list)
    #expect(throws: TrainingFault.badTranscript(path: list, line: 1)) {
      try Transcripts(list, in: [folder])
    }
  }
}

func temporaryFolder() -> String {
  PythonServer.temporaryFolder("encoder")
}
