import FrontEnd
import PCM
import Platform

/// A front end, a feature extractor and an encoder, shared by the models that were trained with the same ones.
struct FeatureGroup {
  /// Unmanaged, so that no frame counts references; see ``free()``.
  private let frontEnd: Unmanaged<FrontEnd>
  private let extractor: Unmanaged<FeatureExtractor>
  /// For models with an encoder.
  private let encoder: Unmanaged<StreamingNetwork>?
  private let origin: Unmanaged<Origin>
  private let features: UnsafeMutableBufferPointer<Float>
  /// The input of the networks if ``isFull``: the last frame's features, or the encoder's outputs.
  let vector: UnsafeBufferPointer<Float>
  /// Whether the last frame completed a vector.
  private(set) var isFull = false
  private(set) var activity = FrameActivity(voiced: false, level: -100)
  /// Samples by which the front end's output lags.
  let delay: Int
  private let processed: UnsafeMutableBufferPointer<Int16>

  init(
    _ frontEndSettings: FrontEndSettings, _ settings: FeatureSettings, encoder weights: NetworkWeights?,
    _ shared: PackedNetworks
  ) throws(DetectionFault) {
    let front: FrontEnd
    do {
      front = try FrontEnd(frontEndSettings)
    } catch {
      throw .frontEnd(error)
    }
    extractor = .passRetained(try FeatureExtractor(settings))
    frontEnd = .passRetained(front)
    delay = front.delay
    features = .allocate(capacity: settings.coefficients)
    features.initialize(repeating: 0)
    origin = .passRetained(Origin(encoder: weights))
    encoder = weights.map { .passRetained(StreamingNetwork(shared.packed($0))) }
    vector = encoder?.takeUnretainedValue().outputs ?? UnsafeBufferPointer(features)
    processed = .allocate(capacity: AudioFormat.frameLength)
    processed.initialize(repeating: 0)
  }

  /// Frees the group, which must not be used afterwards.
  func free() {
    frontEnd.release()
    extractor.release()
    encoder?.release()
    origin.release()
    features.deallocate()
    processed.deallocate()
  }

  func serves(_ model: HotwordModel) -> Bool {
    frontEnd.takeUnretainedValue().settings == model.frontEnd
      && extractor.takeUnretainedValue().settings == model.features
      && origin.takeUnretainedValue().encoder == model.encoder
  }

  /// Cleans a copy of `frame` and updates the features.
  @_noAllocation @_noLocks
  mutating func push(_ frame: UnsafeBufferPointer<Int16>, _ reference: UnsafeBufferPointer<Int16>?) {
    let source = frame.baseAddress.unsafelyUnwrapped
    let target = processed.baseAddress.unsafelyUnwrapped
    var index = 0
    while index < AudioFormat.frameLength {
      target[index] = source[index]
      index += 1
    }
    activity = frontEnd._withUnsafeGuaranteedRef { $0.process(processed, reference: reference) }
    isFull = extractor._withUnsafeGuaranteedRef { $0.push(UnsafeBufferPointer(processed), into: features) }
    if isFull, let encoder {
      let input = UnsafeBufferPointer(features)
      isFull = encoder._withUnsafeGuaranteedRef { $0.push(input) }
    }
  }

  mutating func reset() {
    frontEnd.takeUnretainedValue().reset()
    extractor.takeUnretainedValue().reset()
    encoder?.takeUnretainedValue().reset()
    isFull = false
  }
}

/// The encoder of a group, in a class: an array in the group itself would be retained on every frame.
private final class Origin {
  let encoder: NetworkWeights?

  init(encoder: NetworkWeights?) { self.encoder = encoder }
}
