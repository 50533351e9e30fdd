import FrontEnd
import PCM
import Platform

/// A detected phrase.
public struct Hit: Sendable, Equatable {
  /// The index of its model among ``KeywordSpotter/keywords``.
  public var model: Int
  /// Its model's name.
  public var keyword: String
  /// The estimated start and end of the phrase in the raw stream.
  public var start: SampleIndex
  public var end: SampleIndex
  /// 0...1.
  public var score: Double
}

/// Detects the phrases of several models in one stream of raw frames.
///
/// Models with equal front ends, features and encoders share them: a further model of this kind costs only its networks.
/// Positions count the samples since the start or the last ``reset()``, gaps included. The results do not depend on how
/// the frames arrive. One instance belongs to one stream and one thread at a time.
///
/// While nothing but steady noise sounds, only the features are computed (`SilenceGate`). When something sounds, the networks
/// catch up within half a second on all features that matter, so their scores are those of networks that always ran.
///
/// Real-time safe means: no allocation and no waiting. The compiler checks that our code neither allocates nor locks. Of
/// the libraries, FFTW does neither while it transforms; WebRTC locks a mutex of its own stream once a frame, which no
/// other thread uses (see `FrontEnd.process(_:reference:)`). `ListeningPathTests` counts both.
public final class KeywordSpotter {
  /// A model as the spotter runs it.
  public struct Keyword: Sendable, Equatable {
    public let name: String
    public let phrase: String
    public internal(set) var sensitivity: Sensitivity
    /// Scores from this one on are hits.
    public internal(set) var threshold: Double
  }

  /// A model's score at a step of its network.
  public struct StepScore: Sendable, Equatable {
    /// Smoothed, 0...1; 0 while warming up and while nothing sounds.
    public var score: Double
    /// The end of a phrase that is detected at this step.
    public var end: SampleIndex
  }

  public private(set) var keywords: [Keyword]
  /// Samples taken so far, gaps included.
  public private(set) var position: SampleIndex = 0
  /// The activity of the last frame by the first model's front end.
  public private(set) var activity = FrameActivity(voiced: false, level: -100)
  /// Frames of silence to push after a stream's last so that a phrase at its very end is reported.
  public let tail: Int

  private let groups: UnsafeMutableBufferPointer<FeatureGroup>
  private let embeddings: UnsafeMutableBufferPointer<GroupEmbedding>
  private let members: UnsafeMutableBufferPointer<StreamingModel>
  private let hits: UnsafeMutableBufferPointer<Found>
  /// Map the sensitivities of each model to thresholds.
  private let curves: [(curve: OperatingCurve, calibrated: Double)]
  private var found = 0
  private let skipsSilence: Bool
  private var gate = SilenceGate()
  /// Whether the gate was open at the last frame.
  private var isOpen = true

  /// The frames of features that are processed after each frame where networks catch up.
  private static let pace = 8

  /// The embeddings of the audio of a group, for the second stages of its models.
  private struct GroupEmbedding {
    let group: Int
    let weights: Unmanaged<PackedEmbedding>
    let stream: Unmanaged<EmbeddingStream>

    init(_ weights: PackedEmbedding, group: Int, backlog: Int) {
      self.group = group
      self.weights = .passRetained(weights)
      stream = .passRetained(EmbeddingStream(weights, backlog: backlog))
    }

    func free() {
      weights.release()
      stream.release()
    }
  }

  private struct Found {
    var model: Int
    var decision: Decision
  }

