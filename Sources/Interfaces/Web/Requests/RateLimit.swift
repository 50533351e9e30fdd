/// How many requests are answered: up to ``burst`` at once, and ``perSecond`` in the long run.
struct RateLimit: Sendable {
  static let burst = 120.0
  static let perSecond = 40.0

  private var left = RateLimit.burst
  private var last: Double?

  /// Takes one request at `now`, in seconds on a monotonic clock.
  ///
  /// - Returns: whether it may be answered.
  mutating func take(at now: Double) -> Bool {
    left = min(Self.burst, left + (now - (last ?? now)) * Self.perSecond)
    last = now
    guard left >= 1 else { return false }
    left -= 1
    return true
  }
}
