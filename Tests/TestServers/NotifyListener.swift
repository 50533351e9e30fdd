import Glibc
import Platform
import Synchronization

/// A service manager's datagram socket, and all datagrams sent to it.
public final class NotifyListener: Sendable {
  public struct Datagram: Sendable {
    public let text: String
    /// Of the monotonic clock.
    public let time: Double
  }

  /// As `$NOTIFY_SOCKET` has it.
  public let name: String
  private let descriptor: Int32
  private let heard = Mutex<[Datagram]>([])
  private static let count = Atomic<Int>(0)

  /// - Parameter isAbstract: whether its address is an abstract name instead of a path.
  public init(isAbstract: Bool = true) throws {
    let number = Self.count.add(1, ordering: .relaxed).newValue
    name = (isAbstract ? "@" : "/tmp/") + "hotword-notify-\(getpid())-\(number)"
    var bytes = Array(name.utf8)
    if isAbstract { bytes[0] = 0 }
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let size = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
    _ = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
    }
    // A copy that outlives this object, so that its number is not taken by another file meanwhile.
    let own = dup(descriptor)
    try DetachedThread.start { [weak self] in
      var bytes = [UInt8](repeating: 0, count: 4096)
      while true {
        let count = recv(own, &bytes, bytes.count, 0)
        guard count > 0, let self else { break }
        let datagram = Datagram(
          text: String(decoding: bytes.prefix(count), as: UTF8.self), time: MonotonicClock.now())
        heard.withLock { $0.append(datagram) }
      }
      close(own)
    }
  }

  deinit {
    shutdown(descriptor, Int32(SHUT_RDWR))
    close(descriptor)
    if name.hasPrefix("/") { unlink(name) }
  }

  /// All datagrams so far.
  public var datagrams: [Datagram] { heard.withLock { $0 } }

  /// Waits until there are `count`.
  public func datagrams(_ count: Int) -> [String] {
    _ = Waiting.until { datagrams.count >= count }
    return datagrams.map(\.text)
  }
}
