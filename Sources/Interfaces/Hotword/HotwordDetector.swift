import Detection
import FrontEnd
import PCM
import Platform

/// Detects hotwords in one stream of 16 kHz mono samples that arrive in pieces of any size.
///
///     let detector = try HotwordDetector(["computer", "jarvis:0.7"])
///     while let samples = microphone.read() {
///       for hit in detector.push(samples) { print(hit.keyword, hit.score) }
///     }
///
/// The results do not depend on the pieces and equal those of `hotword detect`. One instance belongs to one stream and to
/// one thread at a time. Methods marked as real-time safe neither allocate nor wait; see
/// `KeywordSpotter` for what the libraries lock.
public final class HotwordDetector {
  /// The result of a piece of audio.
  public enum Outcome: Sendable, Equatable {
    /// No voice in it or in the 0.3 s before it.
    case silence
    case speech
    /// The first hotword detected in it: an index of ``keywords``.
    case hotword(Int)
  }

  /// The number of hits that can wait for ``nextHit()``; later ones are dropped.
  public static let hitLimit = 64

  /// The gain of the samples, 0.01...100; the result is clipped to 16 bits. What is no number changes nothing.
  public var gain: Float = 1 {
    didSet { gain = gain.isNaN ? oldValue : min(max(gain, 0.01), 100) }
  }

  private let models: [HotwordModel]
  /// Unmanaged, so that no frame counts references.
  private var spotter: Unmanaged<KeywordSpotter>
  private var speech = VoiceFlagSmoother()
  private let frame: UnsafeMutableBufferPointer<Int16>
  private var filled = 0
  private let scores: UnsafeMutableBufferPointer<Score>
  private let waiting: UnsafeMutableBufferPointer<Waiting>
  private var firstWaiting = 0
  private var waitingCount = 0

  private struct Score {
    var highest = 0.0
    /// Whether it is from an earlier call.
    var isOld = true
  }

  /// A hit without the keyword's name: `model` is an index of ``keywords``.
  package struct Waiting {
    package var model: Int
    package var decision: Decision
  }

  /// Creates a detector at the start of a stream. Allocates all memory that it will use.
  ///
  /// - Throws: ``DetectionFault`` for invalid front ends and decisions.
  public init(_ models: [(model: HotwordModel, sensitivity: Sensitivity)]) throws(DetectionFault) {
    self.models = models.map(\.model)
    spotter = .passRetained(try KeywordSpotter(models))
    frame = .allocate(capacity: AudioFormat.frameLength)
    frame.initialize(repeating: 0)
    scores = .allocate(capacity: models.count)
    scores.initialize(repeating: Score())
    waiting = .allocate(capacity: Self.hitLimit)
  }

  /// Creates a detector of models by name or path, each with or without a sensitivity: `computer`, `jarvis:0.7`,
  /// `/srv/models/kitchen.safetensors`.
  ///
  /// - Parameters:
  ///   - sensitivity: for models without one.
  ///   - store: the folders in which names are searched.
  /// - Throws: ``DetectionFault`` for a model that is missing or not usable.
  public convenience init(
    _ names: [String], sensitivity: Sensitivity = .standard, in store: ModelStore = .standard()
  ) throws(DetectionFault) {
    var models: [(model: HotwordModel, sensitivity: Sensitivity)] = []
    for name in names {
      let reference = try ModelReference(name)
      models.append((try store.model(reference), reference.sensitivity ?? sensitivity))
    }
    try self.init(models)
  }

  deinit {
    spotter.release()
    frame.deallocate()
    scores.deallocate()
    waiting.deallocate()
  }

  /// The models in order, with their sensitivities and thresholds.
  public var keywords: [KeywordSpotter.Keyword] { spotter.takeUnretainedValue().keywords }

  /// Sets the sensitivity of a model from now on. May allocate.
  public func setSensitivity(_ sensitivity: Sensitivity, of model: Int) {
    spotter.takeUnretainedValue().setSensitivity(sensitivity, of: model)
  }

  /// Whether the models' front end processes the audio; true by default.
  ///
  /// The models were trained with it. Without it, the audio should have been processed in the same way before.
  public private(set) var appliesFrontEnd = true

  /// Sets ``appliesFrontEnd`` and resets the stream. Allocates.
  public func applyFrontEnd(_ applies: Bool) throws(DetectionFault) {
    let sensitivities = keywords.map(\.sensitivity)
    let other = try KeywordSpotter(
      zip(models, sensitivities).map { model, sensitivity in
        var model = model
        if !applies { model.frontEnd = Self.voiceActivityOnly }
        return (model, sensitivity)
      })
    spotter.release()
    spotter = .passRetained(other)
    appliesFrontEnd = applies
    clear()
  }

  /// Leaves the samples unchanged and detects voice.
  private static let voiceActivityOnly = FrontEndSettings(
    highPass: false, noiseSuppression: .off, voiceActivity: true)

  /// Discards the waiting hits and begins a new stream. May allocate.
  public func reset() {
    spotter.takeUnretainedValue().reset()
    clear()
  }

  private func clear() {
    speech = VoiceFlagSmoother()
    filled = 0
    waitingCount = 0
    for index in scores.indices { scores[index] = Score() }
  }
}

// MARK: - Detection

extension HotwordDetector {
  /// Processes the next samples. Allocates for hits.
  ///
  /// - Returns: the hits in them.
  public func push(_ samples: [Int16]) -> [Hit] {
    _ = samples.withUnsafeBufferPointer { process($0) }
    return takeHits()
  }

