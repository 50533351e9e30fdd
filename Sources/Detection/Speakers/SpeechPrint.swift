import PCM
import Platform

/// The features of speech of any words that distinguish speakers: the cepstra of its sounds.
package struct SpeechPrint: Sendable, Equatable {
  /// Cepstra of a vector, without the level.
  package static let width = CepstralShape.order
  /// Vectors of 10 ms of sounds below which a print tells nothing.
  private static let least = 30
  /// Vectors after which more speech tells hardly more.
  private static let most = 1_000

  /// `[vector][width]`
  package let cepstra: [Float]

  /// The number of vectors.
  package var count: Int { cepstra.count / Self.width }

  /// The sounds of `samples`.
  ///
  /// - Returns: nil with less than 0.3 s of sounds above the noise.
  package init?(_ samples: [Int16]) { self.init(spectra: Self.spectra(samples)) }

  /// The sounds of clips of one voice; nil with less than 0.3 s.
  package init?(_ prints: [VoicePrint]) { self.init(spectra: prints.flatMap(\.spectra)) }

  /// The sounds of several prints.
  package init(joining prints: [SpeechPrint]) { cepstra = prints.flatMap(\.cepstra) }

  private init?(spectra: [Float]) {
    let spectra = spectra.prefix(Self.most * VoicePrint.bands)
    guard spectra.count >= Self.least * VoicePrint.bands else { return nil }
    let shape = CepstralShape(Array(spectra))
    cepstra = (0..<shape.count * Self.width).map { index in
      let place = index % Self.width
      return shape.vectors[index / Self.width * CepstralShape.width + place] + shape.mean[place]
    }
  }

  private init(cepstra: [Float]) { self.cepstra = cepstra }

  /// `count` vectors from `start`.
  package func part(_ start: Int, _ count: Int) -> SpeechPrint {
    SpeechPrint(cepstra: Array(cepstra[start * Self.width..<(start + count) * Self.width]))
  }

  /// The spectra of the sounds of `samples`, without the pauses: `[spectrum][band]`.
  ///
  /// - Parameter contrast: decibels by which the loud part must be above the noise; otherwise there are none.
  package static func spectra(_ samples: [Int16], contrast: Float = 0) -> [Float] {
    guard let powers = SpeechPowers(samples, background: 0) else { return [] }
    let isSpoken = SpokenRange.spoken(powers.audible, noise: powers.noise, contrast: contrast)
    guard let first = isSpoken.firstIndex(of: true), let last = isSpoken.lastIndex(of: true) else {
      return []
    }
    let spectra = powers.spectra(first..<last + 1)
    return isSpoken[first...last].enumerated().flatMap { index, isSpoken in
      isSpoken ? spectra[index * VoicePrint.bands..<(index + 1) * VoicePrint.bands] : []
    }
  }
}
