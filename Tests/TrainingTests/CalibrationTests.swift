import Evaluation
import Glibc
import Platform
import TestServers
import Testing

@testable import Training

@Suite(.limited) struct CalibrationTests {
  @Test func fewerFalseAlarmsAreAllowedThanAreExpectedElsewhere() throws {
    let scores = scores()
    let decision = try Calibration(scores, model: scores, stride: 2).decision
    let threshold = -decision.offset / decision.scale
    let alarms = Calibration.alarms(scores, Calibration.fittedSmoothing)
    #expect(abs(alarms.rate(at: threshold) - 0.5 / 1.7) < 0.03)
  }

  @Test func theCurveHasTheRatesThatAreExpectedElsewhere() throws {
    let scores = scores()
    let calibration = try Calibration(scores, model: scores, stride: 2)
    let point = try #require(calibration.curve.points.first { abs($0.falseAlarmsPerHour - 0.5) < 1e-6 })
    #expect(abs(point.threshold - calibration.decision.threshold) < 1e-6)
  }

  /// Three hours with a peak in each minute, their heights exponential, and utterances far above.
  private func scores() -> HeldOutScores {
    var random = RandomSource(seed: 4)
    var scores = HeldOutScores(delay: 0)
    for minute in 0..<180 {
      var logits = [Float](repeating: -20, count: 3_000)
      let height = -2 * log(random.uniform(0.001...1)) - 10
      for step in 1_500..<1_510 { logits[step] = height }
      scores.negatives.append(.init(name: "\(minute)", source: "a", seconds: 60, logits: StepLogits(logits)))
    }
    for index in 0..<20 {
      var logits = [Float](repeating: -20, count: 200)
      for step in 100..<110 { logits[step] = 15 }
      scores.clean.append(
        .init(name: "\(index)", group: "a", logits: StepLogits(logits), wordEnd: 32_000, wordLength: 9_600))
    }
    scores.noisy = scores.clean
    return scores
  }
}
