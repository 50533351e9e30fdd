import CSystem
import Glibc
import Platform
import Synchronization

/// Serves any number of connections with a few threads.
///
/// All threads wait for any socket that has something to read; a free one serves the client for some milliseconds. After
/// each turn a client that sends much waits behind the others, and nothing is read from it meanwhile: it occupies no thread
/// and no more memory than one event. ``ServerLimits`` says what clients are granted.
public final class StreamServer: Sendable {
  private let sockets: [ListeningSocket]
  private let workers: Int
  private let limits: ServerLimits
  private let held = SharedCount()
  private let makeHandler: @Sendable (ServedClient) -> any ClientHandler
  private let epoll: Int32
  /// A pipe that is readable once the threads must end.
  private let stopping: (read: Int32, write: Int32)
  private let ended = JobQueue<Void>()

  private struct Clients {
    var byNumber: [UInt64: ServedClient] = [:]
    var last: UInt64
    var isFull = false
  }
  private let clients: Mutex<Clients>
  private let dropping = Mutex<Void>(())
  /// The number of clients at the last ``sweep()``.
  private let lastCount = Atomic<Int>(0)

  /// Bytes read from a client in one turn.
  private static let readSize = 16_384
  /// Descriptors kept for purposes other than clients, besides those that are open already.
  private static let spareDescriptors = 16

