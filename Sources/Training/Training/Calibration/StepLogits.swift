import Detection

/// A model's logits at each step of some audio.
package struct StepLogits: Sendable {
  /// Those of the networks and the verifier.
  package var first: [Float]
  /// Those of the second stage; empty without one.
  package var second: [Float] = []
  /// The limit and the weight of the second stage, once they are chosen.
  package var judgement: Judgement?

  /// What ``SecondStage`` does with both.
  package struct Judgement: Sendable {
    package let limit: Float
    package let weight: Float
  }

  package init(_ first: [Float]) { self.first = first }

  /// The logits of those of `steps` that there are.
  package subscript(steps: some RangeExpression<Int>) -> StepLogits {
    var part = self
    part.first = Array(first[steps.relative(to: 0..<Int.max).clamped(to: first.indices)])
    part.second = Array(second[steps.relative(to: 0..<Int.max).clamped(to: second.indices)])
    return part
  }

  /// Returns the logits by which a detector decides, with a smoothing over `steps`.
  package func smoothed(over steps: Int) -> [Float] {
    let logits = first.smoothed(over: steps)
    guard let judgement, !second.isEmpty else { return logits }
    return logits.indices.map { step in
      SecondStage.judged(
        logits[proposal(of: step, logits)], second[step], limit: judgement.limit, weight: judgement.weight)
    }
  }

  /// Returns the step that tells when a phrase that is detected at `step` ends.
  package func heard(at step: Int, smoothing: Int) -> Int {
    judgement == nil || second.isEmpty ? step : proposal(of: step, first.smoothed(over: smoothing))
  }

  /// Returns the last step with the highest of the logits that a second stage judges at `step`.
  private func proposal(of step: Int, _ logits: [Float]) -> Int {
    let span = max(0, step - SecondStage.hold + 1)...step
    return span.reversed().max { logits[$0] < logits[$1] }!
  }
}
