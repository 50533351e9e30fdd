import CKernels
import PCM

/// Amplifies a stream in which nothing is louder than a quiet voice, as of a microphone with little gain or far away.
///
/// Below a fixed level, features contain no sound: see ``FeatureSettings``. The gain raises the loudest frame of late to -40 dBFS, by
/// at most 24 dB, and not the steady noise above -64 dBFS, the level of this floor; louder streams stay as they are. It falls within the
/// frame in which the level rises, so nothing is clipped, and rises by half a decibel per second. Where the noise is
/// not known, as after digital silence, nothing is amplified.
package struct QuietVoiceGain {
  /// Powers of a frame, the sum of its squared samples: -40 and -64 dBFS.
  private static var target: Float { Float(AudioFormat.frameLength) * 32768 * 32768 * 1e-4 }
  private static var floor: Float { Float(AudioFormat.frameLength) * 32768 * 32768 * 3.98e-7 }
  /// 24 dB.
  private static var highest: Float { 251 }
  /// Half a decibel per second.
  private static var decay: Float { 0.99885 }

  private var noise = SteadyNoise()
  /// The power of about the last three frames.
  private var level: Float = 0
  private var loudest: Float = 1

  package init() {}

  /// Writes the amplified `frame`, 160 samples. Real-time safe.
  @_noAllocation @_noLocks
  package mutating func push(
    _ frame: UnsafeBufferPointer<Int16>, into amplified: UnsafeMutableBufferPointer<Int16>
  ) {
    let source = frame.baseAddress.unsafelyUnwrapped
    let output = amplified.baseAddress.unsafelyUnwrapped
    var power: Float = 0
    var index = 0
    while index < AudioFormat.frameLength {
      let sample = Float(source[index])
      power += sample * sample
      output[index] = source[index]
      index += 1
    }
    noise.push(power)
    level += (power - level) / 3
    loudest = max(max(loudest * Self.decay, 1), max(level, power))
    let ratio = min(min(Self.target / loudest, Self.highest), Self.floor / noise.power)
    guard ratio > 1 else { return }
    hotword_amplify(source, ratio, output, Int32(AudioFormat.frameLength))
  }

  /// The quietest tenth of a second of the last eight seconds that is not digital silence.
  private struct SteadyNoise {
    /// The power of a frame of rounding errors.
    private static var least: Float { Float(AudioFormat.frameLength) / 2 }

    /// The mean power of a frame; infinite if there was no such tenth.
    private(set) var power = Float.infinity
    /// The sum of the tenth so far, and its frames.
    private var sum: Float = 0
    private var filled = 0
    /// The lowest power of this second and of each of the last eight, and the tenths of this second.
    private var lowest = Float.infinity
    private var seconds = SIMD8<Float>(repeating: .infinity)
    private var next = 0
    private var tenths = 0

    @_noAllocation @_noLocks
    mutating func push(_ power: Float) {
      sum += power
      filled += 1
      guard filled == 10 else { return }
      let mean = sum / 10
      sum = 0
      filled = 0
      if mean > Self.least { lowest = min(lowest, mean) }
      tenths += 1
      if tenths == 10 {
        seconds[next] = lowest
        next = next == 7 ? 0 : next + 1
        lowest = .infinity
        tenths = 0
      }
      self.power = min(seconds.min(), lowest)
    }
  }
}
