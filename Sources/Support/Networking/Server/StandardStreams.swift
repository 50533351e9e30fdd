import Glibc
import Platform

/// Standard input and output as one connection of a server.
public enum StandardStreams {
  /// Serves the client until standard input ends and everything is answered, or standard output is closed.
  public static func serve(by server: StreamServer) throws(NetworkFault) {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else {
      throw .system(.cannotStart(command: "a server", code: errno))
    }
    let ours = ends[0]
    defer { close(ours) }
    _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
    server.adopt(ends[1], peer: "standard input")
    do throws(SystemFault) {
      try DetachedThread.start {
        copy(from: STDIN_FILENO, to: ours)
        shutdown(ours, Int32(SHUT_WR))
      }
    } catch {
      throw .system(error)
    }
    copy(from: ours, to: STDOUT_FILENO)
  }

  private static func copy(from source: Int32, to target: Int32) {
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = read(source, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0, writeAll(Array(buffer[..<count]), to: target) else { return }
    }
  }
}
