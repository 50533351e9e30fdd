import Glibc

/// A 95 % confidence interval.
public struct Interval: Sendable, Equatable {
  public let low: Double
  public let high: Double

  public init(low: Double, high: Double) {
    self.low = low
    self.high = high
  }

  /// Returns the interval of a share, `count` of `total` (Wilson, 1927).
  public static func share(_ count: Int, of total: Int) -> Interval {
    guard total > 0 else { return Interval(low: 0, high: 1) }
    let z = 1.959964
    let n = Double(total)
    let p = Double(count) / n
    let center = (p + z * z / (2 * n)) / (1 + z * z / n)
    let half = z / (1 + z * z / n) * (p * (1 - p) / n + z * z / (4 * n * n)).squareRoot()
    return Interval(
      low: count == 0 ? 0 : max(0, center - half), high: count == total ? 1 : min(1, center + half))
  }

  /// Returns the interval of a rate per hour, `count` events in `hours` (exact Poisson limits; Garwood,
  /// 1936).
  public static func rate(_ count: Int, in hours: Double) -> Interval {
    guard hours > 0 else { return Interval(low: 0, high: .infinity) }
    let low =
      count == 0
      ? 0
      : solve {
        poisson(count - 1, mean: $0)
      } below: {
        $0 > 0.975
      }
    let high = solve {
      poisson(count, mean: $0)
    } below: {
      $0 > 0.025
    }
    return Interval(low: low / hours, high: high / hours)
  }

  /// Returns the probability of up to `count` Poisson events with this mean.
  private static func poisson(_ count: Int, mean: Double) -> Double {
    var sum = 0.0
    for events in 0...count { sum += exp(Double(events) * log(mean) - mean - lgamma(Double(events) + 1)) }
    return sum
  }

  private static func solve(_ value: (Double) -> Double, below isBelow: (Double) -> Bool) -> Double {
    var low = 1e-9
    var high = 1.0
    while isBelow(value(high)) { high *= 2 }
    for _ in 0..<80 {
      let middle = (low + high) / 2
      if isBelow(value(middle)) { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }
}
