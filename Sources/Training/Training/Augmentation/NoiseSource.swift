import Glibc
import PCM
import Platform

/// Backgrounds of any length: cut from recordings of noise, mixed from other speech (babble), or synthesized.
package struct NoiseSource: Sendable {
  /// A kind of synthesized noise.
  package enum Colour: Sendable, CaseIterable {
    case white, pink, brown, hum
  }

  /// Recordings, each −1…1 at 16 kHz.
  private let recordings: [[Float]]
  /// Speech that is not the phrase, for babble.
  private let speech: [[Float]]

  package init(recordings: [[Float]], speech: [[Float]]) {
    self.recordings = recordings.filter { Level.rms($0[...]) > 1e-4 }
    self.speech = speech.filter { Level.rms($0[...]) > 1e-4 }
  }

  /// Returns `count` samples of a random background; of recordings most of the time, if there are any.
  package func draw(_ count: Int, _ random: inout RandomSource) -> [Float] {
    let draw = random.uniform()
    if !recordings.isEmpty, draw < 0.68 { return cut(recordings, count, &random) }
    if !speech.isEmpty, draw < 0.84 { return babble(count, &random) }
    let colours: [Colour] = [.white, .pink, .pink, .brown, .brown, .hum]
    return Self.synthesized(colours[Int(random.next() % UInt64(colours.count))], count: count, &random)
  }

  private func cut(_ clips: [[Float]], _ count: Int, _ random: inout RandomSource) -> [Float] {
    let clip = clips[Int(random.next() % UInt64(clips.count))]
    let start = Int(random.next() % UInt64(clip.count))
    var result = [Float](repeating: 0, count: count)
    var position = start
    for index in 0..<count {
      result[index] = clip[position]
      position += 1
      if position == clip.count { position = 0 }
    }
    return result
  }

  private func babble(_ count: Int, _ random: inout RandomSource) -> [Float] {
    var result = [Float](repeating: 0, count: count)
    for _ in 0..<(1 + Int(random.next() % 5)) {
      let voice = cut(speech, count, &random)
      let gain = Level.factor(random.uniform(-6...0)) / max(Level.active(voice), 1e-4)
      for index in 0..<count { result[index] += gain * voice[index] }
    }
    return result
  }

  /// Returns noise with a spectrum that falls by 0, 3 or 6 dB per octave, or mains hum with harmonics.
  package static func synthesized(_ colour: Colour, count: Int, _ random: inout RandomSource) -> [Float] {
    var result = [Float](repeating: 0, count: count)
    switch colour {
    case .white:
      for index in 0..<count { result[index] = 0.3 * random.uniform(-1...1) }
    case .pink:
      // Paul Kellet's refined filter.
      var b0: Float = 0
      var b1: Float = 0
      var b2: Float = 0
      for index in 0..<count {
        let white = random.uniform(-1...1)
        b0 = 0.99765 * b0 + white * 0.0990460
        b1 = 0.96300 * b1 + white * 0.2965164
        b2 = 0.57000 * b2 + white * 1.0526913
        result[index] = 0.15 * (b0 + b1 + b2 + white * 0.1848)
      }
    case .brown:
      var level: Float = 0
      for index in 0..<count {
        level = 0.997 * level + 0.02 * random.uniform(-1...1)
        result[index] = level * 2
      }
    case .hum:
      let base = (random.chance(0.5) ? 50 : 60) * random.uniform(0.98...1.02)
      for harmonic in 1...12 {
        let level = 0.3 * random.uniform() / Float(harmonic)
        let step = 2 * Float.pi * base * Float(harmonic) / Float(AudioFormat.sampleRate)
        let phase = random.uniform(0...6)
        for index in 0..<count { result[index] += level * sinf(phase + step * Float(index)) }
      }
      for index in 0..<count { result[index] += 0.06 * random.uniform(-1...1) }
    }
    return result
  }
}