  /// Ends the stream, so that a hotword at its very end is detected; ``reset()`` begins another.
  public func finish() -> [Hit] {
    _ = processEnd()
    return takeHits()
  }

  private func takeHits() -> [Hit] {
    var hits: [Hit] = []
    while let hit = nextHit() { hits.append(hit) }
    return hits
  }

  /// Takes the oldest waiting hit.
  public func nextHit() -> Hit? {
    guard hasDecision else { return nil }
    let next = nextDecision()
    return spotter.takeUnretainedValue().hit(next.decision, of: next.model)
  }

  /// Whether a hit waits. Real-time safe.
  package var hasDecision: Bool {
    @_noAllocation @_noLocks get { waitingCount > 0 }
  }

  /// Takes the oldest waiting hit, without the keyword's name. Real-time safe.
  ///
  /// - Precondition: ``hasDecision``. The compiler of Swift 6.0 crashes in the caller if this returns an optional.
  @_noAllocation @_noLocks
  package func nextDecision() -> Waiting {
    let next = waiting.baseAddress.unsafelyUnwrapped + firstWaiting
    firstWaiting = firstWaiting + 1 == HotwordDetector.hitLimit ? 0 : firstWaiting + 1
    waitingCount -= 1
    return next.pointee
  }

  /// Processes the next samples. Real-time safe.
  ///
  /// - Returns: the result of them; all hits wait for ``nextHit()``.
  @_noAllocation @_noLocks
  public func process(_ samples: UnsafeBufferPointer<Int16>) -> Outcome {
    ageScores()
    var found: Int?
    var wasSpeech = speech.isSpeech
    var index = 0
    let count = samples.count
    while index < count {
      frame.baseAddress.unsafelyUnwrapped[filled] = amplified(samples.baseAddress.unsafelyUnwrapped[index])
      filled += 1
      index += 1
      if filled == AudioFormat.frameLength {
        let first = processFrame()
        if found == nil { found = first }
        if speech.isSpeech { wasSpeech = true }
      }
    }
    if let found { return .hotword(found) }
    return wasSpeech ? .speech : .silence
  }

  /// Ends the stream: processes the rest of a frame, and silence after it. Real-time safe.
  @_noAllocation @_noLocks
  public func processEnd() -> Outcome {
    ageScores()
    var found: Int?
    let wasSpeech = speech.isSpeech
    var left = spotter._withUnsafeGuaranteedRef { $0.tail }
    if filled > 0 { left += 1 }
    while left > 0 {
      while filled < AudioFormat.frameLength {
        frame.baseAddress.unsafelyUnwrapped[filled] = 0
        filled += 1
      }
      let first = processFrame()
      if found == nil { found = first }
      left -= 1
    }
    let count = spotter._withUnsafeGuaranteedRef { $0.finish() }
    let last = keep(count)
    if found == nil { found = last }
    if let found { return .hotword(found) }
    return wasSpeech ? .speech : .silence
  }

  /// Sets ``gain``. Real-time safe.
  @_noAllocation @_noLocks
  package func setGain(_ gain: Float) { self.gain = gain }

  /// The highest score of a model in the last call, 0...1, or in the call before if that completed no step of its networks. Real-time safe.
  @_noAllocation @_noLocks
  public func score(of model: Int) -> Double {
    let count = scores.count
    precondition(model >= 0 && model < count)
    return scores.baseAddress.unsafelyUnwrapped[model].highest
  }

  @_noAllocation @_noLocks
  private func amplified(_ sample: Int16) -> Int16 {
    guard gain != 1 else { return sample }
    let value = Float(sample) * gain
    if value >= 32_767 { return 32_767 }
    if value <= -32_768 { return -32_768 }
    return Int16(truncatingIfNeeded: Int32(value < 0 ? value - 0.5 : value + 0.5))
  }

  /// Processes the full frame.
  ///
  /// - Returns: the first model that detected its phrase.
  @_noAllocation @_noLocks
  private func processFrame() -> Int? {
    filled = 0
    let input = UnsafeBufferPointer(frame)
    let count = spotter._withUnsafeGuaranteedRef { $0.push(input) }
    speech.push(spotter._withUnsafeGuaranteedRef { $0.activity.voiced })
    var model = 0
    while model < scores.count {
      if let step = spotter._withUnsafeGuaranteedRef({ $0.score(of: model) }) {
        let score = scores.baseAddress.unsafelyUnwrapped + model
        if score.pointee.isOld || step.score > score.pointee.highest {
          score.pointee = Score(highest: step.score, isOld: false)
        }
      }
      model += 1
    }
    return keep(count)
  }

  @_noAllocation @_noLocks
  private func keep(_ count: Int) -> Int? {
    var first: Int?
    var index = 0
    while index < count {
      let (model, decision) = spotter._withUnsafeGuaranteedRef { $0.decision(index) }
      if first == nil { first = model }
      if waitingCount < HotwordDetector.hitLimit {
        var place = firstWaiting + waitingCount
        if place >= HotwordDetector.hitLimit { place -= HotwordDetector.hitLimit }
        (waiting.baseAddress.unsafelyUnwrapped + place).initialize(
          to: Waiting(model: model, decision: decision))
        waitingCount += 1
      }
      index += 1
    }
    return first
  }

  @_noAllocation @_noLocks
  private func ageScores() {
    var model = 0
    while model < scores.count {
      scores.baseAddress.unsafelyUnwrapped[model].isOld = true
      model += 1
    }
  }
}
