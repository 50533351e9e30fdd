import Glibc

/// What some seconds of sound tell about the microphone that heard them.
public struct SoundMeasure: Sendable, Equatable {
  /// Seconds measured.
  public var seconds: Double
  /// The level that a tenth of all 10 ms frames does not exceed, in dBFS without the constant part; at least -100.
  public var noiseFloor: Double
  /// The level that one frame of twenty exceeds: of speech, where there is any.
  public var level: Double
  /// The greatest sample in dBFS.
  public var peak: Double
  /// The part of the frames with cut-off samples, 0…1.
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

  /// How far the loud part stands out of the noise, in decibels.
  public var prominence: Double { level - noiseFloor }

  /// What is wrong with it, the worst first.
  ///
  /// - Parameter speech: whether somebody spoke, so that a low level is one of speech.
  public func flaws(speech: Bool) -> [SoundFlaw] {
    if seconds == 0 { return [.nothing] }
    if isDead { return [.dead] }
    var flaws: [SoundFlaw] = []
    if clipped > SoundFlaw.mostClipped { flaws.append(.clipped(part: clipped)) }
    if speech {
      if level < SoundFlaw.quietest {
        flaws.append(.quiet(level: level))
      } else if prominence < SoundFlaw.leastProminence {
        flaws.append(.indistinct(prominence: prominence))
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
