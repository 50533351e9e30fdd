import Networking
import Platform
import Synchronization

/// What a server needs each second, on a thread of its own, while another listens.
final class Housekeeping: @unchecked Sendable {
  private let server: StreamServer
  /// Used by the thread alone, and ended with this object.
  private let announcement: ServiceAnnouncement?
  private let isStopping = Atomic<Bool>(false)
  private let ended = JobQueue<Void>()

  init(_ server: StreamServer, _ announcement: ServiceAnnouncement?) {
    self.server = server
    self.announcement = announcement
  }

  func start() throws(SystemFault) {
    try DetachedThread.start { [self] in
      while !isStopping.load(ordering: .relaxed) {
        server.sweep()
        announcement?.refresh()
        for _ in 0..<10 where !isStopping.load(ordering: .relaxed) {
          MonotonicClock.sleep(until: MonotonicClock.now() + 0.1)
        }
      }
      ended.append(())
    }
  }

  func stop() {
    isStopping.store(true, ordering: .relaxed)
    ended.take()
  }
}
