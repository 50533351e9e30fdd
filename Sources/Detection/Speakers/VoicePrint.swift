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

  /// Creates the print of the phrase in `word`, a range of `samples`; the other samples are the background.
  ///
  /// The phrase is the loudest part of the range, with pauses shorter than 0.18 s. Takes about 1 ms per second of audio.
  ///
  /// - Returns: nil without a part of at least 0.2 s above the background.
  public init?(_ samples: [Int16], word: Range<Int>) {
    let spectra = Self.extractor.vectors(samples)
    guard let range = SpokenRange.find(spectra, bands: Self.bands, word: Self.vectors(of: word)) else {
      return nil
    }
    let length = min(range.count, Self.lengths.upperBound)
    guard length >= Self.lengths.lowerBound else { return nil }
    var powers = spectra[range.lowerBound * Self.bands..<(range.lowerBound + length) * Self.bands].map {
      expf($0)
    }
    let totals = (0..<length).map { index in
      powers[index * Self.bands..<(index + 1) * Self.bands].reduce(0, +)
    }
    let loud = totals.sorted().suffix(max(1, length / 3))
    let level = loud.reduce(0, +) / Float(loud.count * Self.bands)
    for index in powers.indices { powers[index] = logf(powers[index] / level + Self.floor) }
    self.init(spectra: powers)
  }

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
