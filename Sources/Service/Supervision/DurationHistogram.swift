/// A Prometheus histogram of durations in seconds. Any thread can add one, without a lock.
package final class DurationHistogram: Sendable {
  /// The upper bounds of the buckets in seconds; longer durations have a bucket of their own.
  package static let bounds: [Double] = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

  private let counts: [Counter]
  private let microseconds = Counter()

  package init() {
    counts = (0...Self.bounds.count).map { _ in Counter() }
  }

  package func note(_ seconds: Double) {
    let index = Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count
    counts[index].add()
    microseconds.add(Int(max(0, seconds) * 1e6))
  }

  /// The number of durations up to each of ``bounds``, and of all.
  package var cumulative: [Int] {
    var sum = 0
    return counts.map {
      sum += $0.value
      return sum
    }
  }

  /// The sum of all durations in seconds.
  package var sum: Double { Double(microseconds.value) * 1e-6 }
}
