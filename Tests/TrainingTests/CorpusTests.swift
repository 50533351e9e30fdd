import AudioCapture
import Corpora
import Glibc
import PCM
import Platform
import TestServers
import Testing

@testable import Training

@Suite(.limited(minutes: 15)) struct CorpusTests {
  private func folder() -> String {
    PythonServer.temporaryFolder("corpus")
  }

  private func tone(_ seconds: Double, level: Float, noise: Float, seed: UInt64) -> [Float] {
    var random = RandomSource(seed: seed)
    return (0..<AudioFormat.samples(seconds)).map {
      level * sinf(0.3 * Float($0)) + noise * random.uniform(-1...1)
    }
  }

  @Test func theWordIsFoundBetweenClicksAndNoise() throws {
    var samples = tone(1, level: 0, noise: 0.004, seed: 1) + tone(0.6, level: 0.2, noise: 0.004, seed: 2)
    samples += tone(1.2, level: 0, noise: 0.004, seed: 3)
    // A click long after the word, louder than it.
    for index in 40_000..<40_100 { samples[index] = 0.7 }
    let word = try WordBoundary.find(Level.integers(samples))
    #expect(abs(word.lowerBound - 16_000) < 800, "\(word)")
    #expect(abs(word.upperBound - 25_600) < 800, "\(word)")
  }

  @Test func unusableRecordingsAreRejected() {
    #expect(throws: WordBoundary.Flaw.tooShort) { try WordBoundary.find([Int16](repeating: 0, count: 100)) }
    #expect(throws: WordBoundary.Flaw.silent) { try WordBoundary.find([Int16](repeating: 0, count: 16_000)) }
    #expect(throws: WordBoundary.Flaw.clipped) {
      try WordBoundary.find((0..<16_000).map { $0 / 20 % 2 == 0 ? 32_767 : -32_768 })
    }
  }

  @Test func sessionsStayTogether() throws {
    let root = folder()
    defer { _ = try? Subprocess(["rm", "-r", root]).run(timeout: 5) }
    mkdir("\(root)/word", 0o755)
    var table = "path\tsession\n"
    for index in 0..<20 {
      try AudioFile.write([Int16](repeating: 5, count: 1600), to: "\(root)/word/\(index).wav")
      table += "word/\(index).wav\t\(index / 4)\n"
    }
    try Files.write(Array(table.utf8), to: "\(root)/sessions.tsv")
    try Files.write([1], to: "\(root)/word/notes.txt")
    let found = try AudioFolder("\(root)/word/", use: "the phrase")
    #expect(found.clips.count == 20 && Set(found.clips.map(\.group)).count == 5)
    let held = Split.heldOut(found.clips.map(\.group), share: 0.2, salt: "x")
    #expect(held.count == 4)
    #expect(Set(held.map { found.clips[$0].group }).count == 1)
  }

  @Test func filesWithoutASpeakerInTheirNamesAreGroupsOfTheirOwn() throws {
    let root = folder()
    defer { _ = try? Subprocess(["rm", "-r", root]).run(timeout: 5) }
    for name in ["1.wav", "ann_nohash_0.wav"] {
      try AudioFile.write([Int16](repeating: 5, count: 1600), to: "\(root)/\(name)")
    }
    let found = try AudioFolder(root, use: "the phrase").clips
    #expect(found.map(\.group) == ["1.wav", "ann"] && found.map(\.isAlone) == [true, false])
  }

  @Test func theOnlyNoiseIsTrainedWith() throws {
    for name in ["room", "tv", "kitchen"] {
      let root = folder()
      defer { _ = try? Subprocess(["rm", "-r", root]).run(timeout: 5) }
      try AudioFile.write([Int16](repeating: 5, count: 16_000), to: "\(root)/\(name).wav")
      let noise = try NoiseRecordings([root], threads: 1)
      #expect(noise.training.count == 1 && noise.heldOut.isEmpty, "\(name)")
    }
  }

  /// Creates recordings of twelve speakers, each of the phrase and of another word, in three layouts.
  private func corpora(_ root: String) throws -> [String] {
    var validated = "client_id\tpath\tsentence\n"
    var (scp, text, speakers) = ("", "", "")
    let folders = ["voice/clips", "words/computer", "words/house", "kaldi"].map { "\(root)/\($0)" }
    for folder in folders { try Files.createFolder(folder) }
    for index in 0..<24 {
      let (who, word) = ("speaker\(index / 2)", index % 2 == 0 ? "computer" : "house")
      try Files.write([1], to: "\(root)/voice/clips/\(index).wav")
      try Files.write([1], to: "\(root)/words/\(word)/\(who)_nohash_0.wav")
      validated += "\(who)\t\(index).wav\t\(word)\n"
      scp += "u\(index) ../voice/clips/\(index).wav\n"
      text += "u\(index) \(word)\n"
      speakers += "u\(index) \(who)\n"
    }
    for (name, table) in [
      ("voice/validated.tsv", validated), ("kaldi/wav.scp", scp), ("kaldi/text", text),
      ("kaldi/utt2spk", speakers), ("words/testing_list.txt", "house/speaker3_nohash_0.wav\n"),
      ("words/validation_list.txt", "computer/speaker5_nohash_0.wav\nhouse/speaker7_nohash_0.wav\n"),
    ] { try Files.write(Array(table.utf8), to: "\(root)/\(name)") }
    return ["voice", "words", "kaldi"].map { "\(root)/\($0)" }
  }

  @Test func noSpeakerIsInBothTrainingAndHeldOutData() throws {
    let root = folder()
    defer { _ = try? Subprocess(["rm", "-r", root]).run(timeout: 5) }
    for path in try corpora(root) {
      let phrase = try AudioFolder(path, use: "x", as: .phrase("computer")).clips
      let others = try AudioFolder(path, use: "x", as: .others(than: "computer")).clips
      let isWords = path.hasSuffix("words")
      #expect(phrase.count == (isWords ? 11 : 12) && others.count == phrase.count, "\(path)")
      let held = Split.heldOut(
        phrase.map(\.group), assignments: phrase.map(\.isHeldOut), share: 0.2, salt: "positives")
      let aside = Set(held.map { phrase[$0].group })
      let trained = Set(phrase.indices.filter { !held.contains($0) }.map { phrase[$0].group })
      #expect(!aside.isEmpty && aside.isDisjoint(with: trained), "\(path)")
      if isWords { #expect(aside == ["speaker5", "speaker7"] && !trained.contains("speaker3")) }
      #expect(others.allSatisfy { $0.isTranscribed })
    }
  }

  @Test func aGroupFollowsItsAssignment() {
    let groups = ["a", "a", "b", "c", "d", "e", "f"]
    let assignments: [Bool?] = [nil, true, false, nil, nil, nil, nil]
    for salt in ["x", "y", "z"] {
      let held = Split.heldOut(groups, assignments: assignments, share: 0.2, salt: salt)
      #expect(held.isSuperset(of: [0, 1]) && !held.contains(2))
    }
    #expect(
      Split.heldOut(groups, share: 0.2, salt: "x")
        == Split.heldOut(groups, assignments: [], share: 0.2, salt: "x")
    )
  }

  @Test func recordingsOfThePhraseAreNoNegativesHoweverTheirFolderIsSpelled() throws {
    let root = folder()
    defer { _ = try? Subprocess(["rm", "-r", root]).run(timeout: 5) }
    for name in ["yes", "no"] { try Files.createFolder("\(root)/\(name)") }
    let pause = [Float](repeating: 0, count: 8_000)
    for voice in ["m1", "m3", "m5", "f1", "f2", "f3"] {
      for (folder, text) in [("yes", "computer"), ("no", "the weather is nice today")] {
        let speech = try Synthesizer().speak(text, SynthesisVoice(.espeak("en-us+\(voice)"))).map { $0 * 0.4 }
        try AudioFile.write(Level.integers(pause + speech + pause), to: "\(root)/\(folder)/\(voice).wav")
      }
    }
    // A recording in which no word is found.
    try AudioFile.write([Int16](repeating: 0, count: 16_000), to: "\(root)/yes/silent.wav")
    try #require(symlink("yes", "\(root)/link") == 0)
    var settings = TrainingSettings(phrase: "computer")
    settings.synthesis = false
    settings.positives = ["\(root)/yes", "\(root)/./yes"]
    settings.negatives = ["\(root)/no/../link", "\(root)/no"]
    let corpus = try Corpus(settings, encoder: try PretrainedEncoder().encoder) { _ in }
    #expect((1...6).contains(corpus.allRecordings))
    #expect(corpus.allGroups == corpus.allRecordings)
    #expect((corpus.negatives + corpus.heldOutNegatives).count == 6)
    #expect(
      (corpus.negatives + corpus.heldOutNegatives).allSatisfy {
        $0.hasPrefix("\(root)/no/m") || $0.hasPrefix("\(root)/no/f")
      })
    #expect(corpus.leftOut.contains { $0.hasPrefix("7 negatives: recordings of the phrase") })
  }

  @Test func aCorpusWithoutThePhraseIsRejected() throws {
    let root = folder()
    defer { _ = try? Subprocess(["rm", "-r", root]).run(timeout: 5) }
    let path = try corpora(root)[0]
    #expect(throws: TrainingFault.phraseNotSaid(folder: path, phrase: "hello")) {
      try AudioFolder(path, use: "the phrase", as: .phrase("hello"))
    }
  }

  @Test func missingAndEmptyFoldersAreRejected() {
    let root = folder()
    defer { rmdir(root) }
    #expect(throws: CorpusFault.noFolder("/nowhere/at/all")) {
      try AudioFolder("/nowhere/at/all", use: "noise")
    }
    #expect(throws: TrainingFault.nothingReadable(folder: root, use: "noise")) {
      try AudioFolder(root, use: "noise")
    }
  }

  @Test func negativesWhosePathsContainThePhraseAreExcluded() {
    #expect(Split.containsPhrase(["computer"], in: "mycroft/heycomputer/en/1.wav"))
    #expect(Split.containsPhrase(["smart", "mirror"], in: "x/smart_mirror/1.wav"))
    #expect(!Split.containsPhrase(["cat"], in: "words/category/1.wav"))
    #expect(Split.containsPhrase(["cat"], in: "words/cat/1.wav"))
  }
}

