import Assistant
import Platform
import TestServers
import Testing

@Suite(.limited) struct EndOfSpeechTests {
  /// Frames of a room at `noise` dBFS, flagged voiced with the given probability.
  private func room(_ frames: Int, noise: Float, voiced: Float, _ random: inout RandomSource) -> [(
    Bool, Float
  )] {
    (0..<frames).map { _ in (random.chance(voiced), noise + random.uniform(-2...2)) }
  }

  /// Frames of speech: syllables of 180 ms at `level` with dips of 60 ms, flagged voiced in nine of ten frames.
  private func speech(_ frames: Int, level: Float, noise: Float, _ random: inout RandomSource) -> [(
    Bool, Float
  )] {
    (0..<frames).map { index in
      index % 24 < 18
        ? (random.chance(0.9), level + random.uniform(-4...4)) : (random.chance(0.5), max(noise, level - 18))
    }
  }

  /// The frame (counted from `begin`) and reason of the end.
  private func end(
    of frames: [(Bool, Float)], after before: [(Bool, Float)], _ settings: EndOfSpeechSettings = .init()
  ) -> (frame: Int, reason: EndOfSpeech.Reason)? {
    var detector = EndOfSpeech(settings)
    for (voiced, level) in before { #expect(detector.push(voiced: voiced, level: level) == .idle) }
    detector.begin()
    for (index, (voiced, level)) in frames.enumerated() {
      if case .ended(let reason) = detector.push(voiced: voiced, level: level) { return (index + 1, reason) }
    }
    return nil
  }

  @Test(arguments: [-70, -50, -35] as [Float])
  func endsFourFifthsOfASecondAfterTheLastWord(noise: Float) throws {
    var random = RandomSource(seed: 1)
    let before = room(200, noise: noise, voiced: 0.1, &random)
    let said = speech(174, level: -20, noise: noise, &random)
    let after = room(300, noise: noise, voiced: 0.1, &random)
    let found = try #require(end(of: said + after, after: before))
    #expect(found.reason == .silence)
    #expect(abs(found.frame - (174 + 80)) <= 10)
  }

  @Test func aPauseBetweenWordsDoesNotEndIt() throws {
    var random = RandomSource(seed: 2)
    let before = room(200, noise: -60, voiced: 0, &random)
    let said = speech(66, level: -25, noise: -60, &random)
    let pause = room(65, noise: -60, voiced: 0, &random)
    let found = try #require(
      end(of: said + pause + said + room(200, noise: -60, voiced: 0, &random), after: before))
    #expect(found.frame > 66 + 65 + 66)
  }

  @Test func noiseThatIsAlwaysFlaggedVoicedIsNoSpeech() throws {
    var random = RandomSource(seed: 3)
    let found = try #require(
      end(
        of: room(600, noise: -30, voiced: 1, &random), after: room(300, noise: -30, voiced: 1, &random)))
    #expect(found.reason == .noSpeech)
    #expect(found.frame == 400)
  }

  @Test func noiseThatRisesAfterTheSpeechHoldsItOpenForTwoSecondsAtMost() throws {
    var random = RandomSource(seed: 4)
    let before = room(200, noise: -60, voiced: 0, &random)
    let said = speech(120, level: -25, noise: -60, &random)
    let found = try #require(end(of: said + room(600, noise: -30, voiced: 1, &random), after: before))
    #expect(found.reason == .silence)
    #expect(found.frame < 120 + 80 + 200)
  }

  @Test func aClickIsNoSpeech() throws {
    var random = RandomSource(seed: 5)
    let before = room(200, noise: -60, voiced: 0, &random)
    let click: [(Bool, Float)] = [(true, -10), (true, -10)]
    let found = try #require(
      end(
        of: room(100, noise: -60, voiced: 0, &random) + click + room(600, noise: -60, voiced: 0, &random),
        after: before))
    #expect(found.reason == .noSpeech)
  }

  @Test func endlessSpeechIsCutAtTheCap() throws {
    var random = RandomSource(seed: 6)
    let before = room(200, noise: -60, voiced: 0, &random)
    let found = try #require(end(of: speech(2_000, level: -25, noise: -60, &random), after: before))
    #expect(found.reason == .tooLong)
    #expect(found.frame == 1_200)
  }

  @Test func speechBeforeBeginCountsWhenLookingBack() {
    var random = RandomSource(seed: 7)
    var detector = EndOfSpeech()
    for (voiced, level) in room(200, noise: -60, voiced: 0, &random)
      + speech(40, level: -25, noise: -60, &random)
    {
      _ = detector.push(voiced: voiced, level: level)
    }
    #expect(detector.begin(lookingBack: 40) == .speaking)
    #expect(detector.begin(lookingBack: 0) == .waiting)
  }

  @Test func levelsThatAreNoNumbersDoNoHarm() {
    var detector = EndOfSpeech()
    detector.begin()
    var last = EndOfSpeech.State.waiting
    for index in 0..<400 { last = detector.push(voiced: true, level: index % 2 == 0 ? .nan : -.infinity) }
    #expect(last == .ended(.noSpeech))
  }
}
