import Glibc
import Platform

/// The service manager of this process: systemd or a compatible one. Without one nothing is sent.
package struct ServiceManager: Sendable, Equatable {
  private let socket: NotifySocket?
  /// The watchdog interval in seconds; nil for none.
  package let watchdog: Double?

  /// - Parameters:
  ///   - environment: looks up `NOTIFY_SOCKET`, `WATCHDOG_USEC` and `WATCHDOG_PID`.
  ///   - process: this process's number; another process's watchdog is ignored.
  package init(environment: (String) -> String?, process: Int32 = getpid()) {
    socket = environment("NOTIFY_SOCKET").flatMap { NotifySocket($0) }
    let isOurs = environment("WATCHDOG_PID").map { $0 == "\(process)" } ?? true
    let microseconds = environment("WATCHDOG_USEC").flatMap { Int($0) } ?? 0
    watchdog = socket != nil && isOurs && microseconds > 0 ? Double(microseconds) * 1e-6 : nil
  }

  /// The manager that the environment names. The variables are removed, so that child processes do not send notices.
  package static func take() -> ServiceManager {
    let manager = ServiceManager { getenv($0).map { String(cString: $0) } }
    for name in ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"] { unsetenv(name) }
    return manager
  }

  /// Sends `notices` in one datagram.
  package func send(_ notices: Notice...) {
    socket?.send(notices.map(\.text).joined(separator: "\n"))
  }
}
