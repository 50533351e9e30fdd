import Glibc
import Platform

extension StreamServer {
  /// The address of the server's own client, for messages and events.
  public static let ownPeer = "health check"

  /// Connects a client of its own, which sends `request`. It occupies no place of the others.
  ///
  /// - Returns: whether the first bytes of an answer came within `seconds`.
  public func answers(_ request: [UInt8], within seconds: Double) -> Bool {
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
      return false
    }
    defer { close(ends[0]) }
    _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
    adopt(ends[1], peer: Self.ownPeer)
    guard writeAll(request, to: ends[0]) else { return false }
    var answer = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
    var byte: UInt8 = 0
    return poll(&answer, 1, Int32(seconds * 1000)) > 0 && read(ends[0], &byte, 1) == 1
  }
}