  /// - Parameters:
  ///   - workers: threads.
  ///   - handler: makes the handler of a new client.
  /// - Throws: ``NetworkFault/tooFewDescriptors(limit:)``, or a `SystemFault` of the operating system.
  public init(
    _ sockets: [ListeningSocket], workers: Int, limits: ServerLimits = ServerLimits(),
    handler: @escaping @Sendable (ServedClient) -> any ClientHandler
  ) throws(NetworkFault) {
    self.sockets = sockets
    self.workers = workers
    self.limits = try Self.possible(limits)
    makeHandler = handler
    // Lower numbers are those of `stopping` and the sockets.
    clients = Mutex(Clients(last: UInt64(sockets.count)))
    var ends: [Int32] = [-1, -1]
    epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
    guard epoll >= 0, system_pipe(&ends) == 0 else {
      throw .system(.cannotStart(command: "a server", code: errno))
    }
    stopping = (ends[0], ends[1])
    for (number, descriptor) in ([stopping.read] + sockets.map(\.descriptor)).enumerated() {
      var event = epoll_event()
      event.events = EPOLLIN.rawValue
      event.data.u64 = UInt64(number)
      epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event)
    }
  }

  deinit {
    close(epoll)
    close(stopping.read)
    close(stopping.write)
  }

  /// The limits with as many clients as the process may open descriptors for.
  private static func possible(_ limits: ServerLimits) throws(NetworkFault) -> ServerLimits {
    let limit = descriptorLimit
    let open = (try? Files.names(in: "/proc/self/fd").count) ?? 0
    var limits = limits
    limits.clients = min(limits.clients, limit - open - spareDescriptors)
    guard limits.clients > 0 else { throw .tooFewDescriptors(limit: limit) }
    return limits
  }

  /// The number of descriptors that the process may open, after raising the soft limit up to 4,096.
  private static var descriptorLimit: Int {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    if limit.rlim_cur < min(limit.rlim_max, 4_096) {
      limit.rlim_cur = min(limit.rlim_max, 4_096)
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
    return Int(clamping: limit.rlim_cur)
  }

  /// Starts the threads.
  public func start() throws(NetworkFault) {
    for _ in 0..<workers {
      do throws(SystemFault) {
        try DetachedThread.start { [self] in
          work()
          ended.append(())
        }
      } catch {
        throw .system(error)
      }
    }
  }

  /// Ends the threads, then the connections. Queued answers are sent as far as the clients accept them at once.
  public func stop() {
    for socket in sockets { socket.remove() }
    _ = writeAll([0], to: stopping.write)
    for _ in 0..<workers { ended.take() }
    for client in clients.withLock({ Array($0.byNumber.values) }) { client.end() }
    clients.withLock { $0.byNumber = [:] }
  }

  /// Disconnects clients that do not read what they are sent or do not complete a message, and returns the memory of many that left;
  /// call it every second or so.
  public func sweep() { sweep(at: MonotonicClock.now()) }

  func sweep(at now: Double) {
    for client in clients.withLock({ Array($0.byNumber.values) }) where client.isOverdue(at: now) {
      client.disconnect()
    }
    let count = clients.withLock { $0.byNumber.count }
    let before = lastCount.exchange(count, ordering: .relaxed)
    if before - count >= Self.crowd { FreedMemory.returnToSystem() }
  }

  /// The number of clients that leave within a second whose memory is worth returning to the system.
  private static let crowd = 32

  /// Disconnects the client that occupies most memory if all together occupy too much.
  private func dropLargest() {
    // One thread at a time: the next one finds that enough is free, and spares the second largest.
    dropping.withLock { _ in
      guard held.value > limits.bytes else { return }
      let all = clients.withLock { Array($0.byNumber.values) }
      guard let largest = all.max(by: { $0.heldBytes < $1.heldBytes }) else { return }
      PeerLog.warning(
        "\(largest.peer) is disconnected: all clients together occupy more than \(limits.bytes >> 20) MB, and it most",
        from: largest.host)
      end(largest)
    }
  }

  private func end(_ client: ServedClient) {
    client.end()
    forget(client.number)
  }

  private func forget(_ number: UInt64) {
    clients.withLock {
      $0.byNumber[number] = nil
      $0.isFull = false
    }
  }

  private func work() {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.readSize, alignment: 16)
    defer { buffer.deallocate() }
    while true {
      var event = epoll_event()
      guard epoll_wait(epoll, &event, 1, -1) > 0 else { continue }
      let number = event.data.u64
      if number == 0 { return }
      if number <= sockets.count {
        accept(sockets[Int(number) - 1])
      } else if let client = clients.withLock({ $0.byNumber[number] }) {
        if !client.serve(reading: buffer) { forget(number) }
        if held.value > limits.bytes { dropLargest() }
      }
    }
  }

  private func accept(_ socket: ListeningSocket) {
    var address = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let descriptor = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        system_accept(socket.descriptor, $0, &size)
      }
    }
    guard descriptor >= 0 else {
      // Without a free descriptor the connection stays in the queue, and epoll would report it again at once.
      if errno == EMFILE || errno == ENFILE { usleep(50_000) }
      return
    }
    let host = Self.host(&address, size)
    if let host, !limits.allowed.contains(host.name) {
      close(descriptor)
      PeerLog.warning(
        "\(host.name) is not among those that --allow names; its connection is closed", from: host.name)
      return
    }
    if host != nil {
      ListeningSocket.set(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
      ListeningSocket.set(descriptor, SOL_SOCKET, SO_KEEPALIVE, 1)
      ListeningSocket.set(descriptor, Int32(IPPROTO_TCP), TCP_KEEPIDLE, 60)
      ListeningSocket.set(descriptor, Int32(IPPROTO_TCP), TCP_KEEPINTVL, 15)
      ListeningSocket.set(descriptor, Int32(IPPROTO_TCP), TCP_KEEPCNT, 4)
    }
    adopt(descriptor, peer: host?.peer ?? "\(socket.address)", host: host?.name)
  }

  /// Serves the client at the other end of a connected, non-blocking socket, and closes the socket in the end.
  ///
  /// - Parameter host: its address without the port; nil for `peer`.
  public func adopt(_ descriptor: Int32, peer: String, host: String? = nil) {
    let host = host ?? peer
    var isFirstRefusal = false
    while true {
      let (client, places) = clients.withLock { clients -> (ServedClient?, [ClientPlaces.Place]) in
        if clients.byNumber.count >= limits.clients, peer != Self.ownPeer {
          isFirstRefusal = !clients.isFull
          return (nil, clients.byNumber.values.map(\.place))
        }
        clients.last += 1
        let client = ServedClient(
          clients.last, descriptor: descriptor, peer: peer, host: host, epoll: epoll, heldByAll: held)
        clients.byNumber[clients.last] = client
        return (client, [])
      }
      if let client { return client.begin(makeHandler(client)) }
      guard let place = ClientPlaces.toFree(places, for: host, at: MonotonicClock.now()) else { break }
      if let idle = clients.withLock({ $0.byNumber[place.number] }) { end(idle) }
    }
    close(descriptor)
    clients.withLock { $0.isFull = true }
    if isFirstRefusal {
      Log.warning("\(limits.clients) clients are connected and active; further connections are closed")
    }
  }

  /// The address of a client, alone and with its port; nil for local sockets.
  private static func host(
    _ address: inout sockaddr_storage, _ size: socklen_t
  ) -> (name: String, peer: String)? {
    guard [AF_INET, AF_INET6].contains(Int32(address.ss_family)) else { return nil }
    var host = [CChar](repeating: 0, count: 64)
    var port = [CChar](repeating: 0, count: 8)
    let code = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        getnameinfo($0, size, &host, 64, &port, 8, NI_NUMERICHOST | NI_NUMERICSERV)
      }
    }
    guard code == 0 else { return nil }
    let name = host.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    let number = port.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    return (name, name.contains(":") ? "[\(name)]:\(number)" : "\(name):\(number)")
  }
}
