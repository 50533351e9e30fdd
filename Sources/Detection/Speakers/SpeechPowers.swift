import Detection
import Glibc
import PCM
import Platform

/// The power of a recording in each mel band, without that of its noise.
package struct SpeechPowers: Sendable {
  /// `[vector][band]`: the power minus 1.5 times the noise's; may be negative.
  package let sounds: [Float]
  /// `[band]`: the mean power of the noise.
  package let noise: [Float]

  private static let bands = VoicePrint.bands

  /// What is left of ``sounds`` above zero.
  package var audible: [Float] { sounds.map { max(0, $0) } }

  /// - Parameter background: the first vectors, which are noise; if they are few, the quietest tenth of all is.
  /// - Returns: nil for less than one vector.
  package init?(_ samples: [Int16], background: Int) {
    let powers = Self.extractor.vectors(samples).map { expf($0) }
    let noise = Self.noise(powers, before: background)
    guard !noise.isEmpty else { return nil }
    self.noise = noise
    sounds = powers.indices.map { powers[$0] - Self.subtracted * noise[$0 % Self.bands] }
  }

  /// The logarithms of the power in a range of vectors, the loud part's mean near 0.
  package func spectra(_ range: Range<Int>) -> [Float] {
    let bands = Self.bands
    let phrase = (range.lowerBound * bands..<range.upperBound * bands).map {
      max(sounds[$0], Self.kept * noise[$0 % bands])
    }
    let totals = range.indices.map { index in
      let start = (index - range.lowerBound) * bands
      return phrase[start..<start + bands].reduce(0, +)
    }
    let loud = totals.sorted().suffix(max(1, range.count / 3))
    let level = loud.reduce(0, +) / Float(loud.count * bands)
    return phrase.map { logf($0 / level + Self.floor) }
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
  package static func vectors(of samples: Range<Int>) -> Range<Int> {
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
