import Platform
import TestServers
import Testing
import Training

@Suite(.limited(minutes: 15)) struct PhraseSearchTests {
  private let outputs = Phoneme.allCases.count

  /// Returns logits of an encoder with one certain sound per step.
  private func logits(_ sounds: [(Phoneme, Int)], doubt: Float = 0) -> [Float] {
    sounds.flatMap { sound, steps in
      (0..<steps).flatMap { _ in
        (0..<outputs).map { $0 == Int(sound.rawValue) ? 8 : $0 == Int(Phoneme.ah.rawValue) ? doubt : 0 }
      }
    }
  }

  private let cat: [[[Phoneme]]] = [[[.k, .ae, .t]]]

  @Test func thePhraseIsFoundWhereItIs() throws {
    let spoken = logits([(.silence, 10), (.k, 4), (.ae, 6), (.t, 3), (.silence, 12)])
    let search = try #require(PhraseSearch(spoken, outputs: outputs, readings: cat))
    #expect(search.steps == 10..<23 && search.score > -0.01)
    #expect(search.soundsBefore == 0 && search.soundsAfter == 0)
  }

  @Test func aPauseBetweenWordsIsAllowedAndOtherWordsAreCounted() throws {
    let spoken = logits([
      (.d, 3), (.ao, 4), (.g, 3), (.silence, 8), (.k, 4), (.ae, 6), (.silence, 5), (.t, 3), (.silence, 5),
      (.iy, 4),
    ])
    let search = try #require(PhraseSearch(spoken, outputs: outputs, readings: [[[.k, .ae], [.t]]]))
    #expect(search.steps == 18..<36 && search.score > -0.01)
    #expect(search.soundsBefore == 3 && search.soundsAfter == 1)
  }

  @Test func anotherWordScoresLowAndTheBestReadingCounts() throws {
    let spoken = logits([(.silence, 5), (.d, 4), (.ao, 6), (.g, 3), (.silence, 5)])
    let other = try #require(PhraseSearch(spoken, outputs: outputs, readings: cat))
    #expect(other.score < -4)
    let both = try #require(PhraseSearch(spoken, outputs: outputs, readings: cat + [[[.d, .ao, .g]]]))
    #expect(both.score > -0.01 && both.steps == 5..<18)
  }

  @Test func aPhraseTooLongForTheSpeechIsNotFound() {
    #expect(PhraseSearch(logits([(.k, 3)]), outputs: outputs, readings: cat) == nil)
    #expect(PhraseSearch([], outputs: outputs, readings: cat) == nil)
    #expect(PhraseSearch(logits([(.k, 9)]), outputs: outputs, readings: []) == nil)
  }
}

@Suite(.limited(minutes: 15)) struct ClipChoiceTests {
  private func clip(_ score: Double?, before: Int = 0) -> ClipCheck.Clip {
    ClipCheck.Clip(
      samples: [Int16](repeating: 0, count: 32_000), word: 1000..<9000,
      search: score.map { PhraseSearch(steps: 5..<40, score: $0, soundsBefore: before, soundsAfter: 0) })
  }

  @Test func otherWordsAndMoreWordsAreLeftOut() {
    let good = [ClipCheck.Clip?](repeating: clip(-0.5), count: 5)
    let choice = ClipCheck.choose(good + [clip(-9), clip(nil), clip(-0.5, before: 12), nil])
    #expect(choice.flaws == [nil, nil, nil, nil, nil, .otherWord, .otherWord, .moreWords, nil])
    #expect(choice.note == nil)
  }

  @Test func aPhraseThatFitsItsSpellingPoorlyIsComparedWithItself() {
    let choice = ClipCheck.choose([clip(-2.6), clip(-2.8), clip(-4.4), clip(-2.4), clip(-5)])
    #expect(choice.flaws == [nil, nil, nil, nil, .otherWord])
  }

  @Test func whereMostSoundOtherwiseThePronunciationIsDoubtedInstead() {
    let choice = ClipCheck.choose([clip(-9), clip(-8), clip(-0.5)])
    #expect(choice.flaws == [nil, nil, nil])
    #expect(choice.note?.contains("--pronunciation") == true)
  }
}
