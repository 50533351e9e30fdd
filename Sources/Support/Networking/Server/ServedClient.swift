import CNetwork
import Glibc
import Platform
import Synchronization

/// What a server does for one of its clients; one thread at a time calls it, not always the same.
public protocol ClientHandler: AnyObject {
  /// Takes what the client has sent; called only while no work is left.
  ///
  /// - Throws: ends the connection.
  func receive(_ bytes: ArraySlice<UInt8>, from client: ServedClient) throws(NetworkFault)
  /// Goes on with what is left of it, for some milliseconds.
  ///
  /// - Returns: whether more is left; other clients come first.
  func work(for client: ServedClient) throws(NetworkFault) -> Bool
  /// Since when the client has not ended what it has begun to say, a time of ``MonotonicClock``; nil where it has.
  var awaitsRestSince: Double? { get }
  /// The connection has ended; `fault` says why where the client did not do it in order.
  func end(_ fault: NetworkFault?)
}

/// A server's end of one connection.
///
/// Any thread may send; what the client is too slow for waits, and once that is more than ``outgoingLimit`` nothing
/// is read from it until it has read.
public final class ServedClient: @unchecked Sendable {
  /// What waits for a client before it is heard no longer.
  static let outgoingLimit = 256 << 10
  /// What waits for a client before it is given up.
  static let mostOutgoing = 4 << 20
  /// Seconds in which a client must read what it is sent, and end what it has begun to say.
  static let timeout = 30.0

  public let number: UInt64
  /// Its address, for messages.
  public let peer: String
  private let descriptor: Int32
  private let epoll: Int32
  private struct Outbox {
    var bytes: [UInt8] = []
    var sent = 0
    /// When the client last took something, or nothing waited.
    var progress: Double
    var isClosing = false
    var isBroken = false

    var count: Int { bytes.count - sent }
  }
  private let outbox: Mutex<Outbox>
  private let awaitsRestSince = Atomic<UInt64>(0)
  /// Held by the thread that serves the client.
  private let turn = Mutex(())
  private var handler: (any ClientHandler)?
  private var hasWork = false
  private var inputHasEnded = false

  init(_ number: UInt64, descriptor: Int32, peer: String, epoll: Int32) {
    self.number = number
    self.descriptor = descriptor
    self.peer = peer
    self.epoll = epoll
    outbox = Mutex(Outbox(progress: MonotonicClock.now()))
  }

  deinit { Glibc.close(descriptor) }

  func begin(_ handler: any ClientHandler) {
    self.handler = handler
    arm(EPOLL_CTL_ADD, reading: true, writing: false)
  }

  /// Sends `bytes` as soon as the client takes them; nothing to one that has gone.
  public func send(_ bytes: [UInt8]) {
    let mustWait = outbox.withLock { outbox in
      guard !outbox.isClosing, !outbox.isBroken else { return false }
      let wasEmpty = outbox.count == 0
      if wasEmpty { outbox.progress = MonotonicClock.now() }
      outbox.bytes += bytes
      flush(&outbox)
      if outbox.count > Self.mostOutgoing { outbox.isBroken = true }
      return wasEmpty && outbox.count > 0 || outbox.isBroken
    }
    if mustWait { arm(EPOLL_CTL_MOD, reading: true, writing: true) }
  }

  /// Ends the connection once the client has taken what it was sent.
  public func close() {
    outbox.withLock { $0.isClosing = true }
    arm(EPOLL_CTL_MOD, reading: true, writing: true)
  }

  /// Whether it is time to give the client up.
  func isOverdue(at now: Double) -> Bool {
    let since = awaitsRestSince.load(ordering: .relaxed)
    if since > 0, now - Double(since) / 1000 > Self.timeout { return true }
    return outbox.withLock { $0.count > 0 && now - $0.progress > Self.timeout }
  }

  /// Breaks the connection; the thread that serves it next ends it.
  func disconnect() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  /// Serves the client for a turn of some milliseconds.
  ///
  /// - Parameter buffer: what the thread reads into.
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
      } else if !inputHasEnded {
        try read(handler, buffer)
      }
    }
    let state = outbox.withLock { (waiting: $0.count, isClosing: $0.isClosing, isBroken: $0.isBroken) }
    if state.isBroken { throw .closed(peer: peer) }
    let isOver = state.isClosing || inputHasEnded && !hasWork
    if isOver, state.waiting == 0 { return false }
    let reads = !isOver && !hasWork && state.waiting <= Self.outgoingLimit
    arm(EPOLL_CTL_MOD, reading: reads, writing: hasWork || state.waiting > 0)
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
      inputHasEnded = true
      return
    }
    let bytes = [UInt8](UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    try handler.receive(bytes[...], from: self)
    hasWork = try handler.work(for: self)
    awaitsRestSince.store(UInt64((handler.awaitsRestSince ?? 0) * 1000), ordering: .relaxed)
  }

  private func flush(_ outbox: inout Outbox) {
    while outbox.count > 0 {
      let sent = outbox.bytes[outbox.sent...].withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if sent <= 0 {
        if errno == EINTR { continue }
        if errno != EAGAIN { outbox.isBroken = true }
        return
      }
      outbox.sent += sent
      outbox.progress = MonotonicClock.now()
    }
    outbox.bytes = []
    outbox.sent = 0
  }

  private func arm(_ operation: Int32, reading: Bool, writing: Bool) {
    var event = epoll_event()
    event.events =
      EPOLLONESHOT.rawValue | (reading ? EPOLLIN.rawValue : 0) | (writing ? EPOLLOUT.rawValue : 0)
    event.data.u64 = number
    epoll_ctl(epoll, operation, descriptor, &event)
  }
}
