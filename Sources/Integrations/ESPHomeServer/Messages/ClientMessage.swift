/// A message of a client, such as Home Assistant, to the device.
public enum ClientMessage: Sendable, Equatable {
  case hello(client: String)
  case authentication
  case disconnectRequest
  case disconnectResponse
  case pingRequest
  case pingResponse
  case deviceInfoRequest
  case listEntitiesRequest
  case subscribeStates
  case switchCommand(key: UInt32, isOn: Bool)
  case numberCommand(key: UInt32, value: Float)
  case mediaPlayerCommand(MediaPlayerCommand)
  case subscribeVoiceAssistant(isSubscribed: Bool)
  case voiceAssistantResponse(isError: Bool)
  case voiceAssistantEvent(VoiceAssistantEvent)
  case voiceAssistantAudio([UInt8])
  case voiceAssistantTimer(VoiceAssistantTimer)
  case voiceAssistantAnnounce(VoiceAssistantAnnouncement)
  case voiceAssistantConfigurationRequest
  case voiceAssistantSetConfiguration([String])
  case encryptionSetKey
  /// A message that has no meaning for a satellite.
  case other

  /// - Throws: ``ProtobufReader/Violation`` for a body that is not protobuf.
  public init(_ frame: APIFrame) throws(ProtobufReader.Violation) {
    let fields = try ProtobufReader(frame.body[...])
    self =
      switch frame.type {
      case 1: .hello(client: fields.text(1))
      case 3: .authentication
      case 5: .disconnectRequest
      case 6: .disconnectResponse
      case 7: .pingRequest
      case 8: .pingResponse
      case 9: .deviceInfoRequest
      case 11: .listEntitiesRequest
      case 20: .subscribeStates
      case 33: .switchCommand(key: fields.fixed32(1), isOn: fields.flag(2))
      case 51: .numberCommand(key: fields.fixed32(1), value: fields.float(2))
      case 65: .mediaPlayerCommand(MediaPlayerCommand(fields))
      case 89: .subscribeVoiceAssistant(isSubscribed: fields.flag(1))
      case 91: .voiceAssistantResponse(isError: fields.flag(2))
      case 92: .voiceAssistantEvent(try VoiceAssistantEvent(fields))
      case 106: .voiceAssistantAudio(Array(fields.bytes(1)))
      case 115: .voiceAssistantTimer(VoiceAssistantTimer(fields))
      case 119: .voiceAssistantAnnounce(VoiceAssistantAnnouncement(fields))
      case 121: .voiceAssistantConfigurationRequest
      case 123: .voiceAssistantSetConfiguration(fields.texts(1))
      case 124: .encryptionSetKey
      default: .other
      }
  }
}

/// A command for the media player.
public struct MediaPlayerCommand: Sendable, Equatable {
  public enum Verb: UInt64, Sendable {
    case play, pause, stop, mute, unmute, toggle, volumeUp, volumeDown
  }

  public let key: UInt32
  /// nil for none, and for one that this device does not have.
  public let verb: Verb?
  /// 0…1
  public let volume: Float?
  public let address: String?
  public let isAnnouncement: Bool

  init(_ fields: ProtobufReader) {
    key = fields.fixed32(1)
    verb = fields.flag(2) ? Verb(rawValue: fields.number(3)) : nil
    volume = fields.flag(4) ? fields.float(5) : nil
    address = fields.flag(6) ? fields.text(7) : nil
    isAnnouncement = fields.flag(8) && fields.flag(9)
  }
}

/// What happens in Home Assistant's voice assistant.
public struct VoiceAssistantEvent: Sendable, Equatable {
  public enum Kind: UInt64, Sendable {
    case error, runStart, runEnd, sttStart, sttEnd, intentStart, intentEnd, ttsStart, ttsEnd, wakeWordStart,
      wakeWordEnd, sttVadStart, sttVadEnd
    case ttsStreamStart = 98
    case ttsStreamEnd = 99
    case intentProgress = 100
  }

  /// nil for one of a later version.
  public let kind: Kind?
  private let data: [String: String]

  init(_ fields: ProtobufReader) throws(ProtobufReader.Violation) {
    var data: [String: String] = [:]
    for item in fields.all(2) {
      let pair = try ProtobufReader(item)
      data[pair.text(1)] = pair.text(2)
    }
    kind = Kind(rawValue: fields.number(1))
    self.data = data
  }

  public subscript(name: String) -> String? { data[name] }
}

/// A timer of Home Assistant.
public struct VoiceAssistantTimer: Sendable, Equatable {
  /// nil for a state of a later version.
  public let state: String?
  public let id: String
  public let name: String
  public let seconds: Int

  private static let states = ["started", "updated", "cancelled", "finished"]

  init(_ fields: ProtobufReader) {
    let number = fields.number(1)
    state = number < Self.states.count ? Self.states[Int(number)] : nil
    id = fields.text(2)
    name = fields.text(3)
    seconds = Int(fields.number(4) & 0xFFFF_FFFF)
  }
}

/// Something to play, after which a command may be expected.
public struct VoiceAssistantAnnouncement: Sendable, Equatable {
  /// The addresses to play, one after the other.
  public let addresses: [String]
  public let text: String
  public let startsConversation: Bool

  init(_ fields: ProtobufReader) {
    addresses = [fields.text(3), fields.text(1)].filter { !$0.isEmpty }
    text = fields.text(2)
    startsConversation = fields.flag(4)
  }
}
