import Platform

/// The client's end of a WebSocket. Belongs to one thread at a time.
public final class WebSocketConnection {
  private let connection: Connection
  private var decoder: WebSocketDecoder
  private var waiting: [WebSocketMessage] = []
  private var random = SystemRandomNumberGenerator()

  public var peer: String { connection.peer }

  /// Connects and shakes hands.
  ///
  /// - Parameters:
  ///   - address: of the scheme `ws` or `wss`.
  ///   - limit: the most bytes of one message.
  public init(
    _ address: WebAddress, headers: [HTTPRequest.Header] = [], authorities: String? = nil,
    limit: Int = 1 << 20, _ deadline: Connection.Deadline
  ) throws(NetworkFault) {
    var handshake = try WebSocketHandshake(
      address, nonce: Self.bytes(16, from: &random), headers: headers)
    connection = try Connection(to: .host(address), authorities: authorities, deadline)
    decoder = WebSocketDecoder(limit: limit)
    try connection.send(handshake.request, deadline)
    var rest: [UInt8]?
    while rest == nil {
      guard let bytes = try connection.receive(deadline) else { throw .closed(peer: connection.peer) }
      do throws(WebSocketHandshake.Violation) {
        rest = try handshake.feed(bytes)
      } catch {
        throw .notUnderstood(peer: connection.peer, reason: Self.words(for: error))
      }
    }
    try take(rest ?? [])
  }

  public func send(text: String, _ deadline: Connection.Deadline) throws(NetworkFault) {
    try send(WebSocketFrame(.text, Array(text.utf8)), deadline)
  }

  public func send(binary: [UInt8], _ deadline: Connection.Deadline) throws(NetworkFault) {
    try send(WebSocketFrame(.binary, binary), deadline)
  }

  /// The next message that is no ping or pong; nil once the peer has closed.
  public func receive(_ deadline: Connection.Deadline) throws(NetworkFault) -> WebSocketMessage? {
    while true {
      if let message = try next(deadline) { return message == .close(code: nil) ? nil : message }
      guard let bytes = try connection.receive(deadline) else { return nil }
      try take(bytes)
    }
  }

  /// Such a message if one is there already; nil otherwise.
  public func receiveNow(_ deadline: Connection.Deadline) throws(NetworkFault) -> WebSocketMessage? {
    while true {
      if let message = try next(deadline) { return message }
      guard let bytes = try connection.receiveNow(), !bytes.isEmpty else { return nil }
      try take(bytes)
    }
  }

  /// Says goodbye without waiting for the answer.
  public func close() {
    let normal = WebSocketFrame(.close, [0x03, 0xE8])
    try? send(normal, Connection.Deadline(seconds: 0.1))
  }

  /// The next waiting message; pings are answered on the way. A close is given without its code.
  private func next(_ deadline: Connection.Deadline) throws(NetworkFault) -> WebSocketMessage? {
    while !waiting.isEmpty {
      let message = waiting.removeFirst()
      switch message {
      case .text, .binary: return message
      case .pong: continue
      case .ping(let payload): try send(WebSocketFrame(.pong, payload), deadline)
      case .close:
        waiting = [.close(code: nil)]
        return .close(code: nil)
      }
    }
    return nil
  }

  private func send(_ frame: WebSocketFrame, _ deadline: Connection.Deadline) throws(NetworkFault) {
    try connection.send(frame.encoded(mask: Self.bytes(4, from: &random)), deadline)
  }

  private func take(_ bytes: [UInt8]) throws(NetworkFault) {
    do throws(WebSocketDecoder.Violation) {
      waiting += try decoder.feed(bytes)
    } catch {
      if case .tooLarge(let limit) = error { throw .tooLarge(peer: peer, limit: limit) }
      throw .notUnderstood(peer: peer, reason: "sent what is no WebSocket frame (\(error))")
    }
  }

  private static func bytes(_ count: Int, from random: inout SystemRandomNumberGenerator) -> [UInt8] {
    (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }
  }

  private static func words(for violation: WebSocketHandshake.Violation) -> String {
    switch violation {
    case .refused(let status?): "answered the WebSocket's opening with status \(status)"
    case .refused(nil), .tooLarge: "does not speak WebSocket"
    case .badHeader(let name): "answered the WebSocket's opening with a wrong \(name)"
    }
  }
}
