import Detection
import Glibc
import Platform
import TestServers
import Testing

@Suite(.limited) struct PhrasePathTests {
  private let outputs = 6

  /// Logits that are sure of each of `sounds` for three steps.
  private func said(_ sounds: [Int], sure: Float = 5) -> [Float] {
    sounds.flatMap { sound in
      (0..<3).flatMap { _ in (0..<outputs).map { $0 == sound ? sure : 0 } }
    }
  }

  private func scores(_ path: PhrasePath, _ logits: [Float]) -> [Float] {
    logits.withUnsafeBufferPointer { all in
      stride(from: 0, to: all.count, by: outputs).map {
        path.push(UnsafeBufferPointer(rebasing: all[$0..<$0 + outputs]))
      }
    }
  }

  @Test func thePhraseCostsNothingAndItsEndCountsForTheSpan() {
    let path = PhrasePath(
      PhrasePathSettings(pronunciations: [[1, 2, 3]], weight: 2, span: 4), readsScores: false)
    let found = scores(path, said([0, 1, 2, 3, 0, 0, 0]))
    #expect(found[0] == -8)
    // The third sound has its two states at the second of its steps.
    #expect(found[10] == 0 && found[11] == 0)
    #expect(found[11 + 4] == 0)
    #expect(found[11 + 5] < -0.5)
  }

  @Test func anotherPhonemeCostsItsDistanceFromTheMostLikelyOne() {
    let settings = PhrasePathSettings(pronunciations: [[1, 2, 3]], weight: 1, span: 0)
    let other = scores(PhrasePath(settings, readsScores: false), said([1, 4, 3])).max()!
    // Two of six steps or more cost five each.
    #expect(other <= -5.0 / 3 && other >= -5)
    let second = PhrasePathSettings(pronunciations: [[1, 2, 3], [1, 4, 3]], weight: 1, span: 0)
    #expect(scores(PhrasePath(second, readsScores: false), said([1, 4, 3])).max() == 0)
  }

  @Test func anUnsureEncoderCostsTheNegativeLogarithmOfTheScaledLikelihood() {
    let sounds = SoundScores(offsets: [1, 0, 0, 0, 0, -1])
    let sum = sounds.offsets.reduce(0) { $0 + exp(-$1) }
    let logits = [Float](repeating: 0, count: 3 * outputs)
    for (sound, cost) in [(1, log(sum)), (5, log(sum) - 1)] {
      let settings = PhrasePathSettings(pronunciations: [[sound]], weight: 1, span: 0)
      let found = scores(PhrasePath(settings, readsScores: true), sounds.scores(of: logits))
      #expect(abs(found[2] + cost) < 1e-5)
      // What is certainly another sound costs no more than the limit.
      let other = sounds.scores(of: said([2], sure: 50))
      #expect(scores(PhrasePath(settings, readsScores: true), other)[2] == -8)
    }
  }

  @Test func modelsOfAnEarlierVersionHaveTheOffsetsInThePath() {
    let offsets: [Float] = [1, 0, 0, 0, 0, -1]
    var settings = PhrasePathSettings(pronunciations: [[1, 2], [5]], weight: 2, span: 3)
    let logits = said([0, 1, 2, 5, 3, 1])
    let now = scores(
      PhrasePath(settings, readsScores: true), SoundScores(offsets: offsets).scores(of: logits))
    settings.offsets = offsets
    #expect(scores(PhrasePath(settings, readsScores: false), logits) == now)
  }

  @Test func resetForgetsTheStream() {
    let settings = PhrasePathSettings(pronunciations: [[1, 2], [3]], weight: 1, span: 9)
    let path = PhrasePath(settings, readsScores: false)
    let first = scores(path, said([0, 1, 2, 3, 4]))
    path.reset()
    #expect(scores(path, said([0, 1, 2, 3, 4])) == first)
  }

  @Test func settingsSurviveJSONAndInvalidOnesAreRejected() throws {
    let encoder = try smallEncoder()
    var settings = PhrasePathSettings(pronunciations: [[1, 2], [3]], weight: 2.5, span: 7)
    #expect(try PhrasePathSettings(json: settings.json) == settings)
    // Models of earlier versions have none.
    let earlier: JSON = ["pronunciations": settings.json["pronunciations"]!, "weight": 2.5, "span": 7]
    #expect(try PhrasePathSettings(json: earlier) == settings)
    settings.offsets = (0..<encoder.shape.outputs).map { 0.5 - Float($0) }
    #expect(try PhrasePathSettings(json: settings.json) == settings)
    #expect(try smallModel(encoder: encoder, path: settings).path == settings)
    for bad in [
      PhrasePathSettings(pronunciations: []), PhrasePathSettings(pronunciations: [[]]),
      PhrasePathSettings(pronunciations: [[12]]), PhrasePathSettings(pronunciations: [[-1]]),
      PhrasePathSettings(pronunciations: [[1]], span: 256),
      PhrasePathSettings(pronunciations: [[1]], weight: .infinity),
      PhrasePathSettings(pronunciations: [[1]], offsets: [0]),
      PhrasePathSettings(
        pronunciations: [[1]], offsets: [Float](repeating: .nan, count: encoder.shape.outputs)),
    ] {
      #expect(throws: DetectionFault.self) { try smallModel(encoder: encoder, path: bad) }
    }
    #expect(throws: DetectionFault.self) { try smallModel(path: settings) }
  }
}