  /// Creates a spotter at the start of a stream. Allocates all memory that it will use.
  ///
  /// - Parameters:
  ///   - weights: shared with the spotters of other streams.
  ///   - skipsSilence: runs no network while nothing but steady noise sounds.
  /// - Throws: ``DetectionFault/frontEnd(_:)`` and ``DetectionFault/badSetting(name:allowed:)``.
  public init(
    _ models: [(model: HotwordModel, sensitivity: Sensitivity)],
    sharing weights: PackedNetworks = PackedNetworks(), skipsSilence: Bool = true
  ) throws(DetectionFault) {
    let reach = NetworkReach(of: models.map(\.model))
    var shared: [FeatureGroup] = []
    var list: [StreamingModel] = []
    var embeddings: [GroupEmbedding] = []
    var keywords: [Keyword] = []
    var longest = 0.0
    do {
      for (model, sensitivity) in models {
        let group: Int
        let encoder = model.encoder.map(weights.packed)
        if let known = shared.firstIndex(where: { $0.serves(model, encoder: encoder) }) {
          group = known
        } else {
          group = shared.count
          shared.append(
            try FeatureGroup(
              model.frontEnd, model.features, encoder: encoder, sounds: model.sounds, reach))
        }
        let threshold = model.curve.threshold(for: sensitivity, calibrated: model.decision.threshold)
        let delay = shared[group].delay
        let decider = try Decider(model.decision, threshold: threshold, delay: delay)
        let networks = model.networks.map(weights.packed)
        let end = PhraseEnd(model.lastSounds, delay: delay)
        let path = model.path.map { PhrasePath($0, readsScores: model.sounds != nil) }
        let second = model.secondStage.map { settings in
          let packed = weights.packed(settings.embedding)
          func isSame(_ known: GroupEmbedding) -> Bool {
            known.group == group && known.weights.takeUnretainedValue() === packed
          }
          if !embeddings.contains(where: isSame) {
            embeddings.append(
              GroupEmbedding(packed, group: group, backlog: reach.frames + 2 * reach.period))
          }
          let stream = embeddings.first(where: isSame)!.stream.takeUnretainedValue()
          return StreamingSecondStage(settings, weights.packed(settings.network), stream)
        }
        list.append(
          StreamingModel(
            networks, path: path, second: second, group: group,
            stepLength: AudioFormat.samples(model.stepSeconds), decider: decider, end: end))
        keywords.append(
          Keyword(name: model.name, phrase: model.phrase, sensitivity: sensitivity, threshold: threshold))
        longest = max(
          longest,
          model.decision.latency + AudioFormat.seconds(delay + Decider.hold + PhraseEnd.longestHold)
            + (model.secondStage == nil ? 0 : Double(SecondStage.hold) * model.stepSeconds))
      }
    } catch {
      for group in shared { group.free() }
      for member in list { member.free() }
      for embedding in embeddings { embedding.free() }
      throw error
    }
    self.keywords = keywords
    curves = models.map { ($0.model.curve, $0.model.decision.threshold) }
    tail =
      (AudioFormat.samples(longest + Self.lateness) + AudioFormat.frameLength - 1) / AudioFormat.frameLength
    groups = .allocate(capacity: shared.count)
    _ = groups.initialize(from: shared)
    self.embeddings = .allocate(capacity: embeddings.count)
    _ = self.embeddings.initialize(from: embeddings)
    members = .allocate(capacity: list.count)
    _ = members.initialize(from: list)
    hits = .allocate(capacity: 2 * Self.pace * list.count)
    self.skipsSilence = skipsSilence
  }

  /// Seconds by which a peak may be later than its model's latency.
  private static let lateness = 0.15

  deinit {
    for group in groups { group.free() }
    groups.deallocate()
    for embedding in embeddings { embedding.free() }
    embeddings.deallocate()
    for member in members { member.free() }
    members.deallocate()
    hits.deallocate()
  }

  /// Processes the next frame of the stream, 160 raw samples. Real-time safe.
  ///
  /// - Parameter reference: what the loudspeaker played at that time, for models with echo cancellation.
  /// - Returns: the number of hits, to be read with ``hit(_:)`` before the next call.
  @_noAllocation @_noLocks
  public func push(
    _ frame: UnsafeBufferPointer<Int16>, reference: UnsafeBufferPointer<Int16>? = nil
  ) -> Int {
    precondition(frame.count == AudioFormat.frameLength)
    found = 0
    position += AudioFormat.frameLength
    var index = 0
    while index < groups.count {
      let group = groups.baseAddress.unsafelyUnwrapped + index
      group.pointee.push(frame, reference)
      if index == 0 {
        activity = group.pointee.activity
        if skipsSilence { isOpen = gate.push(group.pointee.cleaned) }
      }
      index += 1
    }
    index = 0
    while index < embeddings.count {
      let embedding = embeddings.baseAddress.unsafelyUnwrapped + index
      let heard = (groups.baseAddress.unsafelyUnwrapped + embedding.pointee.group).pointee.heard
      embedding.pointee.stream._withUnsafeGuaranteedRef { $0.push(heard) }
      index += 1
    }
    resetScores(isSilent: !isOpen)
    if isOpen {
      dropOld()
      var steps = 0
      while steps < Self.pace, advance() { steps += 1 }
    }
    return found
  }

  @_noAllocation @_noLocks
  private func resetScores(isSilent: Bool) {
    var index = 0
    while index < members.count {
      let member = members.baseAddress.unsafelyUnwrapped + index
      let end = member.pointee.decider.wordEnd(at: position)
      member.pointee.best = isSilent ? StepScore(score: 0, end: end) : nil
      index += 1
    }
  }

  /// Restarts the networks before which features have been dropped.
  @_noAllocation @_noLocks
  private func dropOld() {
    var index = 0
    while index < groups.count {
      let group = groups.baseAddress.unsafelyUnwrapped + index
      if group.pointee.dropOld() {
        let start = position - AudioFormat.frameLength * group.pointee.backlog
        var model = 0
        while model < members.count {
          let member = members.baseAddress.unsafelyUnwrapped + model
          if member.pointee.group == index { member.pointee.restart(at: start) }
          model += 1
        }
      }
      index += 1
    }
  }

  /// Processes the next features of every group.
  ///
  /// - Returns: whether there were any.
  @_noAllocation @_noLocks
  private func advance() -> Bool {
    var isAny = false
    var index = 0
    while index < groups.count {
      let group = groups.baseAddress.unsafelyUnwrapped + index
      if group.pointee.backlog > 0 { isAny = true }
      group.pointee.advance()
      index += 1
    }
    guard isAny else { return false }
    index = 0
    while index < members.count {
      step(index)
      index += 1
    }
    return true
  }

