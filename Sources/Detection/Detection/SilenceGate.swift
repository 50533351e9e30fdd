import PCM

/// Decides from the level whether anything sounds in the room beyond its steady noise, so that no network runs where nothing does.
///
/// The level of the last 30 ms is compared with that of the quietest of the last eight seconds, in the whole band and with high
/// frequencies raised, in which rumble does not hide speech. The gate opens in the frame in which one of them is 4.8 dB
/// higher and closes 1.5 s after the last such frame. So it is open while speech, music or a changing noise goes on;
/// speech as loud as the noise opens it. A louder steady noise closes it again after ten seconds.
/// After R. Martin, "Noise power spectral density estimation based on optimal smoothing and minimum statistics", 2001.
struct SilenceGate {
  /// The power relative to the lowest one from which on something sounds: 4.8 dB.
  private static let ratio: Float = 3
  /// Frames after which the gate closes: 1.5 s.
  private static let hold = 150
  /// Frames after a start in which it is open, because no lowest level is known.
  private static let warmUp = 300

  private var whole = Floor()
  private var high = Floor()
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
    let sounds = whole.push(power)
    let soundsHigh = high.push(highPower)
    if frames < Self.warmUp { frames += 1 }
    quiet = sounds || soundsHigh || frames < Self.warmUp ? 0 : quiet + 1
    return quiet < Self.hold
  }

  /// The level of one band, and its lowest value of the last seconds.
  private struct Floor {
    /// The power of a frame of rounding errors; below it, levels do not matter.
    private static var least: Float { Float(AudioFormat.frameLength) / 2 }
    /// Frames of a second.
    private static let second = 100

    /// The smoothed power of a frame.
    private var current: Float = 0
    /// The sum of the second so far, and its frames.
    private var sum: Float = 0
    private var filled = 0
    /// The mean power of each of the last seconds.
    private var means = SIMD8<Float>(repeating: .infinity)
    private var next = 0

    /// - Returns: whether the level is above the lowest one.
    @_noAllocation @_noLocks
    mutating func push(_ power: Float) -> Bool {
      current += (power - current) / 3
      sum += power
      filled += 1
      if filled == Self.second {
        means[next] = sum / Float(Self.second)
        next = next == 7 ? 0 : next + 1
        sum = 0
        filled = 0
      }
      let lowest = means.min()
      return current > SilenceGate.ratio * (lowest > Self.least ? lowest : Self.least)
    }
  }
}
