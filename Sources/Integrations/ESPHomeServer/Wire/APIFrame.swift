/// A message of the native API: its type and its encoded fields.
public struct APIFrame: Sendable, Equatable {
  public let type: Int
  public let body: [UInt8]

  public init(type: Int, body: [UInt8] = []) {
    self.type = type
    self.body = body
  }

  /// The maximum size of a message's body in bytes, as in ESPHome.
  static let limit = 65_535
  /// The largest number of a message's type.
  static let highestType = 65_535

  /// The frame of a connection without encryption: a byte of zero, the size, the type, the body.
  func plain() -> [UInt8] {
    var bytes: [UInt8] = [0]
    ProtobufWriter.append(UInt64(body.count), to: &bytes)
    ProtobufWriter.append(UInt64(type), to: &bytes)
    return bytes + body
  }
}

/// Why a connection ends: what the client has sent is not the protocol, or not with this device's key.
public enum FrameViolation: Error, Equatable, Sendable {
  /// The client encrypts, and this device does not.
  case encrypted
  /// The client does not encrypt, and this device does.
  case notEncrypted
  case badIndicator(UInt8)
  case longNumber
  case tooLong(size: UInt64)
  case badType(UInt64)
  /// A message of the handshake is empty, or begins with something else than 0.
  case badHandshake
  /// The client has another key.
  case wrongKey
  /// An encrypted message was changed on its way, or has less than four bytes.
  case corrupt
  /// The body of a message is not protobuf.
  case badBody(type: Int)

  /// What the client is sent before the connection ends, as by ESPHome.
  var reply: [UInt8] {
    switch self {
    case .encrypted: [0] + Array("Bad indicator byte".utf8)
    case .notEncrypted: Self.rejection("Bad indicator byte")
    case .wrongKey: Self.rejection("Handshake MAC failure")
    case .badHandshake: Self.rejection("Bad handshake error byte")
    case .badIndicator, .longNumber, .tooLong, .badType, .corrupt, .badBody: []
    }
  }

  /// A message of the handshake that refuses the connection.
  private static func rejection(_ reason: String) -> [UInt8] {
    NoiseFrameDecoder.frame([1] + Array(reason.utf8))
  }

  /// What is wrong and what to do, for the log.
  var reason: String {
    switch self {
    case .encrypted:
      "connects with encryption, which is off here; remove the key there, or --unencrypted here"
    case .notEncrypted:
      "connects without encryption; enter the key there, which 'hotword satellite --show-key' prints"
    case .wrongKey:
      "has another encryption key; enter the key there, which 'hotword satellite --show-key' prints"
    case .badIndicator(let byte): "sent no frame of ESPHome's native API: it begins with the byte \(byte)"
    case .longNumber: "sent a number of more than four bytes in a frame"
    case .tooLong(let size): "sent a frame of \(size) bytes; the limit is \(APIFrame.limit)"
    case .badType(let type): "sent a message of the unknown type \(type)"
    case .badHandshake: "sent an invalid handshake"
    case .badBody(let type): "sent a message of type \(type) that is not protobuf"
    case .corrupt: "sent an encrypted message that was changed on its way"
    }
  }
}
