import CSystem
import Glibc

/// Wakes one waiting thread.
///
/// Any thread may send, the listening thread too: one system call that never waits and takes no lock of this process.
package final class ThreadSignal: Sendable {
  private let descriptor: Int32

  /// - Throws: ``SystemFault/cannotStart(command:code:)`` if the system has no descriptor left.
  package init() throws(SystemFault) {
    descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    guard descriptor >= 0 else { throw .cannotStart(command: "a thread signal", code: errno) }
  }

  deinit { close(descriptor) }

  package func send() { eventfd_write(descriptor, 1) }

  /// Waits for a signal that was sent since the last call, until `deadline` on ``MonotonicClock`` at the latest.
  package func wait(until deadline: Double) {
    let seconds = min(max(0, deadline - MonotonicClock.now()), 3_600)
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    poll(&request, 1, Int32((seconds * 1_000).rounded(.up)))
    var count: eventfd_t = 0
    eventfd_read(descriptor, &count)
  }
}
