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
    let bands = Self.bands
    let powers = Self.extractor.vectors(samples).map { expf($0) }
    let word = Self.vectors(of: word)
    let noise = Self.noise(powers, before: word.lowerBound)
    guard !noise.isEmpty else { return nil }
    let sounds = powers.indices.map { powers[$0] - Self.subtracted * noise[$0 % bands] }
    guard let range = SpokenRange.find(sounds.map { max(0, $0) }, noise: noise, word: word) else {
      return nil
    }
    let length = min(range.count, Self.lengths.upperBound)
    guard length >= Self.lengths.lowerBound else { return nil }
    let phrase = (range.lowerBound * bands..<(range.lowerBound + length) * bands).map {
      max(sounds[$0], Self.kept * noise[$0 % bands])
    }
    let totals = (0..<length).map { index in phrase[index * bands..<(index + 1) * bands].reduce(0, +) }
    let loud = totals.sorted().suffix(max(1, length / 3))
    let level = loud.reduce(0, +) / Float(loud.count * bands)
    self.init(spectra: phrase.map { logf($0 / level + Self.floor) })
  }

  /// The mean power of each band in the vectors before `word`, or in the quietest tenth of all if they are few.
  private static func noise(_ powers: [Float], before word: Int) -> [Float] {
    let count = powers.count / bands
    var quiet = Array(0..<min(word, count))
    if quiet.count < leastBackground {
      let totals = (0..<count).map { powers[$0 * bands..<($0 + 1) * bands].reduce(0, +) }
      quiet = Array((0..<count).sorted { totals[$0] < totals[$1] }.prefix(max(leastBackground, count / 10)))
    }
    guard !quiet.isEmpty else { return [] }
    return (0..<bands).map { band in
      quiet.reduce(0) { $0 + powers[$1 * bands + band] } / Float(quiet.count)
    }
  }

  /// Vectors that tell the noise.
  private static let leastBackground = 20
  /// The power that is subtracted, as a multiple of the noise's, and the least that is left.
  private static let subtracted: Float = 1.5
  private static let kept: Float = 0.02
  /// The floor relative to the loud part.
  private static let floor: Float = 3e-4

  /// The vectors whose windows are centered on `samples`.
  private static func vectors(of samples: Range<Int>) -> Range<Int> {
    let half = settings.window / 2
    let first = max(0, (samples.lowerBound - half) / AudioFormat.frameLength)
    return first..<max(first, (samples.upperBound - half) / AudioFormat.frameLength)
  }

  private static let settings: FeatureSettings = {
    var settings = FeatureSettings()
    settings.melBands = bands
    settings.lowFrequency = 60
    settings.floor = -80
    settings.floorSlope = 0
    return settings
  }()

  private static let extractor = MelSpectra(settings)
}

/// The logarithmic mel spectra of whole signals.
package struct MelSpectra: Sendable {
  package let settings: FeatureSettings

  package init(_ settings: FeatureSettings) { self.settings = settings }

  /// One spectrum for each full window, one hop apart.
  package func vectors(_ samples: [Int16]) -> [Float] {
    guard let extractor = try? FeatureExtractor(settings) else { return [] }
    var cepstra = [Float](repeating: 0, count: settings.coefficients)
    var spectra: [Float] = []
    let frames = samples.count / settings.hop
    spectra.reserveCapacity(frames * settings.melBands)
    samples.withUnsafeBufferPointer { samples in
      cepstra.withUnsafeMutableBufferPointer { cepstra in
        for frame in 0..<frames {
          let part = samples[frame * settings.hop..<(frame + 1) * settings.hop]
          guard extractor.push(UnsafeBufferPointer(rebasing: part), into: cepstra) else { continue }
          spectra.append(contentsOf: UnsafeBufferPointer(start: extractor.logMel, count: settings.melBands))
        }
      }
    }
    return spectra
  }
}
