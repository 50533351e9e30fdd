import CSystem
import Glibc
import Platform
import Synchronization

/// Handles one client of a server. One thread at a time calls it, but not always the same thread.
public protocol ClientHandler: AnyObject {
  /// Receives what the client has sent; called only while no work is left.
  ///
  /// - Throws: a fault, which ends the connection.
  func receive(_ bytes: ArraySlice<UInt8>, from client: ServedClient) throws(NetworkFault)
  /// Continues with the remaining work for some milliseconds.
  ///
  /// - Returns: whether more is left; other clients are served first.
  func work(for client: ServedClient) throws(NetworkFault) -> Bool
  /// When the client began a message that is still incomplete, a time of ``MonotonicClock``; nil if there is none.
  var incompleteSince: Double? { get }
  /// Bytes kept of what the client has sent.
  var heldBytes: Int { get }
  /// The connection has ended; `fault` is nil if the client closed it in order.
  func end(_ fault: NetworkFault?)
}

/// A server's end of one connection.
///
/// Any thread may send. What a slow client has not read yet is queued; while more than ``outgoingLimit`` bytes are queued,
/// nothing is read from it.
public final class ServedClient: @unchecked Sendable {
  /// Queued bytes above which nothing is read from the client.
  static let outgoingLimit = 256 << 10
  /// Queued bytes above which the client is disconnected.
  static let outgoingMaximum = 4 << 20
  /// Seconds in which a client must read what it is sent and complete a message that it has begun.
  static let timeout = 30.0

  public let number: UInt64
  /// Its address, for messages.
  public let peer: String
  /// Its address without the port.
  public let host: String
  private let descriptor: Int32
  private let epoll: Int32
  private struct Outbox {
    var bytes: [UInt8] = []
    var sent = 0
    /// When the client last read something, or the queue was last empty.
    var progress: Double
    var isClosing = false
    var isBroken = false

    var count: Int { bytes.count - sent }

    /// Gives back the memory of what was sent.
    mutating func compact() {
      if sent == bytes.count {
        bytes = []
      } else if sent > bytes.count / 2 {
        bytes = Array(bytes[sent...])
      } else {
        return
      }
      sent = 0
    }
  }
  private let outbox: Mutex<Outbox>
  private let incompleteSince = Atomic<UInt64>(0)
  /// How many answers are being made on other threads.
  fileprivate let pendingAnswers = Atomic<Int>(0)
  private let lastActive: Atomic<UInt64>
  private let keepsPlace = Atomic<Bool>(false)
  /// The bytes kept of what the client has sent, and those of all clients together.
  private let held = Atomic<Int>(0)
  private let heldByAll: SharedCount
  /// Held by the thread that serves the client.
  private let turn = Mutex(())
  private var handler: (any ClientHandler)?
  private var hasWork = false
  private let inputHasEnded = Atomic<Bool>(false)

  init(
    _ number: UInt64, descriptor: Int32, peer: String, host: String, epoll: Int32, heldByAll: SharedCount
  ) {
    self.number = number
    self.descriptor = descriptor
    self.peer = peer
    self.host = host
    self.epoll = epoll
    self.heldByAll = heldByAll
    let now = MonotonicClock.now()
    outbox = Mutex(Outbox(progress: now))
    lastActive = Atomic(UInt64(now * 1000))
  }

  deinit {
    heldByAll.add(-held.load(ordering: .relaxed))
    Glibc.close(descriptor)
  }

  /// The bytes kept for the client: of what it has sent, and answers that it has not read.
  var heldBytes: Int { held.load(ordering: .relaxed) }

  var place: ClientPlaces.Place {
    ClientPlaces.Place(
      number: number, host: host, lastActive: Double(lastActive.load(ordering: .relaxed)) / 1000,
      isKept: keepsPlace.load(ordering: .relaxed))
  }

  private func count(_ bytes: Int) {
    heldByAll.add(bytes - held.exchange(bytes, ordering: .relaxed))
  }

  func begin(_ handler: any ClientHandler) {
    self.handler = handler
    noteIncomplete(handler)
    arm(EPOLL_CTL_ADD, reading: true, writing: false)
  }

  /// Sends `bytes` as soon as the client reads them; ignored after the connection has ended.
  public func send(_ bytes: [UInt8]) {
    let mustWait = outbox.withLock { outbox in
      guard !outbox.isClosing, !outbox.isBroken else { return false }
      let wasEmpty = outbox.count == 0
      if wasEmpty { outbox.progress = MonotonicClock.now() }
      outbox.bytes += bytes
      flush(&outbox)
      if outbox.count > Self.outgoingMaximum { outbox.isBroken = true }
      return wasEmpty && outbox.count > 0 || outbox.isBroken
    }
    if mustWait { arm(EPOLL_CTL_MOD, reading: true, writing: true) }
  }

  /// From now on the client keeps its place when others want to connect and none is free.
  public func keepPlace() { keepsPlace.store(true, ordering: .relaxed) }

  /// Keeps the connection after the end of the client's input as long as the result lives, or something that has it.
  public func pendingAnswer() -> PendingAnswer { PendingAnswer(self) }

  fileprivate func answered() {
    pendingAnswers.subtract(1, ordering: .sequentiallyConsistent)
    // Before the end of the input something else arms it, and a second arming would let another thread wait for this client.
    if inputHasEnded.load(ordering: .sequentiallyConsistent) {
      arm(EPOLL_CTL_MOD, reading: true, writing: true)
    }
  }

