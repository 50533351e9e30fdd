import Platform
import TestServers
import Testing
import Training

@Suite(.limited(minutes: 15)) struct FitLossTests {
  private static func variants() -> [LossSettings] {
    var smooth = LossSettings()
    smooth.dropBelow = 0
    smooth.smoothing = 5
    var many = LossSettings()
    many.hardSteps = 7
    many.hardSpacing = 3
    return [LossSettings(), smooth, many]
  }

  @Test(arguments: variants()) func theGradientMatchesFiniteDifferences(settings: LossSettings) {
    let loss = Loss(settings)
    var random = RandomSource(seed: 1)
    let held = (0..<80).map { _ in Double(random.uniform(-12...3)) }
    let targets: [Target] = [
      .background, .unchanged, .lowered, .keyword(startStep: 30, endStep: 50),
      .keyword(startStep: -5, endStep: 2),
      .keyword(startStep: 70, endStep: 85), .keyword(startStep: 0, endStep: 79),
    ]
    for target in targets {
      let logits = (0..<80).map { _ in Double(random.uniform(-3...3)) }
      let gradient = evaluate(loss, logits, target, held: held).gradient
      for step in logits.indices {
        var moved = logits
        moved[step] += 1e-6
        let above = evaluate(loss, moved, target, held: held).loss
        moved[step] -= 2e-6
        let slope = (above - evaluate(loss, moved, target, held: held).loss) / 2e-6
        #expect(abs(slope - gradient[step]) < 1e-6)
      }
    }
  }

  @Test func aKeywordsPeakCountsFromJustBeforeItsEnd() {
    let loss = Loss(LossSettings())
    for (step, counts) in [(46, false), (47, true), (60, true), (61, false)] {
      var logits = [Double](repeating: -20, count: 100)
      logits[step] = 10
      let value = evaluate(loss, logits, .keyword(startStep: 30, endStep: 50)).loss
      #expect((value < 0.01) == counts)
    }
  }

  @Test func aPeakOutsideOfTheWordIsAFalseAlarm() {
    let loss = Loss(LossSettings())
    for (step, isBackground) in [(29, true), (30, false), (65, false), (66, true)] {
      var logits = [Double](repeating: -20, count: 100)
      logits[50] = 10
      logits[step] = 8
      let gradient = evaluate(loss, logits, .keyword(startStep: 30, endStep: 50)).gradient
      #expect((gradient[step] > 0) == isBackground)
    }
  }

  @Test func unchangedWindowsKeepTheRelevantLogits() {
    let loss = Loss(LossSettings())
    let held = [-20.0, -20, -3, 2, -3]
    let gradient = evaluate(loss, [-15, -3, -3, 0, -12], .unchanged, held: held).gradient
    #expect(gradient[0] == 0 && gradient[2] == 0)
    #expect(gradient[1] > 0 && gradient[3] < 0 && gradient[4] < 0)
  }

  @Test func aLoweredFalseAlarmStopsWellBelowItsOriginalLogit() {
    let loss = Loss(LossSettings())
    for (held, gone) in [(4.0, -10.0), (-5, -15)] {
      var before = [Double](repeating: -30, count: 60)
      before[20] = held
      #expect(evaluate(loss, before, .lowered, held: before).gradient[20] > 0.5)
      var after = before
      after[20] = gone
      #expect(evaluate(loss, after, .lowered, held: before).gradient[20] < 0.05)
    }
  }

  @Test func hardStepsHaveAMinimumDistance() {
    let loss = Loss(LossSettings())
    var logits = [Double](repeating: -20, count: 100)
    for step in 40..<52 { logits[step] = 5 - 0.1 * Double(step - 40) }
    let gradient = evaluate(loss, logits, .background).gradient
    #expect(gradient.indices.filter { gradient[$0] > 0.1 } == [40, 50])
  }

  @Test func solvedWindowsHaveNoGradient() {
    let loss = Loss(LossSettings())
    let quiet = [Double](repeating: -9, count: 60)
    #expect(evaluate(loss, quiet, .background).gradient.allSatisfy { $0 == 0 })
    #expect(evaluate(loss, [], .background).loss == 0)
    let outside = evaluate(loss, quiet, .keyword(startStep: 100, endStep: 120))
    #expect(outside.parts.positive == nil)
  }

  @Test func theNegativeWeightRampsGeometrically() {
    var settings = LossSettings()
    settings.negativeWeightStart = 1
    settings.negativeWeightEnd = 16
    settings.negativeWeightRamp = 0.5
    let loss = Loss(settings)
    #expect(loss.negativeWeight(step: 0, of: 100) == 1)
    #expect(abs(loss.negativeWeight(step: 25, of: 100) - 4) < 1e-9)
    #expect(abs(loss.negativeWeight(step: 90, of: 100) - 16) < 1e-9)
  }

  private func evaluate(
    _ loss: Loss, _ logits: [Double], _ target: Target, held: [Double] = []
  ) -> (loss: Double, gradient: [Double], parts: Loss.Parts) {
    var gradient = [Double](repeating: 1, count: logits.count)
    let parts = logits.withUnsafeBufferPointer { logits in
      gradient.withUnsafeMutableBufferPointer {
        loss.window(
          logits, target: target, held: held[...], negativeWeight: 2.5, scale: 1, gradient: $0)
      }
    }
    return (loss.total(parts, negativeWeight: 2.5), gradient, parts)
  }
}
