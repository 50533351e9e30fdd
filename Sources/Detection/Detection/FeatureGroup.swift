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
  /// In a class: an array in the group itself would be retained on every frame.
  private let sounds: Unmanaged<Sounds>
  /// The features of the last frames, in rows.
  private let history: UnsafeMutableBufferPointer<Float>
  private let rows: Int
  private let coefficients: Int
  /// Every so many frames of features, networks have completed their steps.
  private let period: Int
  /// The frames with features so far, and the next of them for the encoder.
  private var count = 0
  private var next = 0
  private let features: UnsafeMutableBufferPointer<Float>
  /// A frame's features, or the encoder's outputs.
  let outputs: UnsafeBufferPointer<Float>
  /// The highest of the outputs.
  private(set) var highest: Float = 0
  /// The input of the networks if ``isFull``: the same, or the scores of sounds.
  let vector: UnsafeBufferPointer<Float>
  /// Empty if the models have no sounds.
  private let offsets: UnsafeMutableBufferPointer<Float>
  private let scores: UnsafeMutableBufferPointer<Float>
  /// Whether the last ``advance()`` completed a vector.
  private(set) var isFull = false
  private(set) var activity = FrameActivity(voiced: false, level: -100)
  /// Samples by which the front end's output lags.
  let delay: Int
  private let processed: UnsafeMutableBufferPointer<Int16>
  /// The last frame as the front end cleaned it.
  let cleaned: UnsafeBufferPointer<Int16>
  private var gain = QuietVoiceGain()
  private let amplified: UnsafeMutableBufferPointer<Int16>
  /// The same, amplified if it is quiet: the source of the features.
  let heard: UnsafeBufferPointer<Int16>

  /// - Parameter reach: the frames of features on which the models depend, and how often their networks complete steps.
  init(
    _ frontEndSettings: FrontEndSettings, _ settings: FeatureSettings, encoder weights: PackedNetwork?,
    sounds: SoundScores?, _ reach: NetworkReach
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
    coefficients = settings.coefficients
    period = reach.period
    rows = reach.frames + reach.period
    history = .allocate(capacity: rows * coefficients)
    history.initialize(repeating: 0)
    features = .allocate(capacity: coefficients)
    features.initialize(repeating: 0)
    self.sounds = .passRetained(Sounds(scores: sounds))
    encoder = weights.map { .passRetained(StreamingNetwork($0)) }
    outputs = encoder?.takeUnretainedValue().outputs ?? UnsafeBufferPointer(features)
    offsets = .allocate(capacity: sounds?.offsets.count ?? 0)
    _ = offsets.initialize(from: sounds?.offsets ?? [])
    scores = .allocate(capacity: offsets.count)
    scores.initialize(repeating: 0)
    vector = offsets.isEmpty ? outputs : UnsafeBufferPointer(scores)
    processed = .allocate(capacity: AudioFormat.frameLength)
    processed.initialize(repeating: 0)
    cleaned = UnsafeBufferPointer(processed)
    amplified = .allocate(capacity: AudioFormat.frameLength)
    amplified.initialize(repeating: 0)
    heard = UnsafeBufferPointer(amplified)
  }

  /// Frees the group, which must not be used afterwards.
  func free() {
    frontEnd.release()
    extractor.release()
    encoder?.release()
    sounds.release()
    history.deallocate()
    features.deallocate()
    offsets.deallocate()
    scores.deallocate()
    processed.deallocate()
    amplified.deallocate()
  }

  /// Whether the group computes the input of the networks of `model`, whose encoder is `encoder`.
  func serves(_ model: HotwordModel, encoder: PackedNetwork?) -> Bool {
    frontEnd.takeUnretainedValue().settings == model.frontEnd
      && extractor.takeUnretainedValue().settings == model.features
      && sounds.takeUnretainedValue().scores == model.sounds
      && self.encoder?.takeUnretainedValue().packed === encoder
  }

  /// Frames with features that no network has seen.
  var backlog: Int {
    @_noAllocation @_noLocks get { count - next }
  }

  /// Cleans a copy of `frame` and appends its features to the history.
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
    let row = UnsafeMutableBufferPointer(start: self.row(count), count: coefficients)
    gain.push(cleaned, into: amplified)
    let input = heard
    if extractor._withUnsafeGuaranteedRef({ $0.push(input, into: row) }) { count += 1 }
  }

  @_noAllocation @_noLocks
  private func row(_ frame: Int) -> UnsafeMutablePointer<Float> {
    history.baseAddress.unsafelyUnwrapped + frame % rows * coefficients
  }

  /// Gives the next frame of the history to the encoder.
  @_noAllocation @_noLocks
  mutating func advance() {
    isFull = next < count
    guard isFull else { return }
    let source = row(next)
    let target = features.baseAddress.unsafelyUnwrapped
    var index = 0
    while index < coefficients {
      target[index] = source[index]
      index += 1
    }
    next += 1
    guard let encoder else { return }
    let input = UnsafeBufferPointer(features)
    isFull = encoder._withUnsafeGuaranteedRef { $0.push(input) }
    guard isFull else { return }
    highest = outputs[0]
    index = 1
    while index < outputs.count {
      highest = max(highest, outputs[index])
      index += 1
    }
    guard !offsets.isEmpty else { return }
    SoundScores.write(
      of: outputs.baseAddress.unsafelyUnwrapped, less: UnsafeBufferPointer(offsets),
      to: scores.baseAddress.unsafelyUnwrapped)
  }

  /// Drops the frames that are too old to matter, if there are any: the encoder and the networks must start anew with the others.
  ///
  /// The others begin where all steps of the networks begin, so that the steps are those of an uninterrupted stream.
  ///
  /// - Returns: whether frames were dropped.
  @_noAllocation @_noLocks
  mutating func dropOld() -> Bool {
    guard backlog > rows else { return false }
    let first = count - rows + period - 1
    next = first - first % period
    encoder?._withUnsafeGuaranteedRef { $0.reset() }
    return true
  }

  mutating func reset() {
    frontEnd.takeUnretainedValue().reset()
    extractor.takeUnretainedValue().reset()
    encoder?.takeUnretainedValue().reset()
    gain = QuietVoiceGain()
    count = 0
    next = 0
    isFull = false
  }
}

private final class Sounds {
  let scores: SoundScores?

  init(scores: SoundScores?) { self.scores = scores }
}
