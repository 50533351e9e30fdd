import Glibc

/// The loss of one window's logits, and its gradient.
///
/// The highest step around a keyword's end should be high: `softplus(-z)`; the steps well outside the word
/// are background. Background should be low at its hardest steps, peaks with a minimum distance: the mean of
/// their `softplus(z)`, times the current negative weight. The maximum is pooled as in wekws; the choice of
/// hard examples follows Liu et al., "Metadata-aware end-to-end keyword spotting", 2020. All sums are in
/// double precision.
public struct Loss: Sendable {
  public let settings: LossSettings

  public init(_ settings: LossSettings) { self.settings = settings }

  /// The loss of one window.
  public struct Parts: Sendable, Equatable {
    /// The loss of the keyword; nil for windows without one.
    public var positive: Double?
    /// The mean unweighted loss of the hardest background steps; nil if there are none.
    public var negative: Double?
    /// The weighted loss of a change; nil for windows that may change.
    public var change: Double?
  }

  /// Returns the weight of background at `step` of `steps`: a geometric ramp.
  public func negativeWeight(step: Int, of steps: Int) -> Double {
    let ramp = Double(steps) * Double(settings.negativeWeightRamp)
    let part = ramp > 0 ? min(1, Double(step) / ramp) : 1
    return Double(settings.negativeWeightStart)
      * pow(Double(settings.negativeWeightEnd) / Double(settings.negativeWeightStart), part)
  }

  /// Returns the loss of a window and writes its gradient times `scale` over `gradient` (one value per
  /// logit).
  ///
  /// - Parameter held: the logits of the network at the start of the fit, for ``Target/unchanged`` and
  ///   ``Target/lowered``.
  package func window(
    _ logits: UnsafeBufferPointer<Double>, target: Target, held: ArraySlice<Double> = [],
    negativeWeight: Double, scale: Double, gradient: UnsafeMutableBufferPointer<Double>
  ) -> Parts {
    if target == .unchanged { return unchanged(logits, held, scale: scale, gradient) }
    if case .outputs(let outputs) = target {
      return unchanged(logits, outputs.map { Double($0) }[...], scale: scale, gradient)
    }
    if target == .lowered { return lowered(logits, held, scale: scale * negativeWeight, gradient) }
    guard settings.smoothing > 1 else {
      return windowLoss(
        logits, target: target, negativeWeight: negativeWeight, scale: scale, gradient: gradient)
    }
    let means = logits.indices.map { step in
      let span = max(0, step - settings.smoothing + 1)...step
      return span.reduce(0) { $0 + logits[$1] } / Double(span.count)
    }
    var slopes = [Double](repeating: 0, count: means.count)
    let parts = means.withUnsafeBufferPointer { means in
      slopes.withUnsafeMutableBufferPointer {
        windowLoss(means, target: target, negativeWeight: negativeWeight, scale: scale, gradient: $0)
      }
    }
    for index in gradient.indices { gradient[index] = 0 }
    for (step, slope) in slopes.enumerated() where slope != 0 {
      let span = max(0, step - settings.smoothing + 1)...step
      for index in span { gradient[index] += slope / Double(span.count) }
    }
    return parts
  }

  private func windowLoss(
    _ logits: UnsafeBufferPointer<Double>, target: Target, negativeWeight: Double, scale: Double,
    gradient: UnsafeMutableBufferPointer<Double>
  ) -> Parts {
    for index in gradient.indices { gradient[index] = 0 }
    let all = 0..<logits.count
    switch target {
    case .background:
      let negative = background(logits, in: [all], scale: scale * negativeWeight, gradient)
      return Parts(positive: nil, negative: negative)
    case .classes: preconditionFailure("use CrossEntropy for steps with classes")
    case .unchanged, .lowered, .outputs:
      preconditionFailure("windows relative to another network are not smoothed")
    case .keyword(let start, let end):
      let near = (end - settings.keywordLead..<end + settings.keywordLag + 1).clamped(to: all)
      let positive = keyword(logits, in: near, scale: scale, gradient)
      let before = all.clamped(to: min(all.lowerBound, start)..<max(all.lowerBound, start))
      let after = all.clamped(to: max(0, end + settings.keywordTail + 1)..<Int.max)
      let negative = background(logits, in: [before, after], scale: scale * negativeWeight, gradient)
      return Parts(positive: positive, negative: negative)
    }
  }

  /// Returns the total loss, with the negative part weighted.
  package func total(_ parts: Parts, negativeWeight: Double) -> Double {
    (parts.positive ?? 0) + (parts.negative ?? 0) * negativeWeight + (parts.change ?? 0)
  }

  /// Returns half the mean squared difference from `held` over the steps above the floor.
  private func unchanged(
    _ logits: UnsafeBufferPointer<Double>, _ held: ArraySlice<Double>, scale: Double,
    _ gradient: UnsafeMutableBufferPointer<Double>
  ) -> Parts {
    let floor = Double(settings.heldFloor)
    let weight = Double(settings.heldWeight)
    var loss = 0.0
    var count = 0.0
    for (step, before) in held.enumerated() where max(logits[step], before) > floor { count += 1 }
    for (step, before) in held.enumerated() {
      let difference = max(logits[step], floor) - max(before, floor)
      gradient[step] = count > 0 ? scale * weight * difference / count : 0
      loss += difference * difference
    }
    return Parts(change: count > 0 ? loss / 2 / count * weight : 0)
  }

