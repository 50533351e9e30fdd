import Glibc
import Synchronization

/// A socket that clients connect to. It is closed, and a local one removed, when the object is released.
public final class ListeningSocket: Sendable {
  public let descriptor: Int32
  /// The address with the actual port.
  public let address: ListenAddress

  /// The length of the queue of connections to accept.
  private static let backlog: Int32 = 512

  /// Opens the sockets of `address`: one for each IP address of a host name.
  ///
  /// - Throws: ``NetworkFault/cannotListen(address:code:)``, ``NetworkFault/unknownHost(address:reason:)``.
  public static func open(_ address: ListenAddress) throws(NetworkFault) -> [ListeningSocket] {
    switch address {
    case .host(let host, let port): try open(host: host, port: port)
    case .socket(let path): [try open(path: path)]
    case .standardStreams: []
    }
  }

  /// The file of a local socket: its device and number, by which it is told from a later one of the same name.
  private let file: FileIdentity?

  private init(_ descriptor: Int32, _ address: ListenAddress, file: FileIdentity? = nil) {
    self.descriptor = descriptor
    self.address = address
    self.file = file
  }

  private let isRemoved = Atomic<Bool>(false)

  deinit {
    remove()
    close(descriptor)
  }

  /// Removes a local socket from its folder, once, unless another file has taken its name.
  func remove() {
    guard case .socket(let path) = address, !isRemoved.exchange(true, ordering: .relaxed) else { return }
    if file != nil, FileIdentity(ofSocket: path) == file { unlink(path) }
  }

  private static func open(host: String, port: Int) throws(NetworkFault) -> [ListeningSocket] {
    let address = ListenAddress.host(host, port: port)
    var hints = addrinfo()
    hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(host, String(port), &hints, &list)
    guard code == 0, let list else {
      throw .unknownHost(address: "\(address)", reason: String(cString: gai_strerror(code)))
    }
    defer { freeaddrinfo(list) }
    var sockets: [ListeningSocket] = []
    var failure: Int32 = EADDRNOTAVAIL
    var next: UnsafeMutablePointer<addrinfo>? = list
    while let info = next?.pointee, sockets.isEmpty || port != 0 {
      next = info.ai_next
      do throws(NetworkFault) {
        sockets.append(try open(info, host: host, address))
      } catch {
        guard case .cannotListen(_, let code) = error else { throw error }
        if code != EAFNOSUPPORT, code != EADDRNOTAVAIL || failure == EADDRNOTAVAIL { failure = code }
        if code == EADDRINUSE { break }
      }
    }
    guard !sockets.isEmpty, failure != EADDRINUSE else {
      throw .cannotListen(address: "\(address)", code: failure)
    }
    return sockets
  }

  private static func open(
    _ info: addrinfo, host: String, _ address: ListenAddress
  ) throws(NetworkFault) -> ListeningSocket {
    let flags = info.ai_socktype | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let descriptor = socket(info.ai_family, flags, info.ai_protocol)
    guard descriptor >= 0 else { throw .cannotListen(address: "\(address)", code: errno) }
    set(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
    if info.ai_family == AF_INET6 { set(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, host == "::" ? 0 : 1) }
    guard bind(descriptor, info.ai_addr, info.ai_addrlen) == 0, listen(descriptor, backlog) == 0 else {
      let code = errno
      close(descriptor)
      throw .cannotListen(address: "\(address)", code: code)
    }
    return ListeningSocket(descriptor, .host(host, port: port(of: descriptor)))
  }

  private static func open(path: String) throws(NetworkFault) -> ListeningSocket {
    let address = ListenAddress.socket(path: path)
    var name = sockaddr_un()
    name.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    guard bytes.count < MemoryLayout.size(ofValue: name.sun_path) else {
      throw .cannotListen(address: "\(address)", code: ENAMETOOLONG)
    }
    withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: bytes) }
    let flags = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let descriptor = socket(AF_UNIX, flags, 0)
    guard descriptor >= 0 else { throw .cannotListen(address: "\(address)", code: errno) }
    if !bound(descriptor, name, path) || listen(descriptor, backlog) != 0 {
      let code = errno
      close(descriptor)
      throw .cannotListen(address: "\(address)", code: code)
    }
    return ListeningSocket(descriptor, address, file: FileIdentity(ofSocket: path))
  }

  /// Binds to a path; replaces a socket that no server listens on any more, and nothing else.
  private static func bound(_ descriptor: Int32, _ name: sockaddr_un, _ path: String) -> Bool {
    var name = name
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    return withUnsafePointer(to: &name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        if bind(descriptor, pointer, size) == 0 { return true }
        guard errno == EADDRINUSE else { return false }
        guard FileIdentity(ofSocket: path) != nil else {
          errno = EEXIST
          return false
        }
        // With a full queue of connections, a probe that waits would wait for ever.
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let probe = socket(AF_UNIX, kind, 0)
        let isUnused = connect(probe, pointer, size) != 0 && errno == ECONNREFUSED
        close(probe)
        errno = EADDRINUSE
        guard isUnused else { return false }
        unlink(path)
        return bind(descriptor, pointer, size) == 0
      }
    }
  }

  static func set(_ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: Int32) {
    var value = value
    setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
  }

  private static func port(of descriptor: Int32) -> Int {
    var address = sockaddr_in6()
    var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
    withUnsafeMutablePointer(to: &address) {
      _ = $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
    }
    // The port is at the same offset in addresses of both families.
    return Int(in_port_t(bigEndian: address.sin6_port))
  }
}

/// What tells a file from others, whatever its name.
private struct FileIdentity: Equatable {
  private let device: dev_t
  private let number: ino_t

  /// Nil if no socket has the name `path`; links are not followed.
  init?(ofSocket path: String) {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return nil }
    device = status.st_dev
    number = status.st_ino
  }
}
