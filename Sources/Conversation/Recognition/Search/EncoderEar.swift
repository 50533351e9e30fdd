import Detection
import FrontEnd
import Glibc
import PCM
import Platform

/// Turns one stream of samples into how well each step fits each of the encoders' sounds: the mean of what they hear.
///
/// Encoders that began differently err on different words; see L. K. Hansen and P. Salamon, "Neural network ensembles",
/// 1990. Belongs to one thread at a time.
package final class EncoderEar {
  /// What is made of an encoder's outputs; measured, see the module's guide.
  package struct Settings: Sendable, Equatable {
    /// The worst that a step fits a sound: one clatter must not end a sentence.
    package var worst: Float = -8
    /// Lengths of the vocal tract, against the speaker's own, that every encoder listens with.
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

  /// - Parameter encoders: one or more that hear the same features and tell the same sounds, equally late.
  /// - Throws: ``RecognitionFault/encoderRefused(reason:)``.
  package init(
    _ encoders: [PhonemeEncoder], _ settings: Settings = Settings()
  ) throws(RecognitionFault) {
    let encoder = encoders[0]
    guard encoders.allSatisfy({ Self.agree($0, encoder) }) else {
      throw .encoderRefused(reason: "its files are of different kinds; leave those of one training recipe")
    }
    guard encoder.phonemes.count <= SentenceGraph.pause else {
      throw .encoderRefused(reason: "it tells more than \(SentenceGraph.pause) sounds apart")
    }
    self.encoder = encoder
    self.settings = settings
    do {
      frontEnd = try FrontEnd(encoder.frontEnd)
      let packed = encoders.map { PackedNetwork($0.network) }
      views = try settings.warps.map {
        (try FeatureExtractor(encoder.features, warp: $0), packed.map { StreamingNetwork($0) })
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

  /// Whether what two encoders say of a step can be averaged.
  private static func agree(_ one: PhonemeEncoder, _ other: PhonemeEncoder) -> Bool {
    one.frontEnd == other.frontEnd && one.features == other.features && one.phonemes == other.phonemes
      && one.lookAhead == other.lookAhead && one.network.shape.stride == other.network.shape.stride
  }

  /// Forgets the stream.
  package func reset() {
    frontEnd.reset()
    for view in views {
      view.extractor.reset()
      for network in view.networks { network.reset() }
    }
    steps = 0
  }

  /// Steps of outputs that tell of nothing yet: the encoder looks ahead.
  private var lag: Int { encoder.lookAhead / encoder.network.shape.stride }

  /// Frames after the last to be pushed, for the outputs to come to it.
  package var framesToFlush: Int {
    encoder.lookAhead + encoder.features.window / AudioFormat.frameLength
  }

  /// Seconds of a step.
  package var stepSeconds: Double { encoder.network.shape.stepSeconds }

  /// Takes a frame of 160 samples; `take` is given the step that it completes, if it does.
  package func push(_ samples: ArraySlice<Int16>, _ take: ([Float]) -> Void) {
    precondition(samples.count == AudioFormat.frameLength)
    _ = frame.update(fromContentsOf: samples)
    _ = frontEnd.process(frame)
    var heard = 0
    for view in views where view.extractor.push(UnsafeBufferPointer(frame), into: vector) {
      for network in view.networks where network.push(UnsafeBufferPointer(vector)) {
        add(network.outputs, isFirst: heard == 0)
        heard += 1
      }
    }
    guard heard > 0 else { return }
    for sound in fits.indices { fits[sound] /= Float(heard) }
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
