import Detection
import Platform
import TestServers
import Testing
import Training

@Suite(.limited(minutes: 15)) struct FitCrossEntropyTests {
  @Test func theGradientMatchesFiniteDifferencesAndUnlabelledStepsHaveNone() {
    var random = RandomSource(seed: 1)
    let outputs = 5
    let classes: [UInt8] = [3, Target.unlabelled, 0, 4]
    let logits = (0..<classes.count * outputs).map { _ in random.uniform(-2...2) }
    func loss(_ logits: [Float]) -> (value: Double, slope: [Float]) {
      var slope = [Float](repeating: .nan, count: logits.count)
      let value = CrossEntropy.window(
        logits, outputs: outputs, classes: classes[...], scale: 2, gradient: &slope)
      return (value, slope)
    }
    let slope = loss(logits).slope
    for index in logits.indices {
      var above = logits
      var below = logits
      above[index] += 0.01
      below[index] -= 0.01
      let expected = 2 * (loss(above).value - loss(below).value) / 0.02
      #expect(abs(Double(slope[index]) - expected) < 1e-3)
    }
    #expect(slope[outputs..<2 * outputs].allSatisfy { $0 == 0 })
  }

  @Test func uniformLogitsHaveTheLogarithmOfTheirNumberAsLoss() {
    var slope = [Float](repeating: 0, count: 8)
    let loss = CrossEntropy.window(
      [Float](repeating: 3, count: 8), outputs: 8, classes: [5], scale: 1, gradient: &slope)
    #expect(abs(loss - 2.0794) < 1e-3)
  }

  @Test func aFitLearnsTheClassOfEachStep() throws {
    struct Source: BatchSource {
      func batch(_ index: Int) -> Batch {
        var random = RandomSource(seed: 9).stream(index)
        var features: [Float] = []
        var targets: [Target] = []
        for _ in 0..<16 {
          var classes: [UInt8] = []
          for _ in 0..<20 {
            let label = UInt8(random.next() % 3)
            classes.append(label)
            features += (0..<4).map { ($0 == Int(label) ? 1 : 0) + 0.2 * random.uniform(-1...1) }
          }
          targets.append(.classes(classes))
        }
        return Batch(
          count: 16, frames: 20, features: features, targets: targets,
          weights: [Float](repeating: 1, count: 16))
      }
    }
    let shape = try NetworkShape(
      inputs: 4, stemKernel: 1, stride: 1, channels: 8, kernel: 3, dilations: [1], outputs: 3)
    let weights = Fit.run(shape: shape, source: Source(), settings: FitSettings(steps: 120, seed: 1)).weights
    let batch = Source().batch(1000)
    let logits = NetworkScorer.logits(weights, features: Array(batch.features.prefix(80)))
    guard case .classes(let classes) = batch.targets[0] else { return #expect(Bool(false)) }
    var right = 0
    for step in 0..<20 {
      let row = logits[3 * step..<3 * step + 3]
      if row.firstIndex(of: row.max()!)! - 3 * step == Int(classes[step]) { right += 1 }
    }
    #expect(right >= 19)
  }
}
