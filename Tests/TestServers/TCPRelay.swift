import Glibc
import Platform
import Synchronization

/// Passes connections on to a server on the loopback interface, and can be cut like a network.
public final class TCPRelay: Sendable {
  public let port: Int
  private let target: Int
  private let listener: Int32

  private struct State {
    var isCut = false
    var sockets: Set<Int32> = []
  }

  private let state = Mutex(State())

  public struct DidNotStart: Error {}

  /// - Parameter target: the server's port.
  public init(to target: Int) throws {
    self.target = target
    listener = Loopback.socket()
    guard Loopback.bind(listener, 0) == 0, listen(listener, 16) == 0 else { throw DidNotStart() }
    port = Loopback.port(of: listener)
    let own = listener
    try DetachedThread.start { [weak self] in
      while true {
        let client = accept(own, nil, nil)
        guard client >= 0 else { break }
        self?.join(client)
      }
      close(own)
    }
  }

  deinit {
    cut()
    shutdown(listener, Int32(SHUT_RDWR))
  }

  /// Breaks all connections and refuses new ones.
  public func cut() {
    state.withLock { state in
      state.isCut = true
      for socket in state.sockets { shutdown(socket, Int32(SHUT_RDWR)) }
    }
  }

  /// Accepts connections again.
  public func restore() { state.withLock { $0.isCut = false } }

  /// How many directions of a connection have ended.
  private final class Pair: Sendable {
    let ended = Atomic<Int>(0)
  }

  private func join(_ client: Int32) {
    let server = Loopback.socket()
    let isOpen = state.withLock { state in
      guard !state.isCut, Loopback.connect(server, target) == 0 else { return false }
      state.sockets.formUnion([client, server])
      return true
    }
    guard isOpen else {
      close(client)
      close(server)
      return
    }
    let pair = Pair()
    for (from, to) in [(client, server), (server, client)] {
      do {
        try DetachedThread.start { [weak self] in
          Self.pass(from, to)
          guard pair.ended.add(1, ordering: .relaxed).newValue == 2 else { return }
          self?.state.withLock { $0.sockets.subtract([client, server]) }
          close(client)
          close(server)
        }
      } catch {
        fatalError("\(error)")
      }
    }
  }

  private static func pass(_ from: Int32, _ to: Int32) {
    var bytes = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = recv(from, &bytes, bytes.count, 0)
      guard count > 0, send(to, bytes, count, Int32(MSG_NOSIGNAL)) == count else { break }
    }
    shutdown(from, Int32(SHUT_RDWR))
    shutdown(to, Int32(SHUT_RDWR))
  }
}

/// Sockets of this machine.
public enum Loopback {
  /// A pair of connected sockets that no child inherits, which takes the place of a pipe.
  public static func pair() -> (Int32, Int32)? {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    return socketpair(AF_UNIX, kind, 0, &ends) == 0 ? (ends[0], ends[1]) : nil
  }

  /// A connection to the socket at `path`; nil where it cannot be made at once, as where the queue of connections is full.
  public static func connection(toPath path: String) -> Int32? {
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let descriptor = Glibc.socket(AF_UNIX, kind, 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
    let connected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    if connected == 0 { return descriptor }
    close(descriptor)
    return nil
  }

  static func socket() -> Int32 {
    Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
  }

  static func connect(_ descriptor: Int32, _ port: Int) -> Int32 {
    withAddress(port) { Glibc.connect(descriptor, $0, $1) }
  }

  static func bind(_ descriptor: Int32, _ port: Int) -> Int32 {
    withAddress(port) { Glibc.bind(descriptor, $0, $1) }
  }

  /// The port that a socket is bound to.
  static func port(of descriptor: Int32) -> Int {
    var bound = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &bound) {
      _ = $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
    }
    return Int(in_port_t(bigEndian: bound.sin_port))
  }

  /// Whether a server listens on `port`.
  static func isOpen(_ port: Int) -> Bool {
    let descriptor = socket()
    defer { close(descriptor) }
    return connect(descriptor, port) == 0
  }

  /// A port that nothing listened on just now.
  static func freePort() -> Int {
    let descriptor = socket()
    defer { close(descriptor) }
    _ = bind(descriptor, 0)
    return port(of: descriptor)
  }

  private static func withAddress<Result>(
    _ port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) -> Result {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }
}
