import CTraining
import Detection
import FrontEnd
import PCM
import Platform

/// A rendered recording: the feature vectors that the detector's front end computes for it, in half
/// precision.
package struct FeatureStream: Sendable {
  /// The kind of audio, which determines its share of a batch.
  package enum Kind: Sendable, CaseIterable {
    case keyword, syntheticKeyword, joinedKeyword, part, similar, speech, word, syntheticSpeech, noise,
      falseAlarm

    /// Whether it is made by ``JoinedSpeech``.
    var isJoined: Bool { self == .joinedKeyword || self == .similar }

    /// Whether the stream contains the phrase.
    var isPhrase: Bool { [.keyword, .syntheticKeyword, .joinedKeyword].contains(self) }
  }

  package let kind: Kind
  /// `vectors × coefficients`.
  package var features: [Float16]
  package let vectors: Int
  /// The vectors of the phrase, or of a false alarm; nil if there is none.
  package let word: Range<Int>?
  /// The source of a negative: a folder's name.
  package var source = ""
  /// The sound that each vector has according to an alignment, as `Phoneme`'s raw values and ``Target/unlabelled``; empty if
  /// it is not known.
  package var sounds: [UInt8] = []
  /// Embeddings of the audio, one for every 80 ms: see ``EmbeddingPlaces``. Empty without them.
  package var embeddings: [Float16] = []
  /// A hash of the session or speaker of a phrase; 0 for all other streams.
  package var group: UInt64 = 0
  package var heldOut = HeldOut.no
  package var isHeldOut: Bool { heldOut == .always }

  package init(kind: Kind, features: [Float16], vectors: Int, word: Range<Int>?) {
    self.kind = kind
    self.features = features
    self.vectors = vectors
    self.word = word
  }
}

/// Which evaluation models are trained without some data.
package enum HeldOut: Sendable, Hashable {
  case no
  /// All of them.
  case always
  /// The one with this number.
  case from(Int)

  /// Returns whether an evaluation model, or with nil the model itself, is trained without the data.
  func isExcluded(from evaluation: Int?) -> Bool {
    evaluation.map { self == .always || self == .from($0) } ?? false
  }
}

