/// One frame of a WebSocket (RFC 6455, section 5.2).
public struct WebSocketFrame: Sendable, Equatable {
  public enum Opcode: UInt8, Sendable {
    case continuation = 0
    case text = 1
    case binary = 2
    case close = 8
    case ping = 9
    case pong = 10

    var isControl: Bool { rawValue >= 8 }
  }

  public var isFinal: Bool
  public var opcode: Opcode
  public var payload: [UInt8]

  public init(_ opcode: Opcode, _ payload: [UInt8], isFinal: Bool = true) {
    self.isFinal = isFinal
    self.opcode = opcode
    self.payload = payload
  }

  /// The frame as bytes.
  ///
  /// - Parameter mask: four random bytes, new ones for each frame of a client; nil for a frame of a server.
  public func encoded(mask: [UInt8]?) -> [UInt8] {
    var bytes = [(isFinal ? 0x80 : 0) | opcode.rawValue]
    bytes.reserveCapacity(payload.count + 14)
    let flag: UInt8 = mask == nil ? 0 : 0x80
    switch payload.count {
    case ..<126: bytes.append(flag | UInt8(payload.count))
    case ..<65_536:
      bytes.append(flag | 126)
      for shift in [8, 0] { bytes.append(UInt8(truncatingIfNeeded: payload.count >> shift)) }
    default:
      bytes.append(flag | 127)
      for shift in stride(from: 56, through: 0, by: -8) {
        bytes.append(UInt8(truncatingIfNeeded: payload.count >> shift))
      }
    }
    guard let mask else { return bytes + payload }
    bytes += mask
    for (index, byte) in payload.enumerated() { bytes.append(byte ^ mask[index & 3]) }
    return bytes
  }
}

/// A message of a WebSocket, assembled from its frames.
public enum WebSocketMessage: Sendable, Equatable {
  case text(String)
  case binary([UInt8])
  case ping([UInt8])
  case pong([UInt8])
  /// The peer closes the connection; nil if it gives no code.
  case close(code: Int?)
}