  /// Ends the connection once the client has read what it was sent.
  public func close() {
    outbox.withLock { $0.isClosing = true }
    arm(EPOLL_CTL_MOD, reading: true, writing: true)
  }

  /// Whether the client has exceeded ``timeout``.
  func isOverdue(at now: Double) -> Bool {
    let since = incompleteSince.load(ordering: .relaxed)
    if since > 0, now - Double(since) / 1000 > Self.timeout { return true }
    return outbox.withLock { $0.count > 0 && now - $0.progress > Self.timeout }
  }

  /// Shuts the connection down; the thread that serves it next ends it.
  func disconnect() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  /// Serves the client for some milliseconds.
  ///
  /// - Parameter buffer: the thread's read buffer.
  /// - Returns: false when the connection has ended.
  func serve(reading buffer: UnsafeMutableRawBufferPointer) -> Bool {
    turn.withLock { _ in
      guard let handler else { return false }
      do throws(NetworkFault) {
        if try !advance(handler, buffer) {
          finish(nil)
          return false
        }
      } catch {
        finish(error)
        return false
      }
      return true
    }
  }

  /// Ends the connection from the server's side.
  func end() {
    turn.withLock { _ in
      outbox.withLock { flush(&$0) }
      finish(nil)
    }
  }

  private func finish(_ fault: NetworkFault?) {
    handler?.end(fault)
    handler = nil
    outbox.withLock { $0.isBroken = true }
    // At once: other threads may refer to this client for a while, and its bytes must not cost another client its connection.
    count(0)
    epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, nil)
    shutdown(descriptor, Int32(SHUT_RDWR))
  }

  private func advance(
    _ handler: any ClientHandler, _ buffer: UnsafeMutableRawBufferPointer
  ) throws(NetworkFault) -> Bool {
    let before = outbox.withLock { outbox in
      flush(&outbox)
      return (waiting: outbox.count, isClosing: outbox.isClosing, isBroken: outbox.isBroken)
    }
    if before.isBroken { throw .closed(peer: peer) }
    if before.isClosing, before.waiting == 0 { return false }
    if !before.isClosing, before.waiting <= Self.outgoingLimit {
      if hasWork {
        hasWork = try handler.work(for: self)
      } else if !inputHasEnded.load(ordering: .relaxed) {
        try read(handler, buffer)
      }
    }
    let state = outbox.withLock { (waiting: $0.count, isClosing: $0.isClosing, isBroken: $0.isBroken) }
    if state.isBroken { throw .closed(peer: peer) }
    let hasEnded = inputHasEnded.load(ordering: .sequentiallyConsistent)
    let isAwaited = pendingAnswers.load(ordering: .sequentiallyConsistent) > 0
    let isOver = state.isClosing || hasEnded && !hasWork && !isAwaited
    if isOver, state.waiting == 0 { return false }
    let reads = !isOver && !hasWork && !hasEnded && state.waiting <= Self.outgoingLimit
    let writes = hasWork || state.waiting > 0
    count(handler.heldBytes + state.waiting)
    // After the end of the input nothing happens before the answer, which arms the connection again.
    if reads || writes { arm(EPOLL_CTL_MOD, reading: reads, writing: writes) }
    return true
  }

  private func read(
    _ handler: any ClientHandler, _ buffer: UnsafeMutableRawBufferPointer
  ) throws(NetworkFault) {
    let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
    if count < 0 {
      if errno == EAGAIN || errno == EINTR { return }
      throw .closed(peer: peer)
    }
    if count == 0 {
      inputHasEnded.store(true, ordering: .sequentiallyConsistent)
      return
    }
    lastActive.store(UInt64(MonotonicClock.now() * 1000), ordering: .relaxed)
    let bytes = [UInt8](UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    try handler.receive(bytes[...], from: self)
    hasWork = try handler.work(for: self)
    noteIncomplete(handler)
  }

  private func noteIncomplete(_ handler: any ClientHandler) {
    incompleteSince.store(UInt64((handler.incompleteSince ?? 0) * 1000), ordering: .relaxed)
  }

  private func flush(_ outbox: inout Outbox) {
    while outbox.count > 0 {
      let sent = outbox.bytes[outbox.sent...].withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if sent <= 0 {
        if errno == EINTR { continue }
        if errno != EAGAIN { outbox.isBroken = true }
        break
      }
      outbox.sent += sent
      outbox.progress = MonotonicClock.now()
    }
    outbox.compact()
  }

  private func arm(_ operation: Int32, reading: Bool, writing: Bool) {
    var event = epoll_event()
    event.events =
      EPOLLONESHOT.rawValue | (reading ? EPOLLIN.rawValue : 0) | (writing ? EPOLLOUT.rawValue : 0)
    event.data.u64 = number
    epoll_ctl(epoll, operation, descriptor, &event)
  }
}

/// An answer to a client that is being made on another thread; the thread releases it when the answer has been sent.
public final class PendingAnswer: Sendable {
  private let client: ServedClient

  fileprivate init(_ client: ServedClient) {
    self.client = client
    client.pendingAnswers.add(1, ordering: .relaxed)
  }

  deinit { client.answered() }
}

/// A number that several objects change.
final class SharedCount: Sendable {
  private let atomic = Atomic<Int>(0)

  var value: Int { atomic.load(ordering: .relaxed) }

  func add(_ difference: Int) { atomic.add(difference, ordering: .relaxed) }
}
