import AudioCapture
import Glibc
import Platform
import Synchronization

/// SIGINT and SIGTERM as a request to stop: the stream ends, the conversation comes to its end. A second one kills.
/// SIGHUP as a request to read the configuration anew.
package final class ServiceSignals: Sendable {
  private let asked = Atomic<Bool>(false)

  /// Signals within so many seconds are one request: `timeout` and shells signal a process and its group.
  private static let oneRequest = 0.5

  /// Holds the signals back from this thread and those that it will start; make it before them.
  package init() {
    var signals = Self.signals
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// Whether a signal to stop has come.
  package var isAsked: Bool { asked.load(ordering: .relaxed) }

  /// Waits for signals on a thread of its own.
  ///
  /// - Parameters:
  ///   - source: closed at the first to stop, so that a read that waits for audio returns.
  ///   - reload: called on that thread for each SIGHUP.
  package func start(closing source: any AudioSource, reload: @escaping @Sendable () -> Void)
    throws(SystemFault)
  {
    let closed = Closed(source: source)
    try DetachedThread.start { [self] in
      var signal = Self.wait()
      while signal == SIGHUP {
        reload()
        signal = Self.wait()
      }
      asked.store(true, ordering: .relaxed)
      closed.source.close()
      let first = MonotonicClock.now()
      repeat { signal = Self.wait() } while signal == SIGHUP || MonotonicClock.now() - first < Self.oneRequest
      _exit(128 + signal)
    }
  }

  private static func wait() -> Int32 {
    var signals = Self.signals
    var signal: Int32 = 0
    sigwait(&signals, &signal)
    return signal
  }

  /// Sources let any thread close them.
  private struct Closed: @unchecked Sendable {
    let source: any AudioSource
  }

  private static var signals: sigset_t {
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, signal) }
    return signals
  }
}
