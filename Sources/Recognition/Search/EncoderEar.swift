import Detection
import FrontEnd
import Glibc
import Platform

/// Turns one stream of samples into how well each step fits each of an encoder's sounds.
///
/// Belongs to one thread at a time.
package final class EncoderEar {
  /// What is made of an encoder's outputs; measured, see the module's guide.
  package struct Settings: Sendable, Equatable {
    /// The worst that a step fits a sound: one clatter must not end a sentence.
    package var worst: Float = -8
    /// Lengths of the vocal tract, against the speaker's own, that are listened with; what they hear is averaged.
    package var warps = [0.95, 1, 1.05]

    package init() {}
  }

  private let settings: Settings
  package let encoder: PhonemeEncoder
  private let frontEnd: FrontEnd
  private let views: [(extractor: FeatureExtractor, network: StreamingNetwork)]
  private let frame: UnsafeMutableBufferPointer<Int16>
  private let vector: UnsafeMutableBufferPointer<Float>
  private var fits: [Float]
  private var steps = 0

  /// - Throws: ``RecognitionFault/encoderRefused(reason:)``.
  package init(
    _ encoder: PhonemeEncoder, _ settings: Settings = Settings()
  ) throws(RecognitionFault) {
    self.encoder = encoder
    self.settings = settings
    do {
      frontEnd = try FrontEnd(encoder.frontEnd)
      views = try settings.warps.map {
        (try FeatureExtractor(encoder.features, warp: $0), StreamingNetwork(encoder.network))
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

  /// Forgets the stream.
  package func reset() {
    frontEnd.reset()
    for view in views {
      view.extractor.reset()
      view.network.reset()
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
    var isFull = false
    for (index, view) in views.enumerated() {
      guard view.extractor.push(UnsafeBufferPointer(frame), into: vector),
        view.network.push(UnsafeBufferPointer(vector))
      else { continue }
      isFull = true
      let outputs = view.network.outputs
      let highest = outputs.max()!
      let norm = highest + logf(outputs.reduce(0) { $0 + expf($1 - highest) })
      for (sound, output) in outputs.enumerated() {
        fits[sound] = (index == 0 ? 0 : fits[sound]) + (output - norm) / Float(views.count)
      }
    }
    guard isFull else { return }
    steps += 1
    guard steps > lag else { return }
    let highest = fits.max()!
    for sound in fits.indices { fits[sound] = max(settings.worst, fits[sound] - highest) }
    take(fits)
  }
}
