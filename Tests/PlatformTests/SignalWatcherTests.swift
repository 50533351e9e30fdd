import Glibc
import Platform
import TestServers
import Testing

/// Each test runs on a thread of its own, because a watcher blocks signals in the thread that creates it.
@Suite(.limited) struct SignalWatcherTests {
  @Test func aBlockedSignalIsReturnedInsteadOfInterrupting() throws {
    let received = JobQueue<Int32?>()
    try DetachedThread.start {
      let watcher = SignalWatcher([SIGUSR1])
      pthread_kill(pthread_self(), SIGUSR1)
      received.append(watcher.next(within: 10))
      received.append(watcher.next(within: 0.01))
    }
    #expect(received.take() == SIGUSR1)
    #expect(received.take() == nil, "a signal is returned once")
  }

  @Test func aThreadStartedLaterInheritsTheBlockedSignals() throws {
    let received = JobQueue<Int32?>()
    try DetachedThread.start {
      let watcher = SignalWatcher([SIGUSR2])
      try? DetachedThread.start {
        pthread_kill(pthread_self(), SIGUSR2)
        received.append(watcher.next())
      }
    }
    #expect(received.take() == SIGUSR2)
  }
}
