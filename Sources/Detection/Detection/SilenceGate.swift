import PCM

/// Decides from the level whether anything sounds in the room beyond its steady noise, so that no network runs where nothing does.
///
/// The level of the last 30 ms is compared with that of the quietest of the last eight seconds, in the whole band and with high
/// frequencies raised, in which rumble does not hide speech. The gate opens in the frame in which one of them is 4.8 dB
/// higher and closes 1.5 s after the last such frame. So it is open while speech, music or a changing noise goes on;
/// speech as loud as the noise opens it. A louder steady noise closes it again after ten seconds.
struct SilenceGate {
  /// The power relative to the lowest one from which on something sounds: 4.8 dB.
  private static let ratio: Float = 3
  /// The power of a frame of rounding errors; below it, levels do not matter.
  private static var least: Float { Float(AudioFormat.frameLength) / 2 }
  /// Frames after which the gate closes: 1.5 s.
  private static let hold = 150
  /// Frames after a start in which it is open, because no lowest level is known.
  private static let warmUp = 300

  private var whole = LowestLevel()
  private var high = LowestLevel()
  private var last: Int16 = 0
  private var frames = 0
  private var quiet = 0

  /// Processes the next frame. Real-time safe.
  ///
  /// - Returns: whether the gate is open.
  @_noAllocation @_noLocks
  mutating func push(_ frame: UnsafeBufferPointer<Int16>) -> Bool {
    let samples = frame.baseAddress.unsafelyUnwrapped
    var before = Float(last)
    var power: Float = 0
    var highPower: Float = 0
    var index = 0
    while index < AudioFormat.frameLength {
      let sample = Float(samples[index])
      let difference = sample - before
      power += sample * sample
      highPower += difference * difference
      before = sample
      index += 1
    }
    last = samples[AudioFormat.frameLength - 1]
    whole.push(power)
    high.push(highPower)
    if frames < Self.warmUp { frames += 1 }
    quiet = Self.sounds(whole) || Self.sounds(high) || frames < Self.warmUp ? 0 : quiet + 1
    return quiet < Self.hold
  }

  /// Whether the level is above the lowest one.
  @_noAllocation @_noLocks
  private static func sounds(_ level: LowestLevel) -> Bool {
    level.current > ratio * max(level.lowest, least)
  }
}
