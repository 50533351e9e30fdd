import Detection
import FrontEnd
import Glibc
import PCM
import Platform

/// Turns a stream of samples into scores of each sound at each step: the mean of the log posteriors of several encoders.
///
/// Encoders trained from different seeds make different errors; see L. K. Hansen and P. Salamon, "Neural network
/// ensembles", 1990. Not thread-safe: use it on one thread at a time.
package final class EncoderStream {
  /// Parameters of the scores; measured, see the README of this module.
  package struct Settings: Sendable, Equatable {
    /// The lower limit of a score, so that a single noise cannot rule out a sentence.
    package var worst: Float = -8
    /// The factors of the vocal-tract length with which each encoder is evaluated.
    package var warps = [0.95, 1, 1.05]

    package init() {}
  }

  private let settings: Settings
  private let encoder: PhonemeEncoder
  private let frontEnd: FrontEnd
  private let views: [(extractor: FeatureExtractor, networks: [StreamingNetwork])]
  private let frame: UnsafeMutableBufferPointer<Int16>
  private let vector: UnsafeMutableBufferPointer<Float>
  private var fits: [Float]
  private var steps = 0

  /// - Parameters:
  ///   - encoders: at least one; all with the same features, sounds and look-ahead.
  ///   - packed: the weights that streams of these encoders share.
  /// - Throws: ``RecognitionFault/encoderRefused(reason:)``.
  package init(
    _ encoders: [PhonemeEncoder], sharing packed: PackedNetworks = PackedNetworks(),
    settings: Settings = Settings()
  ) throws(RecognitionFault) {
    let encoder = encoders[0]
    guard encoders.allSatisfy({ Self.agree($0, encoder) }) else {
      throw .encoderRefused(reason: "the files are from different training recipes; keep those of one")
    }
    guard encoder.phonemes.count <= SentenceGraph.pause else {
      throw .encoderRefused(reason: "it has more than \(SentenceGraph.pause) sounds")
    }
    self.encoder = encoder
    self.settings = settings
    do {
      frontEnd = try FrontEnd(encoder.frontEnd)
      let networks = encoders.map { packed.packed($0.network) }
      views = try settings.warps.map {
        (try FeatureExtractor(encoder.features, warp: $0), networks.map { StreamingNetwork($0) })
      }
    } catch {
      throw .encoderRefused(reason: (error as? any Fault)?.message ?? "\(error)")
    }
    frame = .allocate(capacity: AudioFormat.frameLength)
    frame.initialize(repeating: 0)
    vector = .allocate(capacity: encoder.features.coefficients)
    vector.initialize(repeating: 0)
    fits = [Float](repeating: 0, count: encoder.phonemes.count)
  }

  deinit {
    frame.deallocate()
    vector.deallocate()
  }

  /// Whether the outputs of two encoders can be averaged.
  private static func agree(_ one: PhonemeEncoder, _ other: PhonemeEncoder) -> Bool {
    one.frontEnd == other.frontEnd && one.features == other.features && one.phonemes == other.phonemes
      && one.lookAhead == other.lookAhead && one.network.shape.stride == other.network.shape.stride
  }

  /// Starts a new stream.
  package func reset() {
    frontEnd.reset()
    for view in views {
      view.extractor.reset()
      for network in view.networks { network.reset() }
    }
    steps = 0
  }

  /// The number of first outputs to discard, because of the look-ahead of the encoder.
  private var lag: Int { encoder.lookAhead / encoder.network.shape.stride }

  /// The number of frames to push after the last one to get its outputs.
  package var framesToFlush: Int {
    encoder.lookAhead + encoder.features.window / AudioFormat.frameLength
  }

  /// The duration of a step in seconds.
  package var stepSeconds: Double { encoder.network.shape.stepSeconds }

  /// Adds a frame of 160 samples; calls `take` with the scores of a step if the frame completes one.
  package func push(_ samples: ArraySlice<Int16>, _ take: ([Float]) -> Void) {
    precondition(samples.count == AudioFormat.frameLength)
    _ = frame.update(fromContentsOf: samples)
    _ = frontEnd.process(frame)
    var outputCount = 0
    for view in views where view.extractor.push(UnsafeBufferPointer(frame), into: vector) {
      for network in view.networks where network.push(UnsafeBufferPointer(vector)) {
        add(network.outputs, isFirst: outputCount == 0)
        outputCount += 1
      }
    }
    guard outputCount > 0 else { return }
    for sound in fits.indices { fits[sound] /= Float(outputCount) }
    steps += 1
    guard steps > lag else { return }
    let highest = fits.max()!
    for sound in fits.indices { fits[sound] = max(settings.worst, fits[sound] - highest) }
    take(fits)
  }

  private func add(_ outputs: UnsafeBufferPointer<Float>, isFirst: Bool) {
    let highest = outputs.max()!
    let norm = highest + logf(outputs.reduce(0) { $0 + expf($1 - highest) })
    for (sound, output) in outputs.enumerated() {
      fits[sound] = (isFirst ? 0 : fits[sound]) + output - norm
    }
  }
}