@Suite(.limited(minutes: 15)) struct AugmenterTests {
  private let noise = NoiseSource(recordings: [], speech: [])

  @Test func theWordLiesWhereTheAugmenterReports() {
    let augmenter = Augmenter(noise: noise, speech: [])
    var random = RandomSource(seed: 5)
    var clear = 0
    for _ in 0..<40 {
      // Half a second of tone within silence.
      var samples = [Float](repeating: 0, count: 16_000)
      for index in 4000..<12_000 { samples[index] = 0.3 * sinf(0.25 * Float(index)) }
      let take = augmenter.keyword(samples, word: 4000..<12_000, least: 40_000, &random)
      let word = take.spans[0]
      #expect(take.samples.count - take.warmUp >= 40_000)
      #expect(word.lowerBound >= take.warmUp && word.upperBound <= take.samples.count)
      let inside = Level.rms(Level.floats(Array(take.samples[word]))[...])
      let before = Level.rms(Level.floats(Array(take.samples[..<word.lowerBound]))[...])
      if inside > 2 * before { clear += 1 }
    }
    #expect(clear > 25, "\(clear) of 40 stand out")
  }

  @Test func otherSpeechOftenFollowsInOneBreath() {
    let talk = (0..<32_000).map { $0 % 8_000 < 2_000 ? 0 : 0.3 * sinf(0.4 * Float($0)) }
    let phrase = (0..<8_000).map { 0.3 * sinf(0.25 * Float($0)) }
    func following(_ speech: [[Float]]) -> Int {
      let augmenter = Augmenter(noise: noise, speech: speech, noisyShare: 0)
      var random = RandomSource(seed: 7)
      return (0..<100).count { _ in
        let clip = augmenter.keyword(phrase, word: 0..<8_000, least: 40_000, &random)
        let samples = Level.floats(clip.samples)
        let end = clip.spans[0].upperBound
        return Level.rms(samples[end + 800..<end + 1_600]) > 0.3 * Level.rms(samples[clip.spans[0]])
      }
    }
    let withSpeech = following([talk])
    let reverberation = following([])
    #expect((18...42).contains(withSpeech - reverberation), "\(withSpeech) and \(reverberation) of 100")
  }

  @Test func levelsCoverTheRangeOfMicrophones() {
    let augmenter = Augmenter(noise: noise, speech: [])
    var random = RandomSource(seed: 6)
    let samples = (0..<32_000).map { 0.3 * sinf(0.25 * Float($0)) }
    let levels = (0..<60).map { _ in
      let clip = augmenter.background(samples, &random)
      return Level.decibels(Level.active(Level.floats(Array(clip.samples[clip.warmUp...]))))
    }
    #expect(levels.min()! < -38 && levels.min()! > -47)
    #expect(levels.max()! > -18 && levels.max()! < -10)
  }
}

