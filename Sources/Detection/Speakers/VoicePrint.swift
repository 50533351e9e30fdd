import Detection
import Glibc
import PCM
import Platform

/// The features of a spoken phrase that distinguish speakers: its mel spectra at a common level.
///
/// A floor 35 dB below the loud part of the phrase masks the room and most noise, in the same way in every clip.
public struct VoicePrint: Sendable, Equatable {
  /// Mel bands of a spectrum.
  public static let bands = 40
  /// Spectra of a print, 10 ms each.
  public static let lengths = 20...300

  /// `[spectrum][band]`: natural logarithms of power, the loud part's mean near 0.
  public let spectra: [Float]
  /// The cepstra that a comparison needs.
  package let shape: CepstralShape

  /// The number of spectra.
  public var count: Int { spectra.count / Self.bands }

  /// The largest magnitude of the samples that a codec leaves in digital silence.
  private static let padding = 2

  /// Creates a print of spectra; nil if their number is not in ``lengths`` or a value is not finite.
  public init?(spectra: [Float]) {
    guard spectra.count % Self.bands == 0, Self.lengths.contains(spectra.count / Self.bands),
      spectra.allSatisfy({ abs($0) < 100 })
    else { return nil }
    self.spectra = spectra
    shape = CepstralShape(spectra)
  }

  /// Creates the print of the phrase in `word`, a range of `samples`; the samples before it are the background.
  ///
  /// The phrase is the loudest part of the range, with pauses shorter than 0.18 s. The power of the noise is subtracted
  /// (S. Boll, "Suppression of acoustic noise in speech using spectral subtraction", 1979; M. Berouti et al., 1979).
  /// Takes about 1 ms per second of audio.
  ///
  /// - Returns: nil without a part of at least 0.2 s above the background.
  public init?(_ samples: [Int16], word: Range<Int>) {
    let word = SpeechPowers.vectors(of: word)
    guard let powers = SpeechPowers(samples, background: word.lowerBound),
      let range = SpokenRange.find(powers.audible, noise: powers.noise, word: word)
    else { return nil }
    let length = min(range.count, Self.lengths.upperBound)
    guard length >= Self.lengths.lowerBound else { return nil }
    self.init(spectra: powers.spectra(range.lowerBound..<range.lowerBound + length))
  }

  /// Creates the print of the sounds of an order of any words, the first 3 s of them.
  ///
  /// Digital silence before and after it is ignored: a noise that ends in it is not an order.
  ///
  /// - Returns: nil with less than 0.3 s of sounds, or if they are hardly louder than the rest: noise.
  public init?(order samples: [Int16]) {
    func isHeard(_ sample: Int16) -> Bool { sample.magnitude > Self.padding }
    guard let first = samples.firstIndex(where: isHeard), let last = samples.lastIndex(where: isHeard) else {
      return nil
    }
    let spectra = SpeechPrint.spectra(Array(samples[first...last]), contrast: 6)
      .prefix(Self.lengths.upperBound * Self.bands)
    guard spectra.count >= 30 * Self.bands else { return nil }
    self.init(spectra: Array(spectra))
  }
}
