import Glibc
import Platform

/// The service manager above this process, systemd or one that speaks like it; without one nothing is told.
package struct ServiceManager: Sendable, Equatable {
  private let socket: NotifySocket?
  /// Seconds within which it expects a sign of life; nil for never.
  package let watchdog: Double?

  /// - Parameters:
  ///   - environment: looks up `NOTIFY_SOCKET`, `WATCHDOG_USEC` and `WATCHDOG_PID`.
  ///   - process: this process's number; the watchdog of another is none of ours.
  package init(environment: (String) -> String?, process: Int32 = getpid()) {
    socket = environment("NOTIFY_SOCKET").flatMap { NotifySocket($0) }
    let isOurs = environment("WATCHDOG_PID").map { $0 == "\(process)" } ?? true
    let microseconds = environment("WATCHDOG_USEC").flatMap { Int($0) } ?? 0
    watchdog = socket != nil && isOurs && microseconds > 0 ? Double(microseconds) * 1e-6 : nil
  }

  /// The one that the environment names, which is forgotten there: the programs that this one runs shall not speak for
  /// it.
  package static func take() -> ServiceManager {
    let manager = ServiceManager { getenv($0).map { String(cString: $0) } }
    for name in ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"] { unsetenv(name) }
    return manager
  }

  /// Tells it all of `notices`, at once.
  package func tell(_ notices: Notice...) {
    socket?.send(notices.map(\.text).joined(separator: "\n"))
  }
}