@Suite(.limited(minutes: 15)) struct WarmUpTests {
  private let noise = NoiseSource(
    recordings: [(0..<16_000).map { 0.1 * sinf(0.7 * Float($0)) }], speech: [])
  private let tone = (0..<24_000).map { 0.3 * sinf(0.25 * Float($0)) }

  @Test func mostClipsFollowSecondsOfTheirOwnBackground() {
    let augmenter = Augmenter(noise: noise, speech: [], noisyShare: 1)
    var random = RandomSource(seed: 8)
    var warm = 0
    for _ in 0..<60 {
      let clip = augmenter.background(tone, spans: [0..<24_000], &random)
      guard clip.warmUp > 0 else { continue }
      warm += 1
      #expect(clip.warmUp % 160 == 0 && (48_000...128_000).contains(clip.warmUp))
      #expect(clip.spans[0].lowerBound == clip.warmUp)
      #expect(Level.rms(Level.floats(clip.samples)[..<clip.warmUp]) > 0)
    }
    #expect((42...58).contains(warm), "\(warm) of 60, 51 expected")
    let cold = Augmenter(noise: noise, speech: [], coldShare: 1)
    #expect(cold.background(tone, &random).warmUp == 0)
  }

  @Test func theFeaturesBeginAfterTheWarmUp() throws {
    let renderer = try FeatureRenderer(frontEnd: .standard, features: .standard)
    let clip = Augmenter.AugmentedClip(
      samples: [Int16](repeating: 0, count: 48_000) + Level.integers(tone), warmUp: 48_000,
      spans: [48_000..<72_000])
    let (features, spans) = try renderer.render(clip)
    let whole = try renderer.render(clip.samples)
    #expect(features == Array(whole.suffix(features.count)) && features.count == 150 * 40)
    let expected = renderer.vectors(of: 48_000..<72_000)
    let skipped = whole.count / 40 - 150
    #expect(spans == [expected.lowerBound - skipped..<expected.upperBound - skipped])
  }

  @Test func clipsOfASequenceLieWhereItReports() {
    let augmenter = Augmenter(noise: noise, speech: [], noisyShare: 0)
    var random = RandomSource(seed: 9)
    for _ in 0..<20 {
      let clips = (0..<3).map { _ in (samples: tone, spans: [0..<24_000]) }
      let row = augmenter.sequence(clips, &random)
      #expect(row.spans.count == 3 && row.spans[0].lowerBound >= row.warmUp)
      #expect(zip(row.spans, row.spans.dropFirst()).allSatisfy { $0.upperBound <= $1.lowerBound })
      let levels = row.spans.map { Level.rms(Level.floats(Array(row.samples[$0]))[...]) }
      #expect(levels.min()! > 0.25 * levels.max()!)
    }
  }
}

