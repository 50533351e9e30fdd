import FrontEnd
import Platform

/// A front end and its features, shared by the models that were trained on just these.
struct FeatureGroup {
  /// Held by hand, so that no frame counts references; see ``free()``.
  private let frontEnd: Unmanaged<FrontEnd>
  private let extractor: Unmanaged<FeatureExtractor>
  /// The last frame's features, if ``isFull``.
  let vector: UnsafeMutableBufferPointer<Float>
  private(set) var isFull = false
  private(set) var activity = FrameActivity(voiced: false, level: -100)
  /// Samples by which the front end's output lags.
  let delay: Int
  private let processed: UnsafeMutableBufferPointer<Int16>

  init(_ frontEndSettings: FrontEndSettings, _ features: FeatureSettings) throws(DetectionFault) {
    let front: FrontEnd
    do {
      front = try FrontEnd(frontEndSettings)
    } catch {
      throw .frontEnd(error)
    }
    extractor = .passRetained(try FeatureExtractor(features))
    frontEnd = .passRetained(front)
    delay = front.delay
    vector = .allocate(capacity: features.coefficients)
    vector.initialize(repeating: 0)
    processed = .allocate(capacity: AudioFormat.frameLength)
    processed.initialize(repeating: 0)
  }

  /// Frees all that the group holds; it must not be used afterwards.
  func free() {
    frontEnd.release()
    extractor.release()
    vector.deallocate()
    processed.deallocate()
  }

  func serves(_ model: HotwordModel) -> Bool {
    frontEnd.takeUnretainedValue().settings == model.frontEnd
      && extractor.takeUnretainedValue().settings == model.features
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
    isFull = extractor._withUnsafeGuaranteedRef { $0.push(UnsafeBufferPointer(processed), into: vector) }
  }

  mutating func reset() {
    frontEnd.takeUnretainedValue().reset()
    extractor.takeUnretainedValue().reset()
    isFull = false
  }
}
