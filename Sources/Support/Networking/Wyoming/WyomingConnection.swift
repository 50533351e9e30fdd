import Platform

/// The client's end of a Wyoming connection. One thread at a time uses it.
public final class WyomingConnection {
  private let connection: Connection
  private var decoder = WyomingDecoder()
  private var waiting: [WyomingEvent] = []

  public var peer: String { connection.peer }

  public init(to endpoint: Connection.Endpoint, _ deadline: Connection.Deadline) throws(NetworkFault) {
    connection = try Connection(to: endpoint, deadline)
  }

  /// `tcp://HOST:PORT` or `unix:///PATH`.
  public static func endpoint(_ text: String) throws(NetworkFault) -> Connection.Endpoint {
    let expected = "tcp://HOST:PORT or unix:///PATH"
    if text.hasPrefix("unix:///") { return .socket(path: String(text.dropFirst("unix://".count))) }
    let address = try WebAddress(text, schemes: ["tcp"], expected: expected)
    guard address.port != nil, ["", "/"].contains(address.target) else {
      throw .badAddress(text, expected: expected)
    }
    return .host(address)
  }

  public func send(_ event: WyomingEvent, _ deadline: Connection.Deadline) throws(NetworkFault) {
    try connection.send(event.encoded(), deadline)
  }

  /// The next event; nil once the peer has closed.
  public func receive(_ deadline: Connection.Deadline) throws(NetworkFault) -> WyomingEvent? {
    while waiting.isEmpty {
      guard let bytes = try connection.receive(deadline) else { return nil }
      try take(bytes)
    }
    return waiting.removeFirst()
  }

  /// The events that have arrived, possibly none; does not wait. Of a peer that never stops sending, 64 KiB at a time.
  public func receiveNow() throws(NetworkFault) -> [WyomingEvent] {
    for _ in 0..<Connection.piecesAtOnce {
      guard let bytes = try connection.receiveNow(), !bytes.isEmpty else { break }
      try take(bytes)
    }
    defer { waiting = [] }
    return waiting
  }

  private func take(_ bytes: [UInt8]) throws(NetworkFault) {
    do throws(WyomingDecoder.Violation) {
      waiting += try decoder.feed(bytes)
    } catch {
      throw .notUnderstood(peer: peer, reason: "sent an invalid Wyoming event (\(error))")
    }
  }
}
