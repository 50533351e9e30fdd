import Glibc
import Platform

/// SIGINT and SIGTERM as requests to stop, SIGHUP as a request to reload, or to stop where the terminal is closed.
///
/// Create it before the first thread. The first stop signal ends the audio, and the open conversation comes to its end. A
/// second one, or the first after ``limit`` seconds, ends the process at once, whatever its threads wait for.
final class ServiceSignals: Sendable {
  /// Seconds from the first stop signal to the end of the process.
  private static let limit = 1.9

  private let watcher = SignalWatcher([SIGINT, SIGTERM, SIGHUP])
  private let endsWithTerminal = !SignalWatcher.outlivesTerminal && ServiceSignals.hasTerminal

  /// Starts the thread that waits for signals.
  ///
  /// - Parameters:
  ///   - stop: called for the first stop signal, on a thread of its own.
  ///   - reload: called for each other SIGHUP; it must not wait.
  func start(stop: @escaping @Sendable () -> Void, reload: @escaping @Sendable () -> Void) throws(SystemFault)
  {
    try watcher.start { [endsWithTerminal] signal in
      if signal == SIGHUP {
        if !endsWithTerminal || Self.hasTerminal { return reload() }
        Log.note("the terminal is closed: ending")
      }
      let deadline = MonotonicClock.now() + Self.limit
      let isStarted: Void? = try? DetachedThread.start {
        MonotonicClock.sleep(until: deadline)
        _exit(128 + signal)
      }
      if isStarted == nil { _exit(128 + signal) }
      if (try? DetachedThread.start(stop)) == nil { stop() }
    }
  }

  /// Whether the process has a controlling terminal.
  private static var hasTerminal: Bool {
    let descriptor = open("/dev/tty", O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    if descriptor >= 0 { close(descriptor) }
    return descriptor >= 0
  }
}
