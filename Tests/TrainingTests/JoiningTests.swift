import Platform
import Testing

@testable import Training

@Suite(.limited(minutes: 1)) struct JoiningTests {
  private static let outputs = Phoneme.allCases.count

  /// A stream that says `sounds`, each for four steps, with outputs that tell which sound it is.
  private static func stream(_ sounds: [Phoneme], isHeldOut: Bool = false) -> FeatureStream {
    let labels = sounds.flatMap { [UInt8](repeating: $0.rawValue, count: 4) }
    let features = labels.flatMap { label in (0..<outputs).map { Float16($0 == Int(label) ? 9 : 0) } }
    var stream = FeatureStream(kind: .speech, features: features, vectors: labels.count, word: nil)
    stream.sounds = labels
    stream.heldOut = isHeldOut ? .always : .no
    return stream
  }

  private static func said(_ stream: FeatureStream, _ steps: Range<Int>) -> [Phoneme] {
    var said: [Phoneme] = []
    for step in steps {
      let row = stream.features[step * outputs..<(step + 1) * outputs]
      let sound = Phoneme(rawValue: UInt8(row.firstIndex(of: row.max()!)! - row.startIndex))!
      if sound != said.last { said.append(sound) }
    }
    return said
  }

  /// "pat", "tap", "it" and random words between pauses; without the sound zh.
  private static let sources: [FeatureStream] = {
    var random = RandomSource(seed: 9)
    let all = Phoneme.allCases.filter { $0 != .silence && $0 != .zh }
    return (0..<12).map { _ in
      var sounds: [Phoneme] = [.silence]
      for _ in 0..<8 {
        sounds += [.p, .ae, .t, .silence, .t, .ae, .p, .silence, .ih, .t, .silence]
        sounds += (0..<12).map { _ in all[Int(random.next() % UInt64(all.count))] } + [.silence]
      }
      return stream(sounds)
    }
  }()

  private static var settings: TrainingSettings {
    var settings = TrainingSettings(phrase: "test")
    settings.joinedPositives = 60
    settings.joinedNegatives = 60
    return settings
  }

  @Test(arguments: [[Phoneme.t, .ae, .t], [.p, .ih, .t], [.p, .ae, .t]])
  func aPhraseIsJoinedFromTheSoundsOfOtherWords(reading: [Phoneme]) {
    let lookAhead = 2
    let streams = JoinedSpeech(Self.sources, lookAhead: lookAhead).streams(
      of: [[reading]], Self.settings, window: 90)
    let phrases = streams.filter { $0.kind == .joinedKeyword }
    #expect(phrases.count == 60)
    for stream in phrases {
      let word = stream.word!
      #expect(stream.vectors >= 128)
      #expect(stream.features.count == stream.vectors * Self.outputs)
      // The encoder tells a sound after it was said; at another pace the ends are between two steps.
      let steps = word.lowerBound + lookAhead - 2..<word.upperBound + lookAhead
      let said = Self.said(stream, steps)
      #expect(said.first == .silence && said.dropFirst().elementsEqual(reading), "\(said)")
    }
    let others = streams.filter { $0.kind == .similar }
    #expect(others.count > 30)
    #expect(others.allSatisfy { $0.word == nil })
  }

  /// "t ae" and "p ih": parts of both words alone, among others.
  @Test func wordsOfThePhraseAreJoinedWithoutTheOthers() {
    let streams = JoinedSpeech(Self.sources, lookAhead: 0).streams(
      of: [[[.t, .ae], [.p, .ih, .t]]], Self.settings, window: 90)
    let said = streams.filter { $0.kind == .similar }.map { Self.said($0, 0..<$0.vectors) }
    func count(_ wanted: [Phoneme]) -> Int {
      said.count { sounds in sounds.indices.contains { sounds[$0...].starts(with: wanted) } }
    }
    #expect(count([.silence, .t, .ae]) > 3)
    #expect(count([.p, .ih, .t, .silence]) > 5)
    #expect(count([.silence, .t, .ae, .p, .ih, .t, .silence]) == 0)
  }

  @Test func theSameSeedJoinsTheSamePieces() {
    let joined = JoinedSpeech(Self.sources, lookAhead: 0)
    func features(_ seed: UInt64) -> [[Float16]] {
      var settings = Self.settings
      settings.seed = seed
      return joined.streams(of: [[[.t, .ae, .t]]], settings, window: 90).map(\.features)
    }
    #expect(features(1) == features(1))
    #expect(features(1) != features(2))
  }

  @Test func nothingIsJoinedFromHeldOutSpeechOrWithoutASound() {
    let heldOut = Self.sources.map { stream in
      var stream = stream
      stream.heldOut = .always
      return stream
    }
    #expect(
      JoinedSpeech(heldOut, lookAhead: 0).streams(of: [[[.t, .ae, .t]]], Self.settings, window: 90).isEmpty)
    let without = JoinedSpeech(Self.sources, lookAhead: 0).streams(
      of: [[[.t, .zh, .t]]], Self.settings, window: 90)
    #expect(without.isEmpty)
  }

  @Test func bandsAreJoinedFromAllRecordingsAndOutputsFromEquallyClearOnes() {
    // Each says a part of "pat" alone, so that no two of them have the same sounds.
    let parts: [[Phoneme]] = [[.p, .ae], [.ae, .t], [.t]]
    let sources = parts.map { part in
      Self.stream(Array([[Phoneme]](repeating: [.silence] + part, count: 40).joined()) + [.silence])
    }
    let reading = [[Phoneme.p, .ae, .t]]
    var random = RandomSource(seed: 2)
    let bands = JoinedSpeech(bands: sources)
    for _ in 0..<20 {
      let phrase = bands.utterance(of: [reading], isPhrase: true, least: 90, &random)
      #expect(phrase.map { Self.said($0.stream, $0.said).filter { $0 != .silence } } == reading[0])
    }
    let outputs = JoinedSpeech(sources, lookAhead: 0)
    #expect(outputs.utterance(of: [reading], isPhrase: true, least: 90, &random) == nil)
  }

  /// Each sound of the sources lasts one step, so that halves are empty.
  @Test func soundsOfOneStepAreJoinedOrLeftOut() {
    let short = Self.sources.map { stream in
      let steps = Swift.stride(from: 0, to: stream.vectors, by: 4)
      var one = FeatureStream(
        kind: .speech,
        features: steps.flatMap { stream.features[$0 * Self.outputs..<($0 + 1) * Self.outputs] },
        vectors: stream.vectors / 4, word: nil)
      one.sounds = steps.map { stream.sounds[$0] }
      return one
    }
    for reading: [Phoneme] in [[.t], [.oe], [.oe, .ue, .kh], [.p, .ih, .t]] {
      for stream in JoinedSpeech(short, lookAhead: 1).streams(of: [[reading]], Self.settings, window: 30) {
        #expect(stream.features.count == stream.vectors * Self.outputs)
        #expect(stream.word.map { $0.upperBound <= stream.vectors } ?? true)
      }
    }
  }

  /// Two of five networks learn without joined speech.
  @Test(arguments: [Float(0), 1]) func joinedSpeechIsDrawnOnlyWhereItIsWanted(share: Float) {
    func stream(_ kind: FeatureStream.Kind, _ value: Float16) -> FeatureStream {
      FeatureStream(
        kind: kind, features: [Float16](repeating: value, count: 90), vectors: 90,
        word: kind.isPhrase ? 30..<50 : nil)
    }
    let bank = FeatureBank(
      streams: [
        stream(.syntheticKeyword, 1), stream(.joinedKeyword, 2), stream(.similar, 3), stream(.speech, 4),
      ],
      coefficients: 1, hop: 2, windowVectors: 60)
    let windows = TrainingWindows(
      bank, realPositives: 0, evaluation: nil, batchSize: 64, stride: 1, seed: 3, joined: share)
    let values = Set(windows.batch(0).features).subtracting([0])
    #expect(values == (share == 0 ? [1, 4] : [2, 3, 4]))
  }

  /// A hidden sound is at its lowest throughout the window, but for the gaps at 0.
  @Test func upToTwelveSoundsAreHiddenInSixOfTenWindowsAndSilenceNever() {
    let width = Self.outputs
    let values = (0..<90).flatMap { [Float16](repeating: $0 % 2 == 0 ? -4 : 4, count: width) }
    func stream(_ kind: FeatureStream.Kind) -> FeatureStream {
      FeatureStream(kind: kind, features: values, vectors: 90, word: kind.isPhrase ? 30..<50 : nil)
    }
    let bank = FeatureBank(
      streams: [stream(.syntheticKeyword), stream(.speech)], coefficients: width, hop: 2, windowVectors: 60)
    let windows = TrainingWindows(bank, realPositives: 0, evaluation: nil, batchSize: 400, stride: 1, seed: 3)
    let features = windows.batch(0).features
    var counts: [Int] = []
    for start in stride(from: 0, to: features.count, by: 60 * width) {
      func values(_ sound: Int) -> Set<Float> {
        Set((0..<60).map { features[start + $0 * width + sound] }).subtracting([0])
      }
      let silence = values(0)
      #expect(silence.count > 1)
      let hidden = (1..<width).filter { values($0).count == 1 }
      // A gap may have taken the step in which silence was lowest.
      #expect(hidden.allSatisfy { values($0).first! <= silence.min()! })
      #expect(Set(hidden.flatMap(values)).count <= 1)
      counts.append(hidden.count)
    }
    #expect(counts.max()! <= 12 && counts.max()! > 8)
    let share = Double(counts.count { $0 > 0 }) / Double(counts.count)
    #expect(abs(share - 0.6) < 0.1)
  }

  @Test func aPhraseIsFoundInSpeechAcrossPauses() {
    let stream = Self.stream([.silence, .hh, .ey, .silence, .t, .ae, .p])
    #expect(stream.says([.hh, .ey, .t, .ae, .p]))
    #expect(stream.says([.t, .ae, .p]))
    #expect(!stream.says([.ey, .ae]))
    #expect(!stream.says([.t, .ae, .p, .s]))
  }

  @Test(arguments: [[Phoneme.jh, .aa, .r, .v, .ah, .s], [.g, .ow], [.ay]])
  func similarReadingsDiffer(reading: [Phoneme]) {
    var random = RandomSource(seed: 4)
    for _ in 0..<200 {
      let similar = SimilarReading.of(reading, &random)
      #expect(!similar.isEmpty)
      #expect(similar != reading || reading.reversed() == reading)
    }
  }
}
