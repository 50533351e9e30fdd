import Platform

/// What can be wrong with the sound of a microphone.
public enum SoundFlaw: Sendable, Equatable {
  /// No samples came.
  case nothing
  /// Every sample is the same.
  case dead
  /// This part of the time is cut off.
  case clipped(part: Double)
  /// Speech came with this level in dBFS.
  case quiet(level: Double)
  /// Speech stood out of the noise by so many decibels.
  case indistinct(prominence: Double)
  /// The noise floor in dBFS.
  case noisy(floor: Double)
  /// The mean of the samples, -1…1.
  case offset(Double)

  static let mostClipped = 0.005
  static let quietest = -45.0
  static let leastProminence = 12.0
  static let loudestNoise = -38.0
  static let greatestOffset = 0.01

  /// Whether nothing can be heard at all.
  public var isFatal: Bool { self == .nothing || self == .dead }

  /// What is wrong, and the mend.
  public var message: String {
    switch self {
    case .nothing: "no samples came; is it unplugged, or held by another program?"
    case .dead: "digital silence, every sample the same; unmute it and choose its source: 'alsamixer', F4"
    case .clipped(let part):
      "\(Self.percent(part)) of the time is cut off; lower the capture gain ('alsamixer', F4), or speak from farther off"
    case .quiet(let level):
      "speech comes with \(Self.decibels(level)) dBFS only; raise the capture gain ('alsamixer', F4), or speak nearer"
    case .indistinct(let prominence):
      "nothing stands out of the noise by more than \(Self.decibels(prominence)) dB; speak nearer, or move it away "
        + "from what hums"
    case .noisy(let floor):
      "the noise floor is \(Self.decibels(floor)) dBFS; lower the gain, or move it away from fans, wind and hum"
    case .offset(let offset):
      "an offset of \(Self.percent(offset)) of full scale; hotword filters it out, but loud speech is cut off sooner"
    }
  }

  /// Whole decibels.
  public static func decibels(_ value: Double) -> String { "\(Int(value.rounded()))" }

  private static func percent(_ part: Double) -> String {
    "\(JSON.rounded(100 * part, digits: abs(part) < 0.1 ? 1 : 0)) %"
  }
}