@Suite(.limited(minutes: 15)) struct FeatureRendererTests {
  @Test func renderingDoesNotDependOnEarlierStreams() throws {
    let renderer = try FeatureRenderer(frontEnd: .standard, features: .standard)
    var random = RandomSource(seed: 7)
    let samples = Level.integers((0..<16_000).map { _ in random.uniform(-0.2...0.2) })
    let first = try renderer.render(samples)
    _ = try renderer.render(samples.reversed(), warp: 1.05)
    #expect(try renderer.render(samples) == first)
    #expect(first.count == 98 * 40)
  }

  @Test func vectorRangesMatchThePositionOfASound() throws {
    let renderer = try FeatureRenderer(frontEnd: .bypass, features: .standard)
    var samples = [Int16](repeating: 0, count: 32_000)
    for index in 16_000..<20_000 { samples[index] = Int16(8000 * sinf(0.25 * Float(index))) }
    let features = try renderer.render(samples)
    let range = renderer.vectors(of: 16_000..<20_000)
    let level = (0..<features.count / 40).map { Float(features[$0 * 40]) }
    #expect(level[range.lowerBound - 3] < level[range.lowerBound + 3] - 6)
    #expect(level[range.upperBound + 4] < level[range.upperBound - 3] - 6)
  }
}
