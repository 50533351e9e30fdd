import Glibc
import Platform

/// The training target of a window of features.
///
/// Steps are the network's output steps (20 ms), counted from the start of the window: step `s` is the logit
/// computed from the window's first `(s + 1) * stride` feature vectors.
public enum Target: Sendable, Equatable {
  /// The keyword from `startStep` to `endStep`. Either may be outside the window if the word is cut; steps
  /// outside do not contribute to the loss.
  case keyword(startStep: Int, endStep: Int)
  /// No keyword anywhere in the window.
  case background
  /// The output of the network at the start of the fit.
  case unchanged
  /// Clearly less than the output of the network at the start of the fit.
  case lowered
  /// The class of each step as a number; ``unlabelled`` if it does not contribute.
  case classes([UInt8])

  /// The output of other networks at each step.
  case outputs([Float])

  /// The class of a step that does not contribute to the loss.
  public static let unlabelled: UInt8 = 255

  /// Whether it is relative to the network at the start of the fit.
  package var isRelative: Bool { self == .unchanged || self == .lowered }
}

/// Windows of features of equal length with their targets: the data of one step of a fit.
public struct Batch: Sendable {
  /// The number of windows.
  public var count: Int
  /// Feature vectors (10 ms) in each window.
  public var frames: Int
  /// `count × frames × inputs` values, window by window, vector by vector.
  public var features: [Float]
  /// One target per window.
  public var targets: [Target]
  /// One weight per window, each ≥ 0; the loss is normalized by their sum.
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

/// The source of a fit's batches.
///
/// A fit calls `batch(_:)` on a separate thread, in advance, with increasing indices: from 0, or from the step at which it
/// continues, up to `FitSettings.steps + FitSettings.statisticsBatches - 1`. The same index always returns the same batch,
/// bit for bit. The order of windows is arbitrary: they are assigned to the shards in turn.
public protocol BatchSource: Sendable {
  func batch(_ index: Int) -> Batch
}

/// Batches computed in advance on a separate thread and returned in order.
///
/// The lock protects the list of ready batches. The producer waits while `lookAhead` batches are ready.
package final class BatchQueue: @unchecked Sendable {
  private let source: any BatchSource
  private let range: Range<Int>
  private let lookAhead: Int
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let changed: UnsafeMutablePointer<pthread_cond_t>
  private var ready: [Batch] = []
  private var ended: Bool = false
  private var thread: JoinableThread?

  /// Starts computing the batches of `range`.
  package init(_ source: any BatchSource, _ range: Range<Int>, lookAhead: Int) {
    self.source = source
    self.range = range
    self.lookAhead = max(1, lookAhead)
    mutex = .allocate(capacity: 1)
    changed = .allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(changed, nil)
    thread = try? JoinableThread { [unowned(unsafe) self] in produce() }
    precondition(thread != nil, "a thread cannot be started")
  }

  deinit {
    precondition(thread == nil, "a batch queue must be ended")
    pthread_mutex_destroy(mutex)
    pthread_cond_destroy(changed)
    mutex.deallocate()
    changed.deallocate()
  }

  /// Returns the next batch; waits until it is ready. Call it once for each of the range.
  package func next() -> Batch {
    pthread_mutex_lock(mutex)
    while ready.isEmpty { pthread_cond_wait(changed, mutex) }
    let batch = ready.removeFirst()
    pthread_cond_signal(changed)
    pthread_mutex_unlock(mutex)
    return batch
  }

  /// Ends the producer after its current batch. Call it before releasing the queue.
  package func end() {
    guard let running = thread else { return }
    pthread_mutex_lock(mutex)
    ended = true
    pthread_cond_signal(changed)
    pthread_mutex_unlock(mutex)
    running.join()
    thread = nil
  }

  private func produce() {
    for index in range {
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
