import AudioCapture
import Glibc
import Platform
import Synchronization

/// SIGINT and SIGTERM as a request to stop: the stream ends, the conversation comes to its end. A second one kills.
final class Interruption: Sendable {
  private let asked = Atomic<Bool>(false)

  /// Signals within so many seconds are one request: `timeout` and shells signal a process and its group.
  private static let oneRequest = 0.5

  /// Holds the signals back from this thread and those that it will start; make it before them.
  init() {
    var signals = Self.signals
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// Whether a signal has come.
  var isAsked: Bool { asked.load(ordering: .relaxed) }

  /// Waits for signals on a thread of its own.
  ///
  /// - Parameter source: closed at the first, so that a read that waits for audio returns.
  func start(closing source: any AudioSource) throws(SystemFault) {
    let closed = Closed(source: source)
    try DetachedThread.start { [self] in
      var signals = Self.signals
      var signal: Int32 = 0
      sigwait(&signals, &signal)
      asked.store(true, ordering: .relaxed)
      closed.source.close()
      let first = MonotonicClock.now()
      repeat { sigwait(&signals, &signal) } while MonotonicClock.now() - first < Self.oneRequest
      _exit(128 + signal)
    }
  }

  /// Sources let any thread close them.
  private struct Closed: @unchecked Sendable {
    let source: any AudioSource
  }

  private static var signals: sigset_t {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGINT)
    sigaddset(&signals, SIGTERM)
    return signals
  }
}