/// Renders samples to features exactly as the detection service does.
///
/// Use each instance on one thread only. Every call starts a fresh stream.
package final class FeatureRenderer {
  private let frontEnd: FrontEnd
  /// The delay of the front end, in samples.
  package var delay: Int { frontEnd.delay }
  private let settings: FeatureSettings
  private var extractors: [Double: FeatureExtractor] = [:]
  private let embedding: EmbeddingRenderer?
  /// The embeddings of the last audio that was rendered; see ``FeatureStream/embeddings``.
  package var embeddings: [Float16] { embedding?.embeddings ?? [] }
  private let vector: UnsafeMutableBufferPointer<Float>
  private let frame: UnsafeMutableBufferPointer<Int16>
  private let amplified: UnsafeMutableBufferPointer<Int16>

  /// - Parameter embedding: nil to render no embeddings.
  package init(
    frontEnd: FrontEndSettings, features: FeatureSettings, embedding: PackedEmbedding? = nil
  ) throws {
    self.frontEnd = try FrontEnd(frontEnd)
    settings = features
    self.embedding = embedding.map { EmbeddingRenderer($0) }
    vector = .allocate(capacity: features.coefficients)
    frame = .allocate(capacity: AudioFormat.frameLength)
    amplified = .allocate(capacity: AudioFormat.frameLength)
  }

  package convenience init(_ settings: TrainingSettings) throws {
    try self.init(
      frontEnd: settings.frontEnd, features: settings.features, embedding: settings.embedding)
  }

  deinit {
    vector.deallocate()
    frame.deallocate()
    amplified.deallocate()
  }

  /// Returns the vectors of `samples`; the last frame is padded with zeros.
  ///
  /// - Parameters:
  ///   - warmUp: the samples at the start whose vectors are discarded, whole frames.
  ///   - warp: the relative length of the vocal tract; see `FeatureExtractor`.
  package func render(_ samples: [Int16], warmUp: Int = 0, warp: Double = 1) throws -> [Float16] {
    let extractor: FeatureExtractor
    if let known = extractors[warp] {
      extractor = known
    } else {
      extractor = try FeatureExtractor(settings, warp: warp)
      extractors[warp] = extractor
    }
    extractor.reset()
    frontEnd.reset()
    embedding?.begin(firstVector: max(firstVectors, warmUp / AudioFormat.frameLength), warp: warp)
    var gain = QuietVoiceGain()
    var features: [Float16] = []
    let frames = (samples.count + AudioFormat.frameLength - 1) / AudioFormat.frameLength
    features.reserveCapacity(frames * settings.coefficients)
    for index in 0..<frames {
      let start = index * AudioFormat.frameLength
      for offset in 0..<AudioFormat.frameLength {
        frame[offset] = start + offset < samples.count ? samples[start + offset] : 0
      }
      _ = frontEnd.process(frame)
      gain.push(UnsafeBufferPointer(frame), into: amplified)
      embedding?.push(UnsafeBufferPointer(amplified))
      if extractor.push(UnsafeBufferPointer(amplified), into: vector), start >= warmUp {
        for value in vector { features.append(Float16(value)) }
      }
    }
    return features
  }

  /// Returns the vectors of augmented audio after its warm-up, and the vectors of each of its spans.
  package func render(
    _ clip: Augmenter.AugmentedClip, warp: Double = 1
  ) throws -> (features: [Float16], spans: [Range<Int>]) {
    let skipped = clip.warmUp == 0 ? 0 : clip.warmUp / settings.hop - firstVectors
    return (
      try render(clip.samples, warmUp: clip.warmUp, warp: warp),
      clip.spans.map { span in
        let vectors = vectors(of: span)
        return max(0, vectors.lowerBound - skipped)..<max(1, vectors.upperBound - skipped)
      }
    )
  }

  /// The frames at the start of a stream without a vector, because the window is not full.
  private var firstVectors: Int { (settings.window + settings.hop - 1) / settings.hop - 1 }

  /// Returns the sample of the raw stream at which the window of a vector ends.
  package func end(ofVector index: Int) -> Int {
    (index + (settings.window + settings.hop - 1) / settings.hop) * settings.hop - frontEnd.delay
  }

  /// Returns the vectors whose windows end within the range `samples` of the raw stream.
  package func vectors(of samples: Range<Int>) -> Range<Int> {
    let skipped = (settings.window + settings.hop - 1) / settings.hop
    func index(_ sample: Int) -> Int {
      max(0, (sample + frontEnd.delay + settings.hop - 1) / settings.hop - skipped)
    }
    return index(samples.lowerBound)..<max(index(samples.lowerBound) + 1, index(samples.upperBound))
  }
}

/// Speech at another tempo: feature vectors interpolated in time.
package enum TimeStretch {
  /// Writes `frames` vectors of `width` values, from vector `start` of `features`.
  ///
  /// - Parameters:
  ///   - span: the number of vectors of `features` that are used: `frames / pace`.
  ///   - pace: the factor by which durations are multiplied.
  package static func stretch(
    _ features: [Float16], width: Int, from start: Int, span: Int, pace: Float, frames: Int,
    into place: UnsafeMutablePointer<Float>
  ) {
    features.withUnsafeBufferPointer { half in
      half.withMemoryRebound(to: UInt16.self) { half in
        if pace == 1 {
          training_widen(frames * width, half.baseAddress! + start * width, place)
          return
        }
        withUnsafeTemporaryAllocation(of: Float.self, capacity: (span + 1) * width) { source in
          let count = min(span + 1, half.count / width - start)
          training_widen(count * width, half.baseAddress! + start * width, source.baseAddress!)
          for frame in 0..<frames {
            let at = min(Float(frame) / pace, Float(count - 1))
            let low = min(Int(at), count - 2)
            let part = at - Float(low)
            let from = source.baseAddress! + low * width
            let to = place + frame * width
            for index in 0..<width { to[index] = from[index] + part * (from[index + width] - from[index]) }
          }
        }
      }
    }
  }
}
