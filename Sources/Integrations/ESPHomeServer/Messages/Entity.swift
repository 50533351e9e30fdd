/// Something that Home Assistant shows and changes: its description.
public struct Entity: Sendable, Equatable {
  public enum Kind: Sendable, Equatable {
    case mediaPlayer
    case toggle
    case number(ClosedRange<Float>, step: Float, unit: String)
  }

  public let key: UInt32
  /// For Home Assistant's identifiers.
  public let id: String
  public let name: String
  public let icon: String
  public let kind: Kind

  /// Settings, as opposed to what belongs on a dashboard.
  private static let configuration = 1
  private static let slider = 2
  /// Play, pause, stop, volume, its steps, mute, addresses and announcements.
  private static let playerFeatures: UInt64 =
    1 << 0 | 1 << 2 | 1 << 3 | 1 << 9 | 1 << 10 | 1 << 12 | 1 << 14 | 1 << 20

  /// Writes the fields and returns the message's type.
  func write(_ fields: inout ProtobufWriter) -> Int {
    fields.text(1, id)
    fields.fixed32(2, key)
    fields.text(3, name)
    fields.text(5, icon)
    switch kind {
    case .mediaPlayer:
      fields.flag(8, true)
      for purpose in 0...1 {
        fields.message(9) {
          $0.text(1, "wav")
          $0.number(2, 16_000)
          $0.number(3, 1)
          $0.number(4, purpose)
          $0.number(5, 2)
        }
      }
      fields.number(11, Self.playerFeatures)
      return 63
    case .toggle:
      fields.number(8, Self.configuration)
      return 17
    case .number(let range, let step, let unit):
      fields.float(6, range.lowerBound)
      fields.float(7, range.upperBound)
      fields.float(8, step)
      fields.number(10, Self.configuration)
      fields.text(11, unit)
      fields.number(12, Self.slider)
      return 49
    }
  }
}

/// The state of an entity.
public enum EntityState: Sendable, Equatable {
  /// What the media player does.
  public enum Playback: Int, Sendable {
    case idle = 1
    case playing, paused
  }

  case mediaPlayer(key: UInt32, Playback, volume: Float, isMuted: Bool)
  case toggle(key: UInt32, isOn: Bool)
  /// nil for a number that has no value now.
  case number(key: UInt32, Float?)

  /// Writes the fields and returns the message's type.
  func write(_ fields: inout ProtobufWriter) -> Int {
    switch self {
    case .mediaPlayer(let key, let playback, let volume, let isMuted):
      fields.fixed32(1, key)
      fields.number(2, playback.rawValue)
      fields.float(3, volume)
      fields.flag(4, isMuted)
      return 64
    case .toggle(let key, let isOn):
      fields.fixed32(1, key)
      fields.flag(2, isOn)
      return 26
    case .number(let key, let value):
      fields.fixed32(1, key)
      fields.float(2, value ?? 0)
      fields.flag(3, value == nil)
      return 50
    }
  }
}
