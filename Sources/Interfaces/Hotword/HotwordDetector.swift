import Detection
import FrontEnd
import PCM
import Platform

/// Hears hotwords in one stream of 16 kHz mono samples that come in pieces of any size.
///
///     let detector = try HotwordDetector(["computer", "jarvis:0.7"])
///     while let samples = microphone.read() {
///       for hit in detector.push(samples) { print(hit.keyword, hit.score) }
///     }
///
/// What is heard does not depend on the pieces, and equals what `hotword detect` finds. One instance belongs to one
/// stream and to one thread at a time; nothing but `init`, ``reset()``, ``appliesFrontEnd`` and what returns arrays
/// allocates.
public final class HotwordDetector {
  /// What a piece of sound amounted to.
  public enum Heard: Sendable, Equatable {
    /// No voice in it, nor in the 0.3 s before it.
    case silence
    case speech
    /// The first hotword found in it: an index of ``keywords``.
    case hotword(Int)
  }

  /// Hits that are kept until they are taken; later ones are dropped.
  public static let hitLimit = 64

  /// What the samples are multiplied by before they are heard, 0.01...100; those that get too large are cut.
  public var gain: Float = 1 {
    didSet { gain = min(max(gain, 0.01), 100) }
  }

  private let models: [HotwordModel]
  /// Held by hand, so that no frame counts references.
  private var spotter: Unmanaged<KeywordSpotter>
  private var voice = VoiceFlagSmoother()
  private let frame: UnsafeMutableBufferPointer<Int16>
  private var filled = 0
  private let scores: UnsafeMutableBufferPointer<Score>
  private let waiting: UnsafeMutableBufferPointer<Waiting>
  private var firstWaiting = 0
  private var waitingCount = 0

  private struct Score {
    var highest = 0.0
    /// Whether no step of this call has set it yet.
    var isOld = true
  }

  private struct Waiting {
    var model: Int
    var decision: Decision
  }

  /// A detector at the start of a stream. Allocates all that it will ever use.
  ///
  /// - Throws: ``DetectionFault`` for front ends and decisions that cannot be made.
  public init(_ models: [(model: HotwordModel, sensitivity: Sensitivity)]) throws(DetectionFault) {
    self.models = models.map(\.model)
    spotter = .passRetained(try KeywordSpotter(models))
    frame = .allocate(capacity: AudioFormat.frameLength)
    frame.initialize(repeating: 0)
    scores = .allocate(capacity: models.count)
    scores.initialize(repeating: Score())
    waiting = .allocate(capacity: Self.hitLimit)
  }

  /// A detector for models by name or path, each perhaps with a sensitivity of its own: `computer`, `jarvis:0.7`,
  /// `/srv/models/kitchen.safetensors`.
  ///
  /// - Parameters:
  ///   - sensitivity: for those without their own.
  ///   - store: where names are looked up.
  /// - Throws: ``DetectionFault`` for a model that is not there or not usable.
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

  /// The models in their order, with their sensitivities and thresholds.
  public var keywords: [KeywordSpotter.Keyword] { spotter.takeUnretainedValue().keywords }

  /// Makes a model trigger more or less easily from now on.
  public func setSensitivity(_ sensitivity: Sensitivity, of model: Int) {
    spotter.takeUnretainedValue().setSensitivity(sensitivity, of: model)
  }

  /// Whether the models' front end cleans the sound, as it does unless told otherwise.
  ///
  /// They were trained behind it: without it, the sound should have been cleaned before. Setting it resets the stream.
  public private(set) var appliesFrontEnd = true

  /// Sets ``appliesFrontEnd``.
  public func applyFrontEnd(_ applies: Bool) throws(DetectionFault) {
    let sensitivities = keywords.map(\.sensitivity)
    let other = try KeywordSpotter(
      zip(models, sensitivities).map { model, sensitivity in
        var model = model
        if !applies { model.frontEnd = Self.listeningOnly }
        return (model, sensitivity)
      })
    spotter.release()
    spotter = .passRetained(other)
    appliesFrontEnd = applies
    forget()
  }

  /// Changes nothing and tells voice from silence.
  private static let listeningOnly = FrontEndSettings(
    highPass: false, noiseSuppression: .off, voiceActivity: true)

