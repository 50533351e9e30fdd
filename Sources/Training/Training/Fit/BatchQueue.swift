import Glibc

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
