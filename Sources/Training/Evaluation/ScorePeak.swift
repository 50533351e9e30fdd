import Platform

/// A place where a score stands out, and how high.
public struct ScorePeak: Sendable, Equatable {
  /// The step's index in its stream.
  public let step: Int
  /// A logit or a score.
  public let value: Float

  public init(step: Int, value: Float) {
    self.step = step
    self.value = value
  }

  /// The local maxima of `values` that no higher or earlier equal one precedes or follows within `gap` steps.
  ///
  /// What a detector with that refractory time would report at the threshold of each peak's own height.
  /// - Parameter floor: lower peaks are left out.
  public static func all(
    in values: [Float], gap: Int, floor: Float = -.infinity
  ) -> [ScorePeak] {
    var maxima: [ScorePeak] = []
    for step in values.indices where values[step] >= floor {
      let rises = step == 0 || values[step] > values[step - 1]
      let falls = step == values.count - 1 || values[step] >= values[step + 1]
      if rises, falls { maxima.append(ScorePeak(step: step, value: values[step])) }
    }
    maxima.sort { $0.value == $1.value ? $0.step < $1.step : $0.value > $1.value }
    var taken = [Bool](repeating: false, count: values.count / max(gap, 1) + 1)
    var peaks: [ScorePeak] = []
    var steps: [Int: Int] = [:]
    for peak in maxima {
      let cell = peak.step / max(gap, 1)
      let near = (cell - 1...cell + 1).contains { other in
        guard other >= 0, other < taken.count, taken[other], let step = steps[other] else { return false }
        return abs(step - peak.step) < gap
      }
      if near { continue }
      taken[cell] = true
      steps[cell] = peak.step
      peaks.append(peak)
    }
    return peaks
  }
}

extension [Float] {
  /// The mean of the last `count` values at each place, of fewer at the start, as a `Decider` averages.
  public func smoothed(over count: Int) -> [Float] {
    var sum = 0.0
    var result: [Float] = []
    result.reserveCapacity(self.count)
    for index in indices {
      sum += Double(self[index])
      if index >= count { sum -= Double(self[index - count]) }
      result.append(Float(sum / Double(Swift.min(index + 1, count))))
    }
    return result
  }
}
