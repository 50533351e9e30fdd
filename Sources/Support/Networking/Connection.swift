import CNetwork
import Platform

/// A stream of bytes to another program: TCP, TLS, or a local socket.
///
/// One thread at a time uses it. No call waits past its deadline; cancellation is checked every 50 ms.
public final class Connection {
  public enum Endpoint: Sendable, Hashable {
    /// The port is that of the address or its scheme (`ws` 80, `wss` 443); `wss` and `https` use TLS.
    case host(WebAddress)
    /// A local socket.
    case socket(path: String)

    /// The name for messages.
    public var peer: String {
      switch self {
      case .host(let address): address.peer
      case .socket(let path): path
      }
    }
  }

  /// When an operation times out, and whether it has been cancelled.
  public struct Deadline {
    /// The whole time in seconds, for messages.
    public let seconds: Double
    let isCancelled: () -> Bool
    private let end: Double

    /// - Parameters:
    ///   - seconds: from now.
    ///   - isCancelled: called every 50 ms; the operation ends once it returns true.
    public init(seconds: Double, isCancelled: @escaping () -> Bool = { false }) {
      self.seconds = seconds
      self.isCancelled = isCancelled
      end = MonotonicClock.now() + seconds
    }

    /// Seconds until the end, at least 0.
    public var remaining: Double { max(0, end - MonotonicClock.now()) }
  }

  /// The maximum number of pieces of up to 16 KiB that one call takes from a peer without waiting. What it sends beyond that
  /// waits in its socket.
  static let piecesAtOnce = 4
  /// Milliseconds between two checks for cancellation.
  private static let slice: Int32 = 50

  public let peer: String
  private let pointer: OpaquePointer
  private var chunk = [UInt8](repeating: 0, count: 16_384)

  /// Connects.
  ///
  /// - Parameter authorities: a file of certificates to trust instead of the system's.
  public init(
    to endpoint: Endpoint, authorities: String? = nil, _ deadline: Deadline
  ) throws(NetworkFault) {
    try NetworkLibrary.load()
    peer = endpoint.peer
    let url: String
    var path: String?
    switch endpoint {
    case .host(let address):
      let isSecure = ["wss", "https"].contains(address.scheme)
      url = "\(isSecure ? "https" : "http")://\(address.peer)"
    case .socket(let socket):
      url = "http://localhost"
      path = socket
    }
    var ending = net_done
    var reason = [CChar](repeating: 0, count: Int(net_reason_size))
    let cancellation = Cancellation(deadline.isCancelled)
    let opened = withExtendedLifetime(cancellation) {
      net_open(
        url, path, authorities, deadline.remaining, Cancellation.callback,
        Unmanaged.passUnretained(cancellation).toOpaque(), &ending, &reason)
    }
    guard let opened else {
      throw Self.fault(ending, peer: endpoint.peer, reason: reason, seconds: deadline.seconds)
    }
    pointer = opened
  }

  deinit { net_close(pointer) }

  /// Sends all of `bytes`.
  public func send(_ bytes: [UInt8], _ deadline: Deadline) throws(NetworkFault) {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBufferPointer { net_send(pointer, $0.baseAddress!, $0.count) }
      if count > 0 {
        sent += count
      } else if count == net_would_block {
        try pause(forWriting: true, deadline)
      } else {
        throw .closed(peer: peer)
      }
    }
  }

  /// The next bytes, as soon as they arrive; nil once the peer has closed.
  ///
  /// Ends at the deadline also if there are bytes: a caller that waits for a certain answer would otherwise wait as long as a
  /// peer sends others.
  public func receive(_ deadline: Deadline) throws(NetworkFault) -> [UInt8]? {
    while true {
      try check(deadline)
      let bytes = try receiveNow()
      if bytes == nil || bytes?.isEmpty == false { return bytes }
      try pause(forWriting: false, deadline)
    }
  }

  /// The bytes that have arrived, possibly none; nil once the peer has closed.
  public func receiveNow() throws(NetworkFault) -> [UInt8]? {
    let count = chunk.withUnsafeMutableBufferPointer { net_receive(pointer, $0.baseAddress!, $0.count) }
    if count > 0 { return Array(chunk[..<count]) }
    return count == net_would_block ? [] : nil
  }

  /// Waits until bytes arrive, for `seconds` at most.
  func wait(for seconds: Double) { net_wait(pointer, false, Int32(max(0, min(seconds, 3_600)) * 1000)) }

  private func check(_ deadline: Deadline) throws(NetworkFault) {
    if deadline.isCancelled() { throw .cancelled }
    if deadline.remaining <= 0 { throw .timedOut(peer: peer, seconds: deadline.seconds) }
  }

  private func pause(forWriting: Bool, _ deadline: Deadline) throws(NetworkFault) {
    try check(deadline)
    net_wait(pointer, forWriting, min(Self.slice, Int32(deadline.remaining * 1000) + 1))
  }

  static func fault(_ ending: net_ending, peer: String, reason: [CChar], seconds: Double) -> NetworkFault {
    let reason = NetworkLibrary.text(reason)
    switch ending {
    case net_cancelled: return .cancelled
    case net_timed_out: return .timedOut(peer: peer, seconds: seconds)
    case net_unreachable: return .unreachable(peer: peer, reason: reason)
    case net_untrusted: return .untrusted(peer: peer, reason: reason)
    default: return .failed(peer: peer, reason: reason)
    }
  }
}
