import AudioCapture
import Corpora
import Detection
import Evaluation
import FrontEnd
import Glibc
import PCM
import Platform
import TestServers
import Testing

@Suite(.limited(minutes: 15)) struct EvaluatorTests {
  private static func folder(_ parts: [String] = []) -> String {
    let root = PythonServer.temporaryFolder("evaluator")
    for part in parts { mkdir("\(root)/\(part)", 0o755) }
    return root
  }

  private static func noise(_ seconds: Double, level: Float, seed: UInt64) -> [Int16] {
    var random = RandomSource(seed: seed)
    return Level.integers((0..<AudioFormat.samples(seconds)).map { _ in level * random.uniform(-1...1) })
  }

  /// Returns a model with random weights.
  private static func model() throws -> HotwordModel {
    var random = RandomSource(seed: 4)
    let shape = try NetworkShape(channels: 8, dilations: [1, 2])
    let weights = NetworkWeights(shape: shape) { _, sizes in
      (0..<sizes.reduce(1, *)).map { _ in random.uniform(-0.5...0.5) }
    }
    return try HotwordModel(
      name: "random", phrase: "random", frontEnd: .bypass, features: .standard, networks: [weights],
      decision: DecisionSettings(scale: 0.3))
  }

  @Test func filesBelongToTheFolderBelowTheOneGiven() throws {
    let root = Self.folder(["music", "music/deep", "rain"])
    for name in ["a.wav", "music/b.wav", "music/deep/c.WAV", "rain/d.flac", "rain/notes.txt"] {
      try Files.write([1], to: "\(root)/\(name)")
    }
    let own = String(root.split(separator: "/").last!)
    let tree = try AudioTree(["\(root)/"])
    #expect(tree.files.map(\.part) == [own, "music", "music", "rain"])
    let two = try AudioTree(["\(root)/music", "\(root)/rain", root])
    #expect(two.files.map(\.part) == ["music", "music/deep", "rain", own])
    #expect(throws: CorpusFault.noFolder("/nowhere")) { try AudioTree(["/nowhere"]) }
    let empty = Self.folder()
    #expect(throws: EvaluationFault.nothingReadable(empty)) { try AudioTree([empty]) }
  }

  @Test func corporaReturnTheSelectedRecordings() throws {
    let root = Self.folder(["computer", "house", "_background_noise_"])
    for name in ["computer/a_nohash_0", "computer/b_nohash_0", "house/a_nohash_0", "_background_noise_/rain"]
    {
      try Files.write([1], to: "\(root)/\(name).wav")
    }
    func parts(_ wanted: CorpusFolder.Use) throws -> [String] {
      try AudioTree([root], as: wanted).files.map(\.part)
    }
    #expect(try parts(.phrase("computer")) == ["a", "b"])
    #expect(try parts(.others(than: "computer")) == ["house", "_background_noise_"])
    #expect(try parts(.noise) == ["_background_noise_"])
    try Files.write(Array("computer/b_nohash_0.wav\n".utf8), to: "\(root)/testing_list.txt")
    #expect(try parts(.phrase("computer")) == ["b"])
    #expect(throws: EvaluationFault.phraseNotSaid(folder: root, phrase: "hello")) {
      try parts(.phrase("hello"))
    }
    // No recording that may have trained a model is evaluated in the place of a testing part that lacks what is wanted.
    #expect(throws: EvaluationFault.nothingToTest(root)) { try parts(.others(than: "computer")) }
    try Files.write([1], to: "\(root)/house/c_nohash_0.wav")
    try Files.write(Array("house/c_nohash_0.wav\n".utf8), to: "\(root)/testing_list.txt")
    #expect(try parts(.others(than: "computer")) == ["house"])
    #expect(throws: EvaluationFault.phraseNotSaid(folder: root, phrase: "computer")) {
      try parts(.phrase("computer"))
    }
    #expect(try parts(.noise) == ["_background_noise_"])
    #expect(try AudioTree([root]).files.count == 5)
  }

  @Test func noiseHasNoPausesAndDependsOnlyOnTheSeed() throws {
    let root = Self.folder()
    // A tenth of each recording is noise, the rest digital silence.
    for index in 0..<4 {
      let sound = Self.noise(0.5, level: 0.3, seed: UInt64(index)) + [Int16](repeating: 0, count: 72_000)
      try AudioFile.write(sound, to: "\(root)/\(index).wav")
    }
    let tree = try AudioTree([root])
    func stretches(_ seed: UInt64, threads: Int) throws -> [[Float]] {
      let bank = try NoiseBank(tree, seed: seed, threads: threads)
      return (0..<20).map { index in
        var random = RandomSource(seed: 1).stream(index)
        return bank.stretch(16_000, &random)
      }
    }
    let first = try stretches(1, threads: 1)
    #expect(try first == stretches(1, threads: 2))
    #expect(try (2...6).contains { try stretches($0, threads: 2) != first })
    #expect(first.count { Level.rms($0[...]) > 0.03 } >= 16)
    let silent = Self.folder()
    try AudioFile.write([Int16](repeating: 0, count: 1600), to: "\(silent)/0.wav")
    #expect(throws: EvaluationFault.nothingReadable(silent)) {
      try NoiseBank(try AudioTree([silent]), seed: 1, threads: 1)
    }
  }

  @Test func theNoiseHasRunForSecondsAndItsLoudestPartSetsTheRatio() {
    let tone = (0..<16_000).map { Float($0 < 8_000 ? 0.02 : 0.2) * sinf(0.3 * Float($0)) }
    let noise = Level.floats(Self.noise(7, level: 0.05, seed: 3))
    let mixed = Level.floats(RunningNoise.mix(Level.integers(tone), noise, ratio: 10))
    #expect(mixed.count == 112_000 && RunningNoise.lead == 96_000)
    let lead = mixed[..<96_000]
    // White noise is about as loud everywhere: its loudest 128 ms are 10 dB below those of the tone.
    let ratio = Level.decibels(Level.loudest(tone[...])) - Level.decibels(Level.rms(lead))
    #expect(abs(ratio - 10) < 1, "\(ratio)")
    #expect(abs(Level.decibels(Level.loudest(tone[...])) - Level.decibels(Level.rms(tone[8_000...]))) < 0.1)
    let clean = RunningNoise.clean([1, 2, 3])
    #expect(
      clean.count == 96_003 && clean.suffix(3) == [1, 2, 3] && clean.prefix(96_000).allSatisfy { $0 == 0 })
  }

  @Test(arguments: [Float(0), 0.003, 0.02])
  func theDetectionWindowIsAroundTheWordsEnd(floor: Float) {
    var samples = Level.floats(Self.noise(3, level: floor, seed: 1))
    // 0.6 s of word, and a click before it.
    for index in 20_000..<29_600 { samples[index] += 0.2 * sinf(0.3 * Float(index)) }
    for index in 4000..<4030 { samples[index] = 0.9 }
    let window = DetectionWindow(Level.integers(samples)).range
    #expect(abs(window.lowerBound - 24_800) < 1200, "\(window)")
    #expect(window.contains(29_600) && window.upperBound < 29_600 + 20_000, "\(window)")
  }

  @Test func aClipCutToTheWordHasAWindow() {
    let window = DetectionWindow(Self.noise(0.5, level: 0.3, seed: 2)).range
    #expect(window.contains(8000) && window.lowerBound < 5000)
    #expect(!DetectionWindow([Int16](repeating: 0, count: 100)).range.isEmpty)
    #expect(!DetectionWindow([]).range.isEmpty)
  }

  @Test func scoresDoNotDependOnThreadsAndUnusableFilesAreReported() throws {
    let positives = Self.folder(["ann", "ben"])
    let negatives = Self.folder(["rain"])
    for (index, name) in ["ann/1", "ann/2", "ben/1"].enumerated() {
      try AudioFile.write(
        Self.noise(0.8, level: 0.1, seed: UInt64(index)), to: "\(positives)/\(name).wav")
    }
    try Files.write(Array("no audio".utf8), to: "\(positives)/ben/2.wav")
    for index in 0..<3 {
      try AudioFile.write(
        Self.noise(5, level: 0.02, seed: 20 + UInt64(index)), to: "\(negatives)/rain/\(index).wav")
    }
    symlink("\(positives)/ann/1.wav", "\(negatives)/same.wav")
    var settings = EvaluationSettings()
    settings.positives = [positives]
    settings.negatives = [negatives]
    settings.noise = [negatives]
    settings.snrs = [20, 5]
    settings.threads = 1
    let model = try Self.model()
    let scores = try Evaluator.run(model, settings)
    #expect(scores.conditions.map(\.name) == ["clean", "20 dB", "5 dB"])
    #expect(scores.conditions[0].recordings.map(\.group) == ["ann", "ann", "ben"])
    #expect(scores.conditions[0].recordings.map(\.score) != scores.conditions[2].recordings.map(\.score))
    #expect(scores.streams.map(\.source) == ["rain", "rain", "rain"])
    #expect(scores.streams.allSatisfy { $0.seconds == 5 && !$0.peaks.isEmpty })
    #expect(scores.unreadable == ["\(positives)/ben/2.wav"])
    #expect(scores.contradictory == ["\(negatives)/same.wav"])
    #expect(scores.trainedOn.isEmpty)
    settings.threads = 2
    let again = try Evaluator.run(model, settings)
    #expect(again.conditions.map(\.recordings) == scores.conditions.map(\.recordings))
    #expect(again.streams.map(\.peaks) == scores.streams.map(\.peaks))
  }

  @Test func evaluationOnTrainingDataIsReported() throws {
    let positives = Self.folder()
    let negatives = Self.folder()
    try AudioFile.write(Self.noise(0.8, level: 0.1, seed: 1), to: "\(positives)/1.wav")
    try AudioFile.write(Self.noise(2, level: 0.1, seed: 2), to: "\(negatives)/1.wav")
    let plain = try Self.model()
    let model = try HotwordModel(
      name: plain.name, phrase: plain.phrase, frontEnd: plain.frontEnd, features: plain.features,
      networks: plain.networks, decision: plain.decision,
      training: ["command": .string("hotword train random --positives \(positives) --seed 1")])
    var settings = EvaluationSettings()
    settings.positives = [positives]
    settings.negatives = [negatives]
    #expect(try Evaluator.run(model, settings).trainedOn == [positives])
  }

  @Test func foldersOfTheTrainingCommandAreReadAsByAShell() {
    let command =
      #"hotword train 'it'\''s me' --positives '/my clips' --negatives=/other --steps 5 --missed /m"#
    #expect(TrainingCommandLine.words(of: command)[2] == "it's me")
    #expect(Set(TrainingCommandLine.folders(of: command)) == ["/my clips", "/other", "/m"])
  }
}
