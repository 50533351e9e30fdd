import Glibc
import PCM
import Platform

/// Vowel-like sounds of different throats.
enum Signals {
  /// A word of three vowels by a voice: half a second of quiet, 0.6 s of speech, a little quiet.
  ///
  /// - Parameters:
  ///   - tract: scales the formants, 0.8…1.25.
  ///   - pitch: Hz.
  static func word(tract: Double, pitch: Double, gain: Double = 1, seed: UInt64 = 1) -> [Int16] {
    var random = RandomSource(seed: seed)
    let lead = AudioFormat.samples(0.5)
    let length = AudioFormat.samples(0.6)
    let vowels = [[700.0, 1200, 2600], [300, 2200, 2900], [450, 900, 2400]]
    var samples = (0..<lead + length + lead / 2).map { _ in Double(random.uniform(-8...8)) }
    for index in 0..<length {
      let time = Double(index) / Double(AudioFormat.sampleRate)
      let formants = vowels[index * 3 / length]
      var value = 0.0
      var harmonic = 1.0
      while harmonic * pitch < 4000 {
        let strength = formants.reduce(0.0) {
          let distance = (harmonic * pitch - $1 * tract) / (90 * tract)
          return $0 + 1 / (1 + distance * distance)
        }
        value += strength * sin(2 * .pi * harmonic * pitch * time)
        harmonic += 1
      }
      samples[lead + index] += 1500 * gain * value * sin(.pi * Double(index) / Double(length))
    }
    return samples.map { Int16(max(-32_768, min(32_767, $0))) }
  }

  /// Where ``word(tract:pitch:gain:seed:)`` says it.
  static let range = AudioFormat.samples(0.5)..<AudioFormat.samples(1.1)
}
