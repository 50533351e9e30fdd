import Synchronization

/// Limits how often others can make this process write to its log.
///
/// A state machine without a clock or output.
package struct LogLimit: Sendable {
  /// The number of messages at once.
  package let burst: Int
  /// Seconds per message after that.
  package let interval: Double

  private var credit: Double
  private var updated = 0.0
  private var leftOut = 0

  package init(burst: Int = 10, interval: Double = 6) {
    self.burst = burst
    self.interval = interval
    credit = Double(burst)
  }

  /// Whether a message may be written at `now`, in seconds of ``MonotonicClock``.
  ///
  /// - Returns: the number of messages that were left out since the last one; nil if this one is to be left out.
  package mutating func admit(at now: Double) -> Int? {
    credit = min(Double(burst), credit + max(0, now - updated) / interval)
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

/// A limit for each of many peers: one that makes many messages silences no other. Only the peers that were last heard of are
/// remembered.
package struct PeerLimits: Sendable {
  /// The number of peers that are told apart.
  package static let count = 64

  private var limits: [String: (limit: LogLimit, used: Double)] = [:]

  package init() {}

  /// As ``LogLimit/admit(at:)``, for a message about `peer`.
  package mutating func admit(_ peer: String, at now: Double) -> Int? {
    if limits[peer] == nil, limits.count >= Self.count {
      let oldest = limits.min { $0.value.used < $1.value.used }
      if let oldest { limits[oldest.key] = nil }
    }
    limits[peer, default: (LogLimit(), now)].used = now
    return limits[peer]!.limit.admit(at: now)
  }
}

/// Warnings about what other programs send over the network, limited for each of them and for all together, as one program can
/// have many addresses.
package enum PeerLog {
  private struct Limits {
    var each = PeerLimits()
    var all = LogLimit(burst: 50, interval: 1)
  }
  private static let limits = Mutex(Limits())

  /// - Parameter peer: what the peer is told by: its address without the port.
  package static func warning(_ text: String, from peer: String) {
    let now = MonotonicClock.now()
    let leftOut = limits.withLock { limits -> Int? in
      guard let own = limits.each.admit(peer, at: now), let all = limits.all.admit(at: now) else {
        return nil
      }
      return max(own, all)
    }
    guard let leftOut else { return }
    Log.warning(leftOut == 0 ? text : "\(text) (\(leftOut) more such warnings were left out)")
  }
}
