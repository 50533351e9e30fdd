import Detection
import Platform
import TestServers
import Testing
import Training

@Suite(.limited(minutes: 15)) struct NetworkScorerTests {
  private let shape = try! NetworkShape(channels: 21, dilations: [1, 2, 4, 8])

  @Test func chunksOfAnyLengthScoreLikeTheWholeClip() {
    let weights = randomNetwork(shape, seed: 1).folded()
    let features = randomWindows(1, frames: 1001, shape, seed: 2)[0]
    let expected = WholeClip.logits(weights, features: features, frames: 1001)
    for (chunk, piece) in [(256, 1001), (16, 1001), (64, 7), (5, 1), (3, 333)] {
      let scorer = NetworkScorer(weights, chunk: chunk)
      for _ in 0..<2 {
        var logits: [Float] = []
        for start in stride(from: 0, to: 1001, by: piece) {
          let range = start * shape.inputs..<min(1001, start + piece) * shape.inputs
          features[range].withUnsafeBufferPointer { scorer.score($0, into: &logits) }
        }
        #expect(logits.count == 500)
        #expect(difference(logits, expected) < 1e-4)
        scorer.reset()
      }
    }
  }

  @Test func scoresDoNotDependOnThreadsOrHalfPrecision() {
    let weights = randomNetwork(shape, seed: 3).folded()
    let half = randomWindows(1, frames: 4096, shape, seed: 4)[0].map { Float16($0) }
    let expected = NetworkScorer.logits(weights, features: half.map { Float($0) })
    #expect(difference(NetworkScorer.logits(weights, features: half, threads: 1), expected) == 0)
    #expect(difference(NetworkScorer.logits(weights, features: half, threads: 3), expected) < 1e-4)
  }

  @Test func theReceptiveFieldIsWhatALogitDependsOn() {
    let weights = randomNetwork(shape, seed: 5).folded()
    var features = randomWindows(1, frames: 400, shape, seed: 6)[0]
    let before = NetworkScorer.logits(weights, features: features)
    for index in 0..<shape.inputs { features[index] += 100 }
    let after = NetworkScorer.logits(weights, features: features)
    let changed = before.indices.filter { before[$0] != after[$0] }
    #expect(changed.last! < shape.receptiveSteps)
    #expect(changed.last! >= shape.receptiveSteps - 2)
  }

  /// Returns the largest difference relative to the largest value.
  private func difference(_ one: [Float], _ other: [Float]) -> Float {
    guard one.count == other.count else { return .infinity }
    let size = other.reduce(1) { max($0, abs($1)) }
    return zip(one, other).reduce(0) { max($0, abs($1.0 - $1.1)) } / size
  }
}
