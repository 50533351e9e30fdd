/// What a service tells the manager that started it, in the words of sd_notify(3).
package enum Notice: Sendable, Equatable {
  /// It does its work, after a start or a reload.
  case ready
  /// One line for people.
  case status(String)
  /// It reads its configuration anew; microseconds of the monotonic clock.
  case reloading(at: UInt64)
  case stopping
  /// It lives.
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
