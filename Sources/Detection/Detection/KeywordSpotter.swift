import FrontEnd
import PCM
import Platform

/// A phrase found in a stream.
public struct Hit: Sendable, Equatable {
  /// The index of its model among ``KeywordSpotter/keywords``.
  public var model: Int
  /// Its model's name.
  public var keyword: String
  /// Where the phrase begins and ends in the raw stream, estimated.
  public var start: SampleIndex
  public var end: SampleIndex
  /// 0...1.
  public var score: Double
}

/// Finds the phrases of several models in one stream of raw frames.
///
/// Models with equal front ends, features and encoders share them: one more such model costs its networks only. Positions
/// count the samples since the start or the last ``reset()``, gaps included. What is heard does not depend on
/// how the frames arrive. One instance belongs to one stream and one thread at a time.
public final class KeywordSpotter {
  /// A model as the spotter runs it.
  public struct Keyword: Sendable, Equatable {
    public let name: String
    public let phrase: String
    public internal(set) var sensitivity: Sensitivity
    /// Scores at or above it make hits.
    public internal(set) var threshold: Double
  }

  /// A model's score at a step of its network.
  public struct StepScore: Sendable, Equatable {
    /// Smoothed, 0...1; 0 while warming up.
    public var score: Double
    /// Where a phrase heard at this step ended.
    public var end: SampleIndex
  }

  public private(set) var keywords: [Keyword]
  /// Samples taken so far, gaps included.
  public private(set) var position: SampleIndex = 0
  /// What the first model's front end told about the last frame.
  public private(set) var activity = FrameActivity(voiced: false, level: -100)
  /// Frames of silence to push after a stream's last so that a phrase at its very end is reported.
  public let tail: Int

  private let groups: UnsafeMutableBufferPointer<FeatureGroup>
  private let members: UnsafeMutableBufferPointer<Member>
  private let hits: UnsafeMutableBufferPointer<Found>
  /// What each model's sensitivities mean.
  private let curves: [(curve: OperatingCurve, calibrated: Double)]
  private var found = 0

  private struct Member {
    /// Held by hand, so that no frame counts references.
    let networks: UnsafeMutableBufferPointer<Unmanaged<StreamingNetwork>>
    let path: Unmanaged<PhrasePath>?
    let group: Int
    var decider: Decider
    var stepped = false

    init(_ weights: [PackedNetwork], path: PhrasePathSettings?, group: Int, decider: Decider) {
      self.path = path.map { .passRetained(PhrasePath($0)) }
      networks = .allocate(capacity: weights.count)
      _ = networks.initialize(from: weights.map { .passRetained(StreamingNetwork($0)) })
      self.group = group
      self.decider = decider
    }

    func free() {
      for network in networks { network.release() }
      path?.release()
      networks.deallocate()
    }

    /// The mean of the networks' logits and what the second look adds, if this vector completes a step of theirs.
    @_noAllocation @_noLocks
    func push(_ vector: UnsafeBufferPointer<Float>) -> Float? {
      var sum: Float = 0
      var isStep = false
      var index = 0
      while index < networks.count {
        let network = networks.baseAddress.unsafelyUnwrapped + index
        if network.pointee._withUnsafeGuaranteedRef({ $0.push(vector) }) {
          network.pointee._withUnsafeGuaranteedRef { sum += $0.outputs.baseAddress.unsafelyUnwrapped.pointee }
          isStep = true
        }
        index += 1
      }
      let added = path?._withUnsafeGuaranteedRef { $0.push(vector) } ?? 0
      return isStep ? sum / Float(networks.count) + added : nil
    }
  }

  private struct Found {
    var model: Int
    var decision: Decision
  }

  /// A spotter at the start of a stream. Allocates all that it will ever use.
  ///
  /// - Parameter weights: shared with the spotters of other streams.
  /// - Throws: ``DetectionFault/frontEnd(_:)`` and ``DetectionFault/badSetting(name:allowed:)``.
  public init(
    _ models: [(model: HotwordModel, sensitivity: Sensitivity)],
    sharing weights: PackedNetworks = PackedNetworks()
  ) throws(DetectionFault) {
    var shared: [FeatureGroup] = []
    var list: [Member] = []
    var keywords: [Keyword] = []
    var longest = 0.0
    do {
      for (model, sensitivity) in models {
        let group: Int
        if let known = shared.firstIndex(where: { $0.serves(model) }) {
          group = known
        } else {
          group = shared.count
          shared.append(try FeatureGroup(model.frontEnd, model.features, encoder: model.encoder, weights))
        }
        let threshold = model.curve.threshold(for: sensitivity, calibrated: model.decision.threshold)
        let delay = shared[group].delay
        let decider = try Decider(model.decision, threshold: threshold, delay: delay)
        let networks = model.networks.map(weights.packed)
        list.append(Member(networks, path: model.path, group: group, decider: decider))
        keywords.append(
          Keyword(name: model.name, phrase: model.phrase, sensitivity: sensitivity, threshold: threshold))
        longest = max(longest, model.decision.latency + AudioFormat.seconds(delay + Decider.hold))
      }
    } catch {
      for group in shared { group.free() }
      for member in list { member.free() }
      throw error
    }
    self.keywords = keywords
    curves = models.map { ($0.model.curve, $0.model.decision.threshold) }
    tail =
      (AudioFormat.samples(longest + Self.lateness) + AudioFormat.frameLength - 1) / AudioFormat.frameLength
    groups = .allocate(capacity: shared.count)
    _ = groups.initialize(from: shared)
    members = .allocate(capacity: list.count)
    _ = members.initialize(from: list)
    hits = .allocate(capacity: list.count)
  }

