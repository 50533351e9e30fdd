import Glibc

/// What a window of features should teach the network.
///
/// Steps are the network's output steps (20 ms) counted from the start of the window: step `s` is the
/// logit computed once the window's first `(s + 1) * stride` feature vectors are in.
public enum Target: Sendable, Equatable {
  /// The keyword, spoken from `startStep` to `endStep`; either may lie outside the window when the
  /// word is cut: steps outside are left out of the loss.
  case keyword(startStep: Int, endStep: Int)
  /// No keyword anywhere in the window.
  case background
  /// What the network that the fit began with says of it.
  case unchanged
  /// Clearly less than what that network says of it.
  case lowered
  /// The class of each step, by number; ``unlabelled`` where it does not count.
  case classes([UInt8])

  /// The class of a step that is left out of the loss.
  public static let unlabelled: UInt8 = 255

  /// Whether it tells of a change from the network that the fit began with.
  package var isRelative: Bool { self == .unchanged || self == .lowered }
}

/// Windows of features of one length with their targets: the data of one step of a fit.
public struct Batch: Sendable {
  /// The number of windows.
  public var count: Int
  /// Feature vectors (10 ms) in each window.
  public var frames: Int
  /// `count × frames × inputs` values, window by window, vector by vector.
  public var features: [Float]
  /// One target a window.
  public var targets: [Target]
  /// One weight a window, each ≥ 0; the loss is normalized by their sum.
  public var weights: [Float]

  public init(count: Int, frames: Int, features: [Float], targets: [Target], weights: [Float]) {
    precondition(targets.count == count && weights.count == count, "one target and one weight a window")
    precondition(count == 0 || features.count % (count * max(frames, 1)) == 0, "whole feature vectors")
    self.count = count
    self.frames = frames
    self.features = features
    self.targets = targets
    self.weights = weights
  }
}

/// Where a fit's batches come from.
///
/// A fit calls `batch(_:)` on a thread of its own, ahead of need, with 0, 1, 2 … up to
/// `FitSettings.steps + FitSettings.statisticsBatches - 1`. One index always gives one batch, bit for
/// bit. Positives and negatives may come in any order: windows are dealt out to the shards in turn.
public protocol BatchSource: Sendable {
  func batch(_ index: Int) -> Batch
}

/// Batches made ahead of need on a thread of their own, handed out in order.
///
/// The lock guards the list of ready batches; the producer waits while `lookAhead` are ready.
package final class BatchQueue: @unchecked Sendable {
  private let source: any BatchSource
  private let total: Int
  private let lookAhead: Int
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let changed: UnsafeMutablePointer<pthread_cond_t>
  private var ready: [Batch] = []
  private var ended: Bool = false
  private var thread: pthread_t?

  /// Starts to make the batches 0..<total.
  package init(_ source: any BatchSource, total: Int, lookAhead: Int) {
    self.source = source
    self.total = total
    self.lookAhead = max(1, lookAhead)
    mutex = .allocate(capacity: 1)
    changed = .allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(changed, nil)
    thread = startThread { [unowned(unsafe) self] in produce() }
  }

  deinit {
    precondition(thread == nil, "a batch queue must be ended")
    pthread_mutex_destroy(mutex)
    pthread_cond_destroy(changed)
    mutex.deallocate()
    changed.deallocate()
  }

  /// The next batch; waits for it. Call it at most `total` times.
  package func next() -> Batch {
    pthread_mutex_lock(mutex)
    while ready.isEmpty { pthread_cond_wait(changed, mutex) }
    let batch = ready.removeFirst()
    pthread_cond_signal(changed)
    pthread_mutex_unlock(mutex)
    return batch
  }

  /// Ends the producer after the batch in its hands. Call it before letting go of the queue.
  package func end() {
    guard let running = thread else { return }
    pthread_mutex_lock(mutex)
    ended = true
    pthread_cond_signal(changed)
    pthread_mutex_unlock(mutex)
    pthread_join(running, nil)
    thread = nil
  }

  private func produce() {
    for index in 0..<total {
      pthread_mutex_lock(mutex)
      while ready.count >= lookAhead && !ended { pthread_cond_wait(changed, mutex) }
      let stop = ended
      pthread_mutex_unlock(mutex)
      if stop { return }
      let batch = source.batch(index)
      pthread_mutex_lock(mutex)
      ready.append(batch)
      pthread_cond_signal(changed)
      pthread_mutex_unlock(mutex)
    }
  }
}
