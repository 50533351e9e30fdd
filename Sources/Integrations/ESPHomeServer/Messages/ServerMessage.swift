/// A message of the device to a client.
public enum ServerMessage: Sendable, Equatable {
  case hello(name: String, program: String)
  case authenticated
  case disconnectRequest
  case disconnectResponse
  case pingResponse
  case deviceInfo(DeviceInfo)
  case entity(Entity)
  case entitiesDone
  case state(EntityState)
  /// A pipeline is to start; `phrase` is that of the hotword, empty for none.
  case voiceAssistantStart(phrase: String, conversation: String)
  /// The pipeline is to end without carrying anything out.
  case voiceAssistantAbort
  case voiceAssistantAudio([UInt8])
  case voiceAssistantAudioEnd
  case announceFinished(isSuccess: Bool)
  case configuration(available: [WakeWord], active: [String], limit: Int)
  case encryptionSetKey(isSuccess: Bool)

  /// The version of the API whose messages these are.
  static let version = (major: 1, minor: 13)

  public var frame: APIFrame {
    var fields = ProtobufWriter()
    let type = write(&fields)
    return APIFrame(type: type, body: fields.bytes)
  }

  /// Writes the fields and returns the message's type.
  private func write(_ fields: inout ProtobufWriter) -> Int {
    switch self {
    case .hello(let name, let program):
      fields.number(1, Self.version.major)
      fields.number(2, Self.version.minor)
      fields.text(3, program)
      fields.text(4, name)
      return 2
    case .authenticated: return 4
    case .disconnectRequest: return 5
    case .disconnectResponse: return 6
    case .pingResponse: return 8
    case .deviceInfo(let info):
      info.write(&fields)
      return 10
    case .entity(let entity): return entity.write(&fields)
    case .entitiesDone: return 19
    case .state(let state): return state.write(&fields)
    case .voiceAssistantStart(let phrase, let conversation):
      fields.flag(1, true)
      fields.text(2, conversation)
      fields.text(5, phrase)
      return 90
    case .voiceAssistantAbort: return 90
    case .voiceAssistantAudio(let samples):
      fields.bytes(1, samples)
      return 106
    case .voiceAssistantAudioEnd:
      fields.flag(2, true)
      return 106
    case .announceFinished(let isSuccess):
      fields.flag(1, isSuccess)
      return 120
    case .configuration(let available, let active, let limit):
      for word in available { fields.message(1) { word.write(&$0) } }
      for name in active { fields.item(2, Array(name.utf8)) }
      fields.number(3, limit)
      return 122
    case .encryptionSetKey(let isSuccess):
      fields.flag(1, isSuccess)
      return 125
    }
  }
}

/// What a client learns of the device.
public struct DeviceInfo: Sendable, Equatable {
  /// Lowercase letters, digits and hyphens.
  public var name: String
  public var friendlyName: String
  /// The hardware address in 12 hexadecimal digits.
  public var address: String
  public var version: String
  public var isEncrypted: Bool
  public var features: VoiceAssistantFeatures

  /// The version of ESPHome that the messages are of: Home Assistant warns of old ones.
  public static let esphomeVersion = "2026.9.0"
  public static let project = "hotword.satellite"

  /// The longest name that Home Assistant accepts, in bytes.
  private static let nameLimit = 31

  /// - Parameters:
  ///   - title: the name for people.
  ///   - plays: whether there is a loudspeaker.
  public init(title: String, address: String, version: String, isEncrypted: Bool, plays: Bool) {
    name = Self.name(title)
    friendlyName = title
    self.address = address
    self.version = version
    self.isEncrypted = isEncrypted
    features = .satellite(plays: plays)
  }

  /// A host name made of `title`: lowercase letters and digits, with hyphens for all else.
  private static func name(_ title: String) -> String {
    let letters = title.lowercased().map { letter in
      letter.isASCII && (letter.isLetter || letter.isNumber) ? letter : "-"
    }
    let words = String(letters).split(separator: "-").joined(separator: "-").prefix(nameLimit)
    let name = words.hasSuffix("-") ? words.dropLast() : words
    return name.isEmpty ? "hotword" : String(name)
  }

  func write(_ fields: inout ProtobufWriter) {
    fields.text(2, name)
    let pairs = stride(from: 0, to: address.utf8.count, by: 2).map { String(address.dropFirst($0).prefix(2)) }
    fields.text(3, pairs.joined(separator: ":").uppercased())
    fields.text(4, Self.esphomeVersion)
    fields.text(6, "Satellite")
    fields.text(8, Self.project)
    fields.text(9, version)
    fields.text(12, "hotword")
    fields.text(13, friendlyName)
    fields.number(17, UInt64(features.rawValue))
    fields.flag(19, isEncrypted)
  }
}

/// What the device's voice assistant can do.
public struct VoiceAssistantFeatures: OptionSet, Sendable {
  public let rawValue: Int

  public init(rawValue: Int) { self.rawValue = rawValue }

  public static let voiceAssistant = VoiceAssistantFeatures(rawValue: 1)
  /// Answers are sent as audio over this connection.
  public static let speaker = VoiceAssistantFeatures(rawValue: 2)
  public static let apiAudio = VoiceAssistantFeatures(rawValue: 4)
  public static let timers = VoiceAssistantFeatures(rawValue: 8)
  public static let announce = VoiceAssistantFeatures(rawValue: 16)
  public static let startConversation = VoiceAssistantFeatures(rawValue: 32)

  /// - Parameter plays: whether the device has a loudspeaker.
  static func satellite(plays: Bool) -> VoiceAssistantFeatures {
    let listening: VoiceAssistantFeatures = [.voiceAssistant, .apiAudio, .timers]
    return plays ? listening.union([.speaker, .announce, .startConversation]) : listening
  }
}

/// A hotword that Home Assistant can choose.
public struct WakeWord: Sendable, Equatable {
  /// The model's name.
  public let id: String
  public let phrase: String

  public init(id: String, phrase: String) {
    self.id = id
    self.phrase = phrase
  }

  func write(_ fields: inout ProtobufWriter) {
    fields.text(1, id)
    fields.text(2, phrase)
    fields.item(3, Array("en".utf8))
  }
}