  /// Forgets the stream and the hits that wait: what follows begins a new one.
  public func reset() {
    spotter.takeUnretainedValue().reset()
    forget()
  }

  private func forget() {
    voice = VoiceFlagSmoother()
    filled = 0
    waitingCount = 0
    for index in scores.indices { scores[index] = Score() }
  }
}

// MARK: - Hearing

extension HotwordDetector {
  /// Hears the next samples.
  ///
  /// - Returns: the hits found in them.
  public func push(_ samples: [Int16]) -> [Hit] {
    _ = samples.withUnsafeBufferPointer { hear($0) }
    return takeHits()
  }

  /// Ends the stream, so that a hotword at its very end is found; ``reset()`` begins another.
  public func finish() -> [Hit] {
    _ = hearEnd()
    return takeHits()
  }

  private func takeHits() -> [Hit] {
    var hits: [Hit] = []
    while let hit = nextHit() { hits.append(hit) }
    return hits
  }

  /// The oldest hit that was not taken yet.
  public func nextHit() -> Hit? {
    guard let (model, decision) = nextDecision() else { return nil }
    return spotter.takeUnretainedValue().hit(decision, of: model)
  }

  /// The same without the keyword's name. Safe on the audio thread.
  @_noAllocation @_noLocks
  package func nextDecision() -> (model: Int, decision: Decision)? {
    guard waitingCount > 0 else { return nil }
    let next = waiting.baseAddress.unsafelyUnwrapped + firstWaiting
    firstWaiting = firstWaiting + 1 == HotwordDetector.hitLimit ? 0 : firstWaiting + 1
    waitingCount -= 1
    return (next.pointee.model, next.pointee.decision)
  }

  /// Hears the next samples. Safe on the audio thread.
  ///
  /// - Returns: what they amounted to; all hits wait for ``nextHit()``.
  @_noAllocation @_noLocks
  public func hear(_ samples: UnsafeBufferPointer<Int16>) -> Heard {
    ageScores()
    var found: Int?
    var wasSpeech = voice.isSpeech
    var index = 0
    let count = samples.count
    while index < count {
      frame.baseAddress.unsafelyUnwrapped[filled] = amplified(samples.baseAddress.unsafelyUnwrapped[index])
      filled += 1
      index += 1
      if filled == AudioFormat.frameLength {
        let first = hearFrame()
        if found == nil { found = first }
        if voice.isSpeech { wasSpeech = true }
      }
    }
    if let found { return .hotword(found) }
    return wasSpeech ? .speech : .silence
  }

  /// Ends the stream: hears what is left of a frame, and silence behind it. Safe on the audio thread.
  @_noAllocation @_noLocks
  public func hearEnd() -> Heard {
    ageScores()
    var found: Int?
    let wasSpeech = voice.isSpeech
    var left = spotter._withUnsafeGuaranteedRef { $0.tail }
    if filled > 0 { left += 1 }
    while left > 0 {
      while filled < AudioFormat.frameLength {
        frame.baseAddress.unsafelyUnwrapped[filled] = 0
        filled += 1
      }
      let first = hearFrame()
      if found == nil { found = first }
      left -= 1
    }
    let count = spotter._withUnsafeGuaranteedRef { $0.finish() }
    let last = keep(count)
    if found == nil { found = last }
    if let found { return .hotword(found) }
    return wasSpeech ? .speech : .silence
  }

  /// Sets ``gain``. Safe on the audio thread.
  @_noAllocation @_noLocks
  package func setGain(_ gain: Float) { self.gain = gain }

  /// The highest score of a model in what was heard by the last call, 0...1; the one before it where that held no step of its
  /// networks. Safe on the audio thread.
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

  /// Hears the full frame.
  ///
  /// - Returns: the first model that found its phrase.
  @_noAllocation @_noLocks
  private func hearFrame() -> Int? {
    filled = 0
    let heard = UnsafeBufferPointer(frame)
    let count = spotter._withUnsafeGuaranteedRef { $0.push(heard) }
    voice.push(spotter._withUnsafeGuaranteedRef { $0.activity.voiced })
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
