import Glibc
import Platform
import Synchronization

/// A fixed number of threads, including the caller, that process numbered jobs.
///
/// The assignment of jobs to threads is not deterministic, so results must not depend on it. The lock
/// protects everything but the next job's number, which is an atomic.
package final class WorkerPool: @unchecked Sendable {
  package let workers: Int
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let changed: UnsafeMutablePointer<pthread_cond_t>
  private let next: Atomic<Int> = Atomic(0)
  private var threads: [JoinableThread] = []
  private var body: ((_ job: Int, _ worker: Int) -> Void)?
  private var jobs: Int = 0
  /// The number of calls of ``run(_:_:)``, by which each worker starts once per call.
  private var round: Int = 0
  private var working: Int = 0
  private var ended: Bool = false

  package init(_ workers: Int) {
    self.workers = max(1, workers)
    mutex = .allocate(capacity: 1)
    changed = .allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(changed, nil)
    for worker in 1..<max(2, self.workers) where worker < self.workers {
      let thread = try? JoinableThread { [unowned(unsafe) self] in work(as: worker) }
      guard let thread else { preconditionFailure("a thread cannot be started") }
      threads.append(thread)
    }
  }

  /// Ends the threads. Call it before releasing the pool.
  package func end() {
    pthread_mutex_lock(mutex)
    ended = true
    pthread_cond_broadcast(changed)
    pthread_mutex_unlock(mutex)
    for thread in threads { thread.join() }
    threads = []
  }

  deinit {
    precondition(threads.isEmpty, "a worker pool must be ended")
    pthread_mutex_destroy(mutex)
    pthread_cond_destroy(changed)
    mutex.deallocate()
    changed.deallocate()
  }

  /// Calls `body` for each job below `jobs`, with the index of the worker that runs it. Returns when all jobs
  /// are done.
  package func run(_ jobs: Int, _ body: (_ job: Int, _ worker: Int) -> Void) {
    withoutActuallyEscaping(body) { body in
      pthread_mutex_lock(mutex)
      self.body = body
      self.jobs = jobs
      next.store(0, ordering: .relaxed)
      round += 1
      working = workers - 1
      pthread_cond_broadcast(changed)
      pthread_mutex_unlock(mutex)
      take(jobs, as: 0, body)
      pthread_mutex_lock(mutex)
      while working > 0 { pthread_cond_wait(changed, mutex) }
      self.body = nil
      pthread_mutex_unlock(mutex)
    }
  }

  private func take(_ jobs: Int, as worker: Int, _ body: (Int, Int) -> Void) {
    while true {
      let job = next.add(1, ordering: .relaxed).oldValue
      guard job < jobs else { return }
      body(job, worker)
    }
  }

  private func work(as worker: Int) {
    var seen = 0
    pthread_mutex_lock(mutex)
    while true {
      while round == seen && !ended { pthread_cond_wait(changed, mutex) }
      if ended { break }
      seen = round
      let body = self.body!
      let jobs = self.jobs
      pthread_mutex_unlock(mutex)
      take(jobs, as: worker, body)
      pthread_mutex_lock(mutex)
      working -= 1
      if working == 0 { pthread_cond_broadcast(changed) }
    }
    pthread_mutex_unlock(mutex)
  }
}
