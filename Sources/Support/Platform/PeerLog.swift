import Synchronization

/// Limits how often others can make this process write to its log: ten messages at once, then one every six seconds.
///
/// A state machine without a clock or output.
package struct LogLimit: Sendable {
  /// The number of messages at once.
  package static let burst = 10
  /// Seconds per message after that.
  package static let interval = 6.0

  private var credit = Double(burst)
  private var updated = 0.0
  private var leftOut = 0

  package init() {}

  /// Whether a message may be written at `now`, in seconds of ``MonotonicClock``.
  ///
  /// - Returns: the number of messages that were left out since the last one; nil if this one is to be left out.
  package mutating func admit(at now: Double) -> Int? {
    credit = min(Double(Self.burst), credit + max(0, now - updated) / Self.interval)
    updated = now
    guard credit >= 1 else {
      leftOut += 1
      return nil
    }
    credit -= 1
    defer { leftOut = 0 }
    return leftOut
  }
}

/// Warnings about what other programs send over the network, limited by ``LogLimit``.
package enum PeerLog {
  private static let limit = Mutex(LogLimit())

  package static func warning(_ text: String) {
    guard let leftOut = limit.withLock({ $0.admit(at: MonotonicClock.now()) }) else { return }
    Log.warning(leftOut == 0 ? text : "\(text) (\(leftOut) more such warnings were left out)")
  }
}
