import Glibc
import Platform

/// The level, noise and clipping of some seconds of audio.
public struct SoundMeasure: Sendable, Equatable {
  /// Seconds measured.
  public var seconds: Double
  /// The level in dBFS that 10 % of all 10 ms frames do not exceed, without the DC offset; at least -100.
  public var noiseFloor: Double
  /// The level in dBFS that 5 % of the frames exceed: of speech, if there is any.
  public var level: Double
  /// The greatest sample in dBFS.
  public var peak: Double
  /// The part of the frames with clipped samples, 0…1.
  public var clipped: Double
  /// The mean of all samples, -1…1.
  public var offset: Double
  /// Whether every sample is the same.
  public var isDead: Bool

  public init(
    seconds: Double = 0, noiseFloor: Double = -100, level: Double = -100, peak: Double = -100,
    clipped: Double = 0, offset: Double = 0, isDead: Bool = true
  ) {
    self.seconds = seconds
    self.noiseFloor = noiseFloor
    self.level = level
    self.peak = peak
    self.clipped = clipped
    self.offset = offset
    self.isDead = isDead
  }

  /// The decibels of the loud part above the noise.
  public var signalToNoise: Double { level - noiseFloor }

  /// The flaws, the worst first.
  ///
  /// - Parameter speech: whether the audio contains speech, so that a low level is a flaw.
  public func flaws(speech: Bool) -> [SoundFlaw] {
    if seconds == 0 { return [.nothing] }
    if isDead { return [.dead] }
    var flaws: [SoundFlaw] = []
    if clipped > SoundFlaw.mostClipped { flaws.append(.clipped(part: clipped)) }
    if speech {
      if level < SoundFlaw.quietest {
        flaws.append(.quiet(level: level))
      } else if signalToNoise < SoundFlaw.leastSignalToNoise {
        flaws.append(.indistinct(signalToNoise: signalToNoise))
      }
    }
    if noiseFloor > SoundFlaw.loudestNoise { flaws.append(.noisy(floor: noiseFloor)) }
    if abs(offset) > SoundFlaw.greatestOffset { flaws.append(.offset(offset)) }
    return flaws
  }

  /// A part of full scale in dBFS, -100…0.
  package static func decibels(_ factor: Double) -> Double {
    min(0, max(-100, 20 * log10(max(factor, 1e-9))))
  }
}

/// What can be wrong with the audio of a microphone.
public enum SoundFlaw: Sendable, Equatable {
  /// No samples arrived.
  case nothing
  /// Every sample is the same.
  case dead
  /// This part of the time is clipped.
  case clipped(part: Double)
  /// The level of the speech in dBFS.
  case quiet(level: Double)
  /// The decibels of the speech above the noise.
  case indistinct(signalToNoise: Double)
  /// The noise floor in dBFS.
  case noisy(floor: Double)
  /// The mean of the samples, -1…1.
  case offset(Double)

  static let mostClipped = 0.005
  static let quietest = -45.0
  static let leastSignalToNoise = 12.0
  static let loudestNoise = -38.0
  static let greatestOffset = 0.01

  /// Whether there is no usable audio.
  public var isFatal: Bool { self == .nothing || self == .dead }

  /// What is wrong, and the suggested fix.
  public var message: String {
    switch self {
    case .nothing: "no samples arrived; check that the device is connected and not in use by another program"
    case .dead:
      "digital silence: every sample is the same; unmute the device and select its source in 'alsamixer', F4"
    case .clipped(let part):
      "\(Self.percent(part)) of the time is clipped; lower the capture gain ('alsamixer', F4), or speak from farther away"
    case .quiet(let level):
      "the speech level is only \(Self.decibels(level)) dBFS; raise the capture gain ('alsamixer', F4), or speak closer"
    case .indistinct(let signalToNoise):
      "speech is only \(Self.decibels(signalToNoise)) dB above the noise; speak closer, or move the microphone away "
        + "from sources of noise"
    case .noisy(let floor):
      "the noise floor is \(Self.decibels(floor)) dBFS; lower the gain, or move the microphone away from fans, wind and hum"
    case .offset(let offset):
      "a DC offset of \(Self.percent(offset)) of full scale; hotword removes it, but loud speech clips earlier"
    }
  }

  /// Decibels, rounded to whole ones.
  public static func decibels(_ value: Double) -> String { "\(Int(value.rounded()))" }

  private static func percent(_ part: Double) -> String {
    "\(JSON.rounded(100 * part, digits: abs(part) < 0.1 ? 1 : 0)) %"
  }
}
