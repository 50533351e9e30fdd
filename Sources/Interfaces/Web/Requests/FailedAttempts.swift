/// How often each client may give a wrong token: ``burst`` times at once, and once in ``interval`` seconds in the long run.
///
/// A state machine without a clock. It remembers up to ``peers`` clients.
struct FailedAttempts: Sendable {
  static let burst = 10.0
  static let interval = 6.0
  static let peers = 256

  private var spent: [String: (attempts: Double, at: Double)] = [:]

  /// Whether the client must wait at `now`, in seconds on a monotonic clock.
  func isBlocked(_ peer: String, at now: Double) -> Bool { count(peer, now) > Self.burst - 1 }

  /// The client has given a wrong token.
  mutating func add(_ peer: String, at now: Double) {
    spent[peer] = (count(peer, now) + 1, now)
    guard spent.count > Self.peers else { return }
    let least = spent.keys.filter { $0 != peer }.min { count($0, now) < count($1, now) }
    if let least { spent[least] = nil }
  }

  private func count(_ peer: String, _ now: Double) -> Double {
    guard let (attempts, last) = spent[peer] else { return 0 }
    return max(0, attempts - (now - last) / Self.interval)
  }
}
