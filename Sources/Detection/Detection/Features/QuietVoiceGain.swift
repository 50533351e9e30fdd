import CKernels
import PCM

/// Amplifies a stream in which nothing is louder than a quiet voice, as of a microphone with little gain or far away.
///
/// Below a fixed level, features contain no sound: see ``FeatureSettings``. The gain raises the loudest frame of late to -40 dBFS, by
/// at most 24 dB, and not the steady noise above -64 dBFS, the level of this floor; louder streams stay as they are. It falls within the
/// frame in which the level rises, so nothing is clipped, and rises by half a decibel per second.
package struct QuietVoiceGain {
  /// Powers of a frame: the sum of its squared samples.
  private static var target: Float { Float(AudioFormat.frameLength) * 32768 * 32768 * 1e-4 }
  private static var noise: Float { Float(AudioFormat.frameLength) * 32768 * 32768 * 3.98e-7 }
  /// 24 dB.
  private static var highest: Float { 251 }
  /// Half a decibel per second.
  private static var decay: Float { 0.99885 }

  private var level = LowestLevel()
  private var loudest: Float = 1

  package init() {}

  /// Writes the amplified `frame`, 160 samples. Real-time safe.
  @_noAllocation @_noLocks
  package mutating func push(
    _ frame: UnsafeBufferPointer<Int16>, into target: UnsafeMutableBufferPointer<Int16>
  ) {
    let source = frame.baseAddress.unsafelyUnwrapped
    let output = target.baseAddress.unsafelyUnwrapped
    var power: Float = 0
    var index = 0
    while index < AudioFormat.frameLength {
      let sample = Float(source[index])
      power += sample * sample
      output[index] = source[index]
      index += 1
    }
    level.push(power)
    loudest = max(max(loudest * Self.decay, 1), max(level.current, power))
    let ratio = min(min(Self.target / loudest, Self.highest), Self.noise / max(level.lowest, 1))
    guard ratio > 1 else { return }
    hotword_amplify(source, ratio, output, Int32(AudioFormat.frameLength))
  }
}
