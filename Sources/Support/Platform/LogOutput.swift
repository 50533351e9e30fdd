import Glibc

/// Lines for a descriptor that may be a full pipe.
///
/// A pipe that can be written to has room for 4,096 bytes, so a line of at most that length does not wait.
package struct LogOutput: Sendable {
  /// The maximum length of a line in bytes, with the newline.
  package static let lineLimit = 4_096
  /// Milliseconds to wait for a reader, once.
  private static let patience: Int32 = 1_000

  private let descriptor: Int32
  private var leftOut = 0

  package init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// Writes `text` as one line, or leaves it out where nobody reads.
  ///
  /// - Parameter report: the line that tells how many were left out, before the next one that is written.
  package mutating func write(_ text: String, report: (Int) -> String) {
    guard isReady(within: leftOut == 0 ? Self.patience : 0) else {
      leftOut += 1
      return
    }
    if leftOut > 0 {
      put(report(leftOut))
      leftOut = 0
      guard isReady(within: Self.patience) else {
        leftOut = 1
        return
      }
    }
    put(text)
  }

  private func put(_ text: String) {
    var bytes = Array(text.utf8)
    if bytes.count >= Self.lineLimit {
      bytes.removeLast(bytes.count - Self.lineLimit + 1)
      // No part of a character.
      while bytes.last.map({ $0 & 0xC0 == 0x80 }) == true { bytes.removeLast() }
      bytes.removeLast()
    }
    _ = writeAll(bytes + [0x0A], to: descriptor)
  }

  private func isReady(within milliseconds: Int32) -> Bool {
    var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    // A file and a closed descriptor are ready, too.
    while true {
      let count = poll(&request, 1, milliseconds)
      if count >= 0 || errno != EINTR { return count != 0 }
    }
  }
}