  /// Seconds by which a peak may come later than its model's latency says.
  private static let lateness = 0.15

  deinit {
    for group in groups { group.free() }
    groups.deallocate()
    for member in members { member.free() }
    members.deallocate()
    hits.deallocate()
  }

  /// Takes the next frame of the stream, 160 raw samples. Safe on the audio thread.
  ///
  /// - Parameter reference: what the loudspeaker played meanwhile, for models with echo cancellation.
  /// - Returns: how many hits there are now to be read with ``hit(_:)``, until the next call.
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
      if index == 0 { activity = group.pointee.activity }
      index += 1
    }
    index = 0
    while index < members.count {
      step(index)
      index += 1
    }
    return found
  }

  @_noAllocation @_noLocks
  private func step(_ index: Int) {
    let member = members.baseAddress.unsafelyUnwrapped + index
    let group = groups.baseAddress.unsafelyUnwrapped + member.pointee.group
    member.pointee.stepped = false
    guard group.pointee.isFull else { return }
    guard let logit = member.pointee.push(group.pointee.vector) else { return }
    member.pointee.stepped = true
    if let decision = member.pointee.decider.push(logit, at: position) { note(decision, of: index) }
  }

  @_noAllocation @_noLocks
  private func note(_ decision: Decision, of model: Int) {
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

  /// The same without the keyword's name. Safe on the audio thread.
  @_noAllocation @_noLocks
  package func decision(_ index: Int) -> (model: Int, decision: Decision) {
    let count = found
    precondition(index >= 0 && index < count)
    let hit = hits.baseAddress.unsafelyUnwrapped + index
    return (hit.pointee.model, hit.pointee.decision)
  }

  /// Makes a model trigger more or less easily from its next step on. Not for the audio thread.
  public func setSensitivity(_ sensitivity: Sensitivity, of model: Int) {
    let (curve, calibrated) = curves[model]
    let threshold = curve.threshold(for: sensitivity, calibrated: calibrated)
    keywords[model].sensitivity = sensitivity
    keywords[model].threshold = threshold
    members[model].decider.threshold = threshold
  }

  /// A model's score, if the last frame completed a step of its network. Safe on the audio thread.
  @_noAllocation @_noLocks
  public func score(of model: Int) -> StepScore? {
    let count = members.count
    precondition(model >= 0 && model < count)
    let member = members.baseAddress.unsafelyUnwrapped + model
    guard member.pointee.stepped else { return nil }
    return StepScore(score: member.pointee.decider.score, end: member.pointee.decider.wordEnd(at: position))
  }

  /// Ends the stream: reports what was still held back to find its peak.
  ///
  /// - Returns: as ``push(_:reference:)``.
  @_noAllocation @_noLocks
  public func finish() -> Int {
    found = 0
    var index = 0
    while index < members.count {
      let member = members.baseAddress.unsafelyUnwrapped + index
      member.pointee.stepped = false
      if let decision = member.pointee.decider.finish() { note(decision, of: index) }
      index += 1
    }
    return found
  }

  /// Passes over `gap` lost samples: all state is fresh behind them and the models warm up again; the refractory
  /// time runs on. The front end's reset may allocate.
  ///
  /// - Returns: as ``push(_:reference:)``, for what was heard before the gap.
  public func skip(_ gap: Int) -> Int {
    let hits = finish()
    position += gap
    restart()
    for index in members.indices { members[index].decider.reset(at: position) }
    return hits
  }

  /// Forgets the stream: the next frame is the first of a new one, at position 0. May allocate.
  public func reset() {
    found = 0
    position = 0
    restart()
    for index in members.indices { members[index].decider = members[index].decider.fresh }
  }

  private func restart() {
    activity = FrameActivity(voiced: false, level: -100)
    for index in groups.indices { groups[index].reset() }
    for index in members.indices {
      for network in members[index].networks { network.takeUnretainedValue().reset() }
      members[index].path?.takeUnretainedValue().reset()
      members[index].stepped = false
    }
  }
}
