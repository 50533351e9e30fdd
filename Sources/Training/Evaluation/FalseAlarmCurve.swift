import Glibc
import Platform

/// The rate of scores above each threshold in audio without the phrase.
///
/// Frequent peaks are counted. Beyond, the highest peaks are modelled by an exponential tail (a generalized
/// Pareto distribution of shape 0: Pickands, 1975). Its one parameter, the mean excess over the start of the
/// tail, varies far less than the single highest peak of a few hours.
public struct FalseAlarmCurve: Sendable {
  /// The length of the audio in hours.
  public let hours: Double
  /// The heights of the peaks, highest first.
  public let peaks: [Float]
  /// The number of peaks that the tail is fitted to.
  private let tail: Int
  /// The mean excess of the tail: a threshold higher by this has 1/e times the false alarms.
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

  /// Returns the false alarms counted at `threshold`.
  public func count(at threshold: Double) -> Int {
    var low = 0
    var high = peaks.count
    while low < high {
      let middle = (low + high) / 2
      if Double(peaks[middle]) >= threshold { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Returns the expected false alarms per hour at `threshold`.
  public func rate(at threshold: Double) -> Double {
    guard tail >= 2, hours > 0 else { return 0 }
    let start = Double(peaks[tail - 1])
    guard threshold > start else { return Double(count(at: threshold)) / hours }
    return Double(tail) / hours * exp(-(threshold - start) / slope)
  }

  /// Returns the lowest threshold with up to `rate` false alarms per hour, both counted and expected; nil
  /// without peaks.
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

/// A local maximum of a score.
public struct ScorePeak: Sendable, Equatable {
  /// The index of the step in its stream.
  public let step: Int
  /// A logit or a score.
  public let value: Float

  public init(step: Int, value: Float) {
    self.step = step
    self.value = value
  }

  /// Returns the local maxima of `values` that have no higher or earlier equal one within `gap` steps.
  ///
  /// These are the detections of a detector with that refractory time at the threshold of each peak's own
  /// height.
  /// - Parameter floor: the lowest peak returned.
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
  /// Returns the mean of the last `count` values at each index (of fewer at the start), like the average of a
  /// `Decider`.
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
