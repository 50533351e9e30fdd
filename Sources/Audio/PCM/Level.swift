import Glibc

/// The levels of clips, and mixing at a signal-to-noise ratio.
package enum Level {
  /// The root mean square of the loud part: of the 10 ms frames within 25 dB of the loudest one.
  ///
  /// Silence around and in a word is ignored, so that gains and signal-to-noise ratios refer to speech.
  package static func active(_ samples: [Float]) -> Float {
    let frame = AudioFormat.frameLength
    guard samples.count >= frame else { return rms(samples[...]) }
    var energies: [Float] = []
    energies.reserveCapacity(samples.count / frame)
    var start = 0
    while start + frame <= samples.count {
      var sum: Float = 0
      for index in start..<start + frame { sum += samples[index] * samples[index] }
      energies.append(sum / Float(frame))
      start += frame
    }
    let floor = (energies.max() ?? 0) * 0.00316
    var sum: Float = 0
    var count: Float = 0
    for energy in energies where energy >= floor {
      sum += energy
      count += 1
    }
    return count > 0 ? (sum / count).squareRoot() : 0
  }

  package static func rms(_ samples: ArraySlice<Float>) -> Float {
    guard !samples.isEmpty else { return 0 }
    var sum: Float = 0
    for sample in samples { sum += sample * sample }
    return (sum / Float(samples.count)).squareRoot()
  }

  /// The root mean square of the loudest 128 ms; of all samples if there are fewer.
  package static func loudest(_ samples: ArraySlice<Float>) -> Float {
    let length = min(samples.count, AudioFormat.samples(0.128))
    guard length > 0 else { return 0 }
    var energy: Float = 0
    for index in samples.indices.prefix(length) { energy += samples[index] * samples[index] }
    var most = energy
    for index in samples.indices.dropFirst(length) {
      energy += samples[index] * samples[index] - samples[index - length] * samples[index - length]
      most = max(most, energy)
    }
    return (max(0, most) / Float(length)).squareRoot()
  }

  /// `samples` plus `noise`, scaled so that the speech's active level is `ratio` decibels above it.
  ///
  /// - Parameters:
  ///   - noise: at least as many samples as `samples`; its level is the root mean square of these.
  ///   - start: the sample from which on both levels are measured.
  package static func mix(
    _ samples: [Float], _ noise: [Float], ratio: Float, measuredFrom start: Int = 0
  ) -> [Float] {
    let level = rms(noise[start..<samples.count])
    guard level > 1e-7 else { return samples }
    let gain = active(Array(samples[start...])) / level / factor(ratio)
    var result = samples
    for index in result.indices { result[index] += gain * noise[index] }
    return result
  }

  /// A factor from decibels.
  package static func factor(_ decibels: Float) -> Float { powf(10, decibels / 20) }
  package static func decibels(_ factor: Float) -> Float { 20 * log10f(max(factor, 1e-9)) }

  /// 16-bit samples from −1…1, clipped.
  package static func integers(_ samples: [Float]) -> [Int16] {
    // Half away from zero; `rounded()` is a call per sample on processors of 2003.
    samples.map { sample in
      let value = max(-32_768, min(32_767, sample * 32_768))
      return Int16(truncatingIfNeeded: Int32(value + (value < 0 ? -0.5 : 0.5)))
    }
  }

  package static func floats(_ samples: [Int16]) -> [Float] { samples.map { Float($0) / 32_768 } }
}
