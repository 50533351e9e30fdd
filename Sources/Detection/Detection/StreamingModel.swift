import PCM
import Platform

/// A model in a stream: its networks, verifier, second stage, decision and the end of its phrase.
///
/// All memory is allocated in `init` and freed by ``free()``. One thread at a time.
struct StreamingModel {
  /// Unmanaged, so that no frame counts references.
  let networks: UnsafeMutableBufferPointer<Unmanaged<StreamingNetwork>>
  let path: Unmanaged<PhrasePath>?
  let second: Unmanaged<StreamingSecondStage>?
  let group: Int
  /// Samples of a step.
  let stepLength: Int
  var decider: Decider
  /// The position of the step that tells when the phrase of the last step's score ends.
  var heard: SampleIndex = 0
  var end: PhraseEnd
  /// The highest score of the steps of the last frame.
  var best: KeywordSpotter.StepScore?

  init(
    _ weights: [PackedNetwork], path: PhrasePath?, second: StreamingSecondStage?, group: Int,
    stepLength: Int,
    decider: Decider, end: PhraseEnd
  ) {
    self.path = path.map { .passRetained($0) }
    self.second = second.map { .passRetained($0) }
    networks = .allocate(capacity: weights.count)
    _ = networks.initialize(from: weights.map { .passRetained(StreamingNetwork($0)) })
    self.group = group
    self.stepLength = stepLength
    self.decider = decider
    self.end = end
  }

  func free() {
    for network in networks { network.release() }
    path?.release()
    second?.release()
    networks.deallocate()
  }

  /// Starts the networks and the decision anew at `position`.
  @_noAllocation @_noLocks
  mutating func restart(at position: SampleIndex) {
    var index = 0
    while index < networks.count {
      let network = networks.baseAddress.unsafelyUnwrapped + index
      network.pointee._withUnsafeGuaranteedRef { $0.reset() }
      index += 1
    }
    path?._withUnsafeGuaranteedRef { $0.reset() }
    second?._withUnsafeGuaranteedRef { $0.reset() }
    decider.reset(at: position)
    end.reset(at: position)
    best = nil
  }

  /// The decision at a step, from the logit of ``push(_:)``; the step ends `backlog` frames ago.
  @_noAllocation @_noLocks
  mutating func decide(_ logit: Float, backlog: Int, at position: SampleIndex) -> Decision? {
    var smoothed = decider.smoothed(logit)
    heard = position
    if let second {
      let proposed = Float(smoothed)
      smoothed = Double(second._withUnsafeGuaranteedRef { $0.judge(proposed, backlog: backlog) })
      heard -= second._withUnsafeGuaranteedRef { $0.age } * stepLength
    }
    return decider.decide(smoothed, at: position, heard: heard)
  }

  /// The mean of the networks' logits plus the verifier's score, if this vector completes a step.
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