  @_noAllocation @_noLocks
  private func step(_ index: Int) {
    let member = members.baseAddress.unsafelyUnwrapped + index
    let group = groups.baseAddress.unsafelyUnwrapped + member.pointee.group
    guard group.pointee.isFull else { return }
    let position = position - AudioFormat.frameLength * group.pointee.backlog
    member.pointee.end.push(group.pointee.outputs, highest: group.pointee.highest, at: position)
    if let logit = member.pointee.push(group.pointee.vector) {
      let backlog = group.pointee.backlog
      if let decision = member.pointee.decide(logit, backlog: backlog, at: position) {
        hold(decision, of: index)
      }
      let score = member.pointee.decider.score
      if score >= member.pointee.best?.score ?? 0 {
        member.pointee.best = StepScore(
          score: score, end: member.pointee.decider.wordEnd(at: member.pointee.heard))
      }
    }
    if let decision = member.pointee.end.settled() { note(decision, of: index) }
  }

  @_noAllocation @_noLocks
  private func hold(_ decision: Decision, of model: Int) {
    let member = members.baseAddress.unsafelyUnwrapped + model
    if let earlier = member.pointee.end.hold(decision) { note(earlier, of: model) }
  }

  @_noAllocation @_noLocks
  private func note(_ decision: Decision, of model: Int) {
    guard found < hits.count else { return }
    (hits.baseAddress.unsafelyUnwrapped + found).initialize(to: Found(model: model, decision: decision))
    found += 1
  }

  /// One of the last call's hits, in the order of the models.
  public func hit(_ index: Int) -> Hit {
    let (model, decision) = decision(index)
    return hit(decision, of: model)
  }

  /// A model's decision with the keyword's name.
  package func hit(_ decision: Decision, of model: Int) -> Hit {
    Hit(
      model: model, keyword: keywords[model].name, start: decision.start, end: decision.end,
      score: decision.score)
  }

  /// The same without the keyword's name. Real-time safe.
  @_noAllocation @_noLocks
  package func decision(_ index: Int) -> (model: Int, decision: Decision) {
    let count = found
    precondition(index >= 0 && index < count)
    let hit = hits.baseAddress.unsafelyUnwrapped + index
    return (hit.pointee.model, hit.pointee.decision)
  }

  /// Sets a model's sensitivity from its next step on. May allocate.
  public func setSensitivity(_ sensitivity: Sensitivity, of model: Int) {
    setSensitivity(sensitivity, threshold: threshold(for: sensitivity, of: model), of: model)
  }

  /// The threshold of a model at a sensitivity. May allocate.
  package func threshold(for sensitivity: Sensitivity, of model: Int) -> Double {
    let (curve, calibrated) = curves[model]
    return curve.threshold(for: sensitivity, calibrated: calibrated)
  }

  /// As ``setSensitivity(_:of:)``, with the threshold of that sensitivity. Does not allocate.
  package func setSensitivity(_ sensitivity: Sensitivity, threshold: Double, of model: Int) {
    keywords[model].sensitivity = sensitivity
    keywords[model].threshold = threshold
    members[model].decider.threshold = threshold
  }

  /// The highest of a model's scores at the steps that the last frame completed; nil without such a step, 0 where nothing sounds.
  /// Real-time safe.
  @_noAllocation @_noLocks
  public func score(of model: Int) -> StepScore? {
    let count = members.count
    precondition(model >= 0 && model < count)
    let member = members.baseAddress.unsafelyUnwrapped + model
    return member.pointee.best
  }

  /// Ends the stream and reports hits whose peak was not reached yet. Real-time safe.
  ///
  /// - Returns: as ``push(_:reference:)``.
  @_noAllocation @_noLocks
  public func finish() -> Int {
    found = 0
    resetScores(isSilent: false)
    while isOpen, advance() {}
    var index = 0
    while index < members.count {
      let member = members.baseAddress.unsafelyUnwrapped + index
      if let decision = member.pointee.decider.finish() { hold(decision, of: index) }
      if let decision = member.pointee.end.release() { note(decision, of: index) }
      index += 1
    }
    return found
  }

  /// Skips `gap` lost samples: all state is reset and the models warm up again; the refractory time continues. The reset
  /// of the front end may allocate.
  ///
  /// - Returns: as ``push(_:reference:)``, for the audio before the gap.
  public func skip(_ gap: Int) -> Int {
    let hits = finish()
    position += gap
    restart()
    for index in members.indices { members[index].restart(at: position) }
    return hits
  }

  /// Resets: the next frame is the first of a new stream, at position 0. May allocate.
  public func reset() {
    found = 0
    position = 0
    restart()
    for index in members.indices {
      members[index].restart(at: 0)
      members[index].decider = members[index].decider.fresh
    }
  }

  private func restart() {
    activity = FrameActivity(voiced: false, level: -100)
    gate = SilenceGate()
    isOpen = true
    for index in groups.indices { groups[index].reset() }
    for embedding in embeddings { embedding.stream.takeUnretainedValue().reset() }
  }
}
