import Glibc
import Platform

/// The datagram socket of a service manager: a path, or an abstract name that begins with `@`.
package struct NotifySocket: Sendable, Equatable {
  /// The bytes of the socket's address, without the family.
  private let path: [UInt8]

  /// - Parameter name: `$NOTIFY_SOCKET`; nil for one that is neither absolute nor abstract, or too long.
  package init?(_ name: String) {
    var bytes = Array(name.utf8)
    guard bytes.count > 1, bytes[0] == UInt8(ascii: "/") || bytes[0] == UInt8(ascii: "@") else { return nil }
    guard bytes.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path) else { return nil }
    if bytes[0] == UInt8(ascii: "@") { bytes[0] = 0 }
    path = bytes
  }

  /// Microseconds that a slow manager has to take a datagram; after that it is dropped.
  private static let timeout = 200_000

  /// Sends a datagram.
  ///
  /// - Returns: whether it was sent.
  @discardableResult
  package func send(_ text: String) -> Bool {
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var timeout = timeval(tv_sec: 0, tv_usec: Self.timeout)
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
    let size = socklen_t(MemoryLayout<sa_family_t>.size + path.count)
    let bytes = Array(text.utf8)
    let sent = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        sendto(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL), $0, size)
      }
    }
    return sent == bytes.count
  }
}
