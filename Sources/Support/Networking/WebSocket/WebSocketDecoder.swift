/// Decodes the messages of a WebSocket server.
///
/// A value without I/O: bytes may arrive in pieces of any size. Violations of the protocol and messages over `limit` are
/// errors; after an error every call throws the same one.
public struct WebSocketDecoder: Sendable {
  /// What is wrong with the bytes.
  public enum Violation: Error, Sendable, Equatable {
    case reservedBits
    case unknownOpcode(UInt8)
    /// Servers must not mask.
    case masked
    case longControlFrame
    case fragmentedControlFrame
    /// A length is not encoded in the shortest form.
    case overlongLength
    case tooLarge(limit: Int)
    case unexpectedContinuation
    /// A message begins within another.
    case interleaved
    case notUTF8
    case badClose
  }

  private enum State {
    case header
    case payload(WebSocketFrame.Opcode, isFinal: Bool, length: Int)
    case closed
    case broken(Violation)
  }

  /// The maximum size of one message in bytes.
  public let limit: Int
  private var state = State.header
  private var buffer: [UInt8] = []
  private var message: (opcode: WebSocketFrame.Opcode, payload: [UInt8])?

  public init(limit: Int = 1 << 20) { self.limit = limit }

  /// Decodes the next bytes and returns the messages that they complete.
  public mutating func feed(_ bytes: some Sequence<UInt8>) throws(Violation) -> [WebSocketMessage] {
    buffer += bytes
    var messages: [WebSocketMessage] = []
    var position = 0
    defer { buffer.removeFirst(position) }
    do throws(Violation) {
      while try advance(&position, &messages) {}
    } catch {
      state = .broken(error)
      throw error
    }
    return messages
  }

  /// Decodes one header or payload; returns false if more bytes are needed.
  private mutating func advance(
    _ position: inout Int, _ messages: inout [WebSocketMessage]
  ) throws(Violation) -> Bool {
    switch state {
    case .broken(let violation): throw violation
    case .closed:
      position = buffer.count
      return false
    case .header:
      guard let header = try header(at: position) else { return false }
      position += header.size
      state = .payload(header.opcode, isFinal: header.isFinal, length: header.length)
    case .payload(let opcode, let isFinal, let length):
      guard buffer.count - position >= length else { return false }
      let payload = Array(buffer[position..<position + length])
      position += length
      state = .header
      if let message = try complete(opcode, isFinal, payload) { messages.append(message) }
    }
    return true
  }

  private typealias Header = (opcode: WebSocketFrame.Opcode, isFinal: Bool, length: Int, size: Int)

  private func header(at position: Int) throws(Violation) -> Header? {
    guard buffer.count - position >= 2 else { return nil }
    let first = buffer[position]
    let second = buffer[position + 1]
    guard first & 0x70 == 0 else { throw .reservedBits }
    guard let opcode = WebSocketFrame.Opcode(rawValue: first & 0x0F) else {
      throw .unknownOpcode(first & 0x0F)
    }
    guard second & 0x80 == 0 else { throw .masked }
    let isFinal = first & 0x80 != 0
    if opcode.isControl {
      guard second < 126 else { throw .longControlFrame }
      guard isFinal else { throw .fragmentedControlFrame }
    } else if opcode == .continuation {
      guard message != nil else { throw .unexpectedContinuation }
    } else {
      guard message == nil else { throw .interleaved }
    }
    let extra = second < 126 ? 0 : second == 126 ? 2 : 8
    guard buffer.count - position >= 2 + extra else { return nil }
    var length = UInt64(second)
    if extra > 0 {
      length = buffer[(position + 2)..<(position + 2 + extra)].reduce(0) { $0 << 8 | UInt64($1) }
      guard length >= (extra == 2 ? 126 : 65_536) else { throw .overlongLength }
    }
    guard length <= UInt64(limit - min(limit, message?.payload.count ?? 0)) || opcode.isControl else {
      throw .tooLarge(limit: limit)
    }
    return (opcode, isFinal, Int(length), 2 + extra)
  }

  private mutating func complete(
    _ opcode: WebSocketFrame.Opcode, _ isFinal: Bool, _ payload: [UInt8]
  ) throws(Violation) -> WebSocketMessage? {
    switch opcode {
    case .ping: return .ping(payload)
    case .pong: return .pong(payload)
    case .close:
      guard payload.count != 1 else { throw .badClose }
      state = .closed
      return .close(code: payload.isEmpty ? nil : Int(payload[0]) << 8 | Int(payload[1]))
    case .text, .binary, .continuation:
      let begun = message ?? (opcode, [])
      message = (begun.opcode, begun.payload + payload)
      guard isFinal, let whole = message else { return nil }
      message = nil
      guard whole.opcode == .text else { return .binary(whole.payload) }
      guard let text = String(validating: whole.payload, as: UTF8.self) else { throw .notUTF8 }
      return .text(text)
    }
  }
}
