import Glibc

/// SIGINT and SIGTERM as something to wait for; make it before the first thread, as it holds them back from all.
struct StopSignals {
  private var signals = sigset_t()

  init() {
    sigemptyset(&signals)
    sigaddset(&signals, SIGINT)
    sigaddset(&signals, SIGTERM)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// Waits for one of them, and calls `body` each second meanwhile.
  mutating func wait(eachSecond body: () -> Void) {
    var second = timespec(tv_sec: 1, tv_nsec: 0)
    while sigtimedwait(&signals, nil, &second) < 0 { body() }
  }
}
