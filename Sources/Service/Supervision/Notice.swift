/// A notice to the service manager; see sd_notify(3).
package enum Notice: Sendable, Equatable {
  /// The service works, after a start or a reload.
  case ready
  /// One line for people.
  case status(String)
  /// A reload has begun; microseconds of the monotonic clock.
  case reloading(at: UInt64)
  case stopping
  /// The service is alive.
  case watchdog

  /// The datagram.
  package var text: String {
    switch self {
    case .ready: "READY=1"
    case .status(let text): "STATUS=" + String(text.map { $0.isNewline ? " " : $0 })
    case .reloading(let microseconds): "RELOADING=1\nMONOTONIC_USEC=\(microseconds)"
    case .stopping: "STOPPING=1"
    case .watchdog: "WATCHDOG=1"
    }
  }
}
