import Glibc
import PCM
import Platform

/// A random frequency response of a microphone or loudspeaker: a tilt, a few peaks, sometimes a narrow band.
package struct Equalizer: Sendable {
  /// A second-order section (Robert Bristow-Johnson's Audio EQ Cookbook).
  package struct Section: Sendable {
    var b0: Float, b1: Float, b2: Float, a1: Float, a2: Float

    package static func peak(_ frequency: Float, decibels: Float, quality: Float) -> Section {
      let a = powf(10, decibels / 40)
      let w = 2 * Float.pi * frequency / Float(AudioFormat.sampleRate)
      let alpha = sinf(w) / (2 * quality)
      let norm = 1 + alpha / a
      return Section(
        b0: (1 + alpha * a) / norm, b1: -2 * cosf(w) / norm, b2: (1 - alpha * a) / norm,
        a1: -2 * cosf(w) / norm, a2: (1 - alpha / a) / norm)
    }

    package static func shelf(_ frequency: Float, decibels: Float) -> Section {
      let a = powf(10, decibels / 40)
      let w = 2 * Float.pi * frequency / Float(AudioFormat.sampleRate)
      let c = cosf(w)
      let beta = 2 * a.squareRoot() * sinf(w) / 2 * Float(2).squareRoot()
      let norm = (a + 1) - (a - 1) * c + beta
      return Section(
        b0: a * ((a + 1) + (a - 1) * c + beta) / norm, b1: -2 * a * ((a - 1) + (a + 1) * c) / norm,
        b2: a * ((a + 1) + (a - 1) * c - beta) / norm, a1: 2 * ((a - 1) - (a + 1) * c) / norm,
        a2: ((a + 1) - (a - 1) * c - beta) / norm)
    }

    package static func pass(_ frequency: Float, high: Bool) -> Section {
      let w = 2 * Float.pi * frequency / Float(AudioFormat.sampleRate)
      let c = cosf(w)
      let alpha = sinf(w) / Float(2).squareRoot()
      let norm = 1 + alpha
      let edge = high ? (1 + c) / 2 : (1 - c) / 2
      return Section(
        b0: edge / norm, b1: (high ? -2 : 2) * edge / norm, b2: edge / norm, a1: -2 * c / norm,
        a2: (1 - alpha) / norm)
    }
  }

  package var sections: [Section]

  /// Returns a random equalizer: a tilt of ±6 dB, two peaks of ±6 dB, and for one in eight a telephone-like
  /// band.
  package static func random(_ random: inout RandomSource) -> Equalizer {
    var sections = [Section.shelf(random.uniform(800...3000), decibels: random.uniform(-6...6))]
    for _ in 0..<2 {
      sections.append(
        .peak(
          150 * powf(40, random.uniform()), decibels: random.uniform(-6...6), quality: random.uniform(0.6...2)
        ))
    }
    if random.chance(0.125) {
      sections.append(.pass(random.uniform(120...350), high: true))
      sections.append(.pass(random.uniform(3000...6000), high: false))
    }
    return Equalizer(sections: sections)
  }

  package func apply(_ samples: [Float]) -> [Float] {
    var result = samples
    for section in sections {
      var z1: Float = 0
      var z2: Float = 0
      for index in result.indices {
        let x = result[index]
        let y = section.b0 * x + z1
        z1 = section.b1 * x - section.a1 * y + z2
        z2 = section.b2 * x - section.a2 * y
        result[index] = y
      }
    }
    return result
  }
}
