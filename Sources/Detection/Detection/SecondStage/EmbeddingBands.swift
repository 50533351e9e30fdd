import PCM

/// The input of a ``SpeechEmbedding``: a row of bands for each frame.
///
/// All memory is allocated in `init`; no other method allocates, locks or throws. One thread at a time.
package final class EmbeddingBands {
  /// The bands of the embedding's training: 60 to 3,800 Hz, in a quiet room never below the noise of -92 dBFS.
  private static let settings: FeatureSettings = {
    var settings = FeatureSettings()
    settings.melBands = SpeechEmbedding.bands
    settings.lowFrequency = 60
    settings.highFrequency = 3800
    settings.floor = -92
    settings.floorSlope = 0
    settings.coefficients = 1
    return settings
  }()
  /// The embedding reads decimal logarithms of the power in 16-bit steps, weighted by filters of the sum 0.0324, plus 2.
  private static let perNaturalLogarithm: Float = 0.4342945
  private static let levelOfFullScale: Float = 11.7175

  /// Every number of the rows of digital silence.
  package static let silence = Float(settings.floor / 10) + levelOfFullScale

  /// Unmanaged, so that no frame counts references.
  private let extractor: Unmanaged<FeatureExtractor>
  private let logMel: UnsafeMutablePointer<Float>
  private let unused: UnsafeMutableBufferPointer<Float>
  private let values: UnsafeMutableBufferPointer<Float>
  /// The last row.
  package let row: UnsafeBufferPointer<Float>

  /// Allocates.
  ///
  /// - Parameter warp: as of a ``FeatureExtractor``.
  package init(warp: Double = 1) {
    let extractor = try! FeatureExtractor(Self.settings, warp: warp)
    logMel = extractor.logMel
    self.extractor = .passRetained(extractor)
    unused = .allocate(capacity: 1)
    unused.initialize(repeating: 0)
    values = .allocate(capacity: SpeechEmbedding.bands)
    values.initialize(repeating: 0)
    row = UnsafeBufferPointer(values)
  }

  deinit {
    extractor.release()
    unused.deallocate()
    values.deallocate()
  }

  /// Processes the next frame, 160 samples. Real-time safe.
  ///
  /// - Returns: whether there is a new ``row``: not for the first frames of a stream.
  @_noAllocation @_noLocks
  package func push(_ frame: UnsafeBufferPointer<Int16>) -> Bool {
    let target = unused
    guard extractor._withUnsafeGuaranteedRef({ $0.push(frame, into: target) }) else { return false }
    let bands = values.baseAddress.unsafelyUnwrapped
    var band = 0
    while band < SpeechEmbedding.bands {
      bands[band] = logMel[band] * Self.perNaturalLogarithm + Self.levelOfFullScale
      band += 1
    }
    return true
  }

  /// Starts a new stream. Real-time safe.
  @_noAllocation @_noLocks
  package func reset() { extractor._withUnsafeGuaranteedRef { $0.reset() } }
}
