import Glibc
import Platform

/// How often scores on audio without the phrase rise above each threshold.
///
/// Where peaks are many, they are counted. Beyond, the highest peaks are taken for an exponential tail
/// (a generalized Pareto one of shape 0: Pickands, 1975), whose one parameter, the mean excess over the tail's start,
/// is far steadier than the single highest peak of a few hours.
public struct FalseAlarmCurve: Sendable {
  /// Hours of audio.
  public let hours: Double
  /// Peak heights, the highest first.
  public let peaks: [Float]
  /// How many peaks the tail is fitted to.
  private let tail: Int
  /// The tail's mean excess: what the threshold must rise by for e times fewer alarms.
  public let slope: Double

  public init(peaks: [Float], hours: Double) {
    self.hours = hours
    self.peaks = peaks.sorted(by: >)
    tail = min(self.peaks.count, max(8, min(30, Int(hours * 20))))
    if tail >= 2 {
      let start = Double(self.peaks[tail - 1])
      let excess = self.peaks.prefix(tail).reduce(0) { $0 + Double($1) - start } / Double(tail - 1)
      slope = max(excess, 0.05)
    } else {
      slope = 1
    }
  }

  /// False alarms counted at `threshold`.
  public func count(at threshold: Double) -> Int {
    var low = 0
    var high = peaks.count
    while low < high {
      let middle = (low + high) / 2
      if Double(peaks[middle]) >= threshold { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// False alarms per hour to expect at `threshold`.
  public func rate(at threshold: Double) -> Double {
    guard tail >= 2, hours > 0 else { return 0 }
    let start = Double(peaks[tail - 1])
    guard threshold > start else { return Double(count(at: threshold)) / hours }
    return Double(tail) / hours * exp(-(threshold - start) / slope)
  }

  /// The least threshold with at most `rate` alarms an hour, both counted and expected; nil without peaks.
  public func threshold(for rate: Double) -> Double? {
    guard let highest = peaks.first else { return nil }
    guard tail >= 2 else { return Double(highest) + 1 }
    let allowed = Int(rate * hours)
    let counted =
      allowed < peaks.count ? Double(peaks[allowed].nextUp) : Double(peaks[peaks.count - 1])
    guard rate * hours < Double(tail) else { return counted }
    let expected = Double(peaks[tail - 1]) + slope * log(Double(tail) / (rate * hours))
    return max(counted, expected)
  }
}

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