  /// Returns the background loss of the logits relative to a target `loweredBy` below `held`, or below 0 if
  /// `held` is positive.
  private func lowered(
    _ logits: UnsafeBufferPointer<Double>, _ held: ArraySlice<Double>, scale: Double,
    _ gradient: UnsafeMutableBufferPointer<Double>
  ) -> Parts {
    for index in gradient.indices { gradient[index] = 0 }
    let chosen = hardest(logits, in: [logits.indices])
    var loss = 0.0
    for step in chosen {
      let excess = logits[step] - min(0, held[held.startIndex + step]) + Double(settings.loweredBy)
      gradient[step] = scale * sigmoid(excess) / Double(chosen.count)
      loss += softplus(excess) / Double(chosen.count)
    }
    return Parts(negative: loss)
  }

  private func keyword(
    _ logits: UnsafeBufferPointer<Double>, in steps: Range<Int>, scale: Double,
    _ gradient: UnsafeMutableBufferPointer<Double>
  ) -> Double? {
    guard let best = steps.max(by: { logits[$0] < logits[$1] }) else { return nil }
    let loss = softplus(-logits[best])
    if loss >= Double(settings.dropBelow) { gradient[best] += scale * (sigmoid(logits[best]) - 1) }
    return loss
  }

  private func background(
    _ logits: UnsafeBufferPointer<Double>, in ranges: [Range<Int>], scale: Double,
    _ gradient: UnsafeMutableBufferPointer<Double>
  ) -> Double? {
    let chosen = hardest(logits, in: ranges)
    guard !chosen.isEmpty else { return nil }
    let share = 1 / Double(chosen.count)
    let loss = chosen.reduce(0) { $0 + share * softplus(logits[$1]) }
    if loss >= Double(settings.dropBelow) {
      for step in chosen { gradient[step] += scale * share * sigmoid(logits[step]) }
    }
    return loss
  }

  /// Returns the highest step, then the highest at the minimum distance from it, and so on.
  private func hardest(_ logits: UnsafeBufferPointer<Double>, in ranges: [Range<Int>]) -> [Int] {
    var chosen: [Int] = []
    while chosen.count < settings.hardSteps {
      var best: Int?
      for range in ranges {
        for step in range where best == nil || logits[step] > logits[best!] {
          if chosen.allSatisfy({ abs($0 - step) >= settings.hardSpacing }) { best = step }
        }
      }
      guard let best else { break }
      chosen.append(best)
    }
    return chosen
  }
}

private func softplus(_ value: Double) -> Double {
  value > 0 ? value + log1p(exp(-value)) : log1p(exp(value))
}

private func sigmoid(_ value: Double) -> Double { 1 / (1 + exp(-value)) }

/// The parameters of ``Loss``.
public struct LossSettings: Sendable, Equatable {
  /// The number of steps whose mean logit is used, as in the detector: the current one and those before.
  public var smoothing: Int = 1
  /// The steps before a keyword's end from which its peak counts.
  public var keywordLead: Int = 3
  /// The steps after a keyword's end up to which its peak counts.
  public var keywordLag: Int = 10
  /// The steps after a keyword's end that do not count as background.
  public var keywordTail: Int = 15
  /// The number of hardest background steps of a window whose mean is used.
  public var hardSteps: Int = 4
  /// The minimum distance in steps between two of them.
  public var hardSpacing: Int = 10
  /// The weight of windows that must not change.
  public var heldWeight: Float = 1
  /// Logits below this are equal for windows that must not change.
  public var heldFloor: Float = -9
  /// The target decrease of windows to be lowered, from the original logit or, if that is higher, from 0.
  public var loweredBy: Float = 6
  /// Losses below this have no gradient.
  public var dropBelow: Float = 0.001
  /// The weight of background relative to keywords at the first step of a fit.
  public var negativeWeightStart: Float = 1
  /// The weight of background at the end of the ramp and after it.
  public var negativeWeightEnd: Float = 4
  /// The share of the fit after which the geometric ramp ends, 0…1.
  public var negativeWeightRamp: Float = 0.7

  public init() {}
}

/// The loss of steps that each belong to one of several classes, and its gradient.
package enum CrossEntropy {
  /// Returns the mean of −log softmax of the labelled steps' classes; 0 if no step is labelled.
  ///
  /// - Parameters:
  ///   - logits: [steps][outputs].
  ///   - classes: one class per step, each below `outputs` or ``Target/unlabelled``.
  ///   - scale: the factor of the gradient.
  ///   - gradient: [steps][outputs], overwritten.
  package static func window(
    _ logits: UnsafePointer<Float>, outputs: Int, classes: ArraySlice<UInt8>, scale: Float,
    gradient: UnsafeMutablePointer<Float>
  ) -> Double {
    let count = classes.reduce(0) { $0 + ($1 == Target.unlabelled ? 0 : 1) }
    var loss = 0.0
    for (step, label) in classes.enumerated() {
      let row = logits + step * outputs
      let slope = gradient + step * outputs
      guard label != Target.unlabelled else {
        slope.update(repeating: 0, count: outputs)
        continue
      }
      var highest = row[0]
      for output in 1..<outputs { highest = max(highest, row[output]) }
      var sum: Float = 0
      for output in 0..<outputs {
        slope[output] = expf(row[output] - highest)
        sum += slope[output]
      }
      let factor = scale / Float(count)
      for output in 0..<outputs { slope[output] *= factor / sum }
      slope[Int(label)] -= factor
      loss += Double(logf(sum) + highest - row[Int(label)])
    }
    return count > 0 ? loss / Double(count) : 0
  }
}
