import Platform

/// The client's end of a WebSocket. One thread at a time uses it.
public final class WebSocketConnection {
  private let connection: Connection
  private var decoder: WebSocketDecoder
  private var waiting: [WebSocketMessage] = []
  private var random = SystemRandomNumberGenerator()

  public var peer: String { connection.peer }

  /// Connects and performs the opening handshake.
  ///
  /// - Parameters:
  ///   - address: with the scheme `ws` or `wss`.
  ///   - limit: the maximum size of one message in bytes.
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
        throw .notUnderstood(peer: connection.peer, reason: Self.text(of: error))
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

  /// The next message other than a ping or pong; nil once the peer has closed.
  public func receive(_ deadline: Connection.Deadline) throws(NetworkFault) -> WebSocketMessage? {
    while true {
      if let message = try next(deadline) { return message == .close(code: nil) ? nil : message }
      guard let bytes = try connection.receive(deadline) else { return nil }
      try take(bytes)
    }
  }

  /// The messages other than pings and pongs that have arrived, possibly none; does not wait for more. Of a peer that never
  /// stops sending, 64 KiB at a time. The last one is a close once the peer has closed.
  ///
  /// - Parameter deadline: until when pings are answered.
  public func receiveNow(_ deadline: Connection.Deadline) throws(NetworkFault) -> [WebSocketMessage] {
    var messages: [WebSocketMessage] = []
    for _ in 0..<Connection.piecesAtOnce {
      while let message = try next(deadline) {
        messages.append(message)
        if message == .close(code: nil) { return messages }
      }
      guard let bytes = try connection.receiveNow() else { return messages + [.close(code: nil)] }
      if bytes.isEmpty { break }
      try take(bytes)
    }
    return messages
  }

  /// Waits until bytes arrive, for `seconds` at most; without the checks for cancellation of ``receive(_:)``, so that an idle
  /// connection costs nothing. Call it after ``receiveNow(_:)`` has returned nothing.
  public func wait(for seconds: Double) { connection.wait(for: seconds) }

  /// Sends a close frame without waiting for the answer.
  public func close() {
    let normal = WebSocketFrame(.close, [0x03, 0xE8])
    try? send(normal, Connection.Deadline(seconds: 0.1))
  }

  /// The next queued message. Answers pings; returns a close without its code.
  private func next(_ deadline: Connection.Deadline) throws(NetworkFault) -> WebSocketMessage? {
    while !waiting.isEmpty {
      let message = waiting.removeFirst()
      switch message {
      case .text, .binary: return message
      case .pong: break
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
      // Of several pings, only the last needs an answer: RFC 6455, section 5.5.3.
      let lastPing = waiting.lastIndex { if case .ping = $0 { true } else { false } }
      waiting = waiting.enumerated().filter { index, message in
        if case .ping = message { index == lastPing } else if case .pong = message { false } else { true }
      }.map(\.element)
    } catch {
      if case .tooLarge(let limit) = error { throw .tooLarge(peer: peer, limit: limit) }
      throw .notUnderstood(peer: peer, reason: "sent an invalid WebSocket frame (\(error))")
    }
  }

  private static func bytes(_ count: Int, from random: inout SystemRandomNumberGenerator) -> [UInt8] {
    (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }
  }

  private static func text(of violation: WebSocketHandshake.Violation) -> String {
    switch violation {
    case .refused(let status?): "answered the WebSocket handshake with status \(status)"
    case .refused(nil), .tooLarge: "is not a WebSocket server"
    case .badHeader(let name): "answered the WebSocket handshake with a wrong header \(name)"
    }
  }
}
