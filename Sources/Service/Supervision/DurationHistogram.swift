/// How long something took, each time, counted by size, from any thread without a lock: a histogram of Prometheus's.
package final class DurationHistogram: Sendable {
  /// Seconds; what took longer than the last is counted too.
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

  /// How many took at most each of ``bounds``, and how many there were in all.
  package var cumulative: [Int] {
    var sum = 0
    return counts.map {
      sum += $0.value
      return sum
    }
  }

  /// Seconds, of all.
  package var sum: Double { Double(microseconds.value) * 1e-6 }
}
