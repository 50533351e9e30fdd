import Glibc

/// A first-in, first-out queue between threads.
///
/// Any thread may call any function, except the audio thread: every call locks.
package final class JobQueue<Element: Sendable>: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let arrival = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var elements: [Element] = []

  package init() {
    pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(arrival, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    pthread_cond_destroy(arrival)
    mutex.deallocate()
    arrival.deallocate()
  }

  package func append(_ element: Element) {
    pthread_mutex_lock(mutex)
    elements.append(element)
    pthread_cond_signal(arrival)
    pthread_mutex_unlock(mutex)
  }

  /// Removes the oldest element; waits for one.
  package func take() -> Element {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while elements.isEmpty { pthread_cond_wait(arrival, mutex) }
    return elements.removeFirst()
  }

  /// Removes the oldest element; waits up to `seconds` for one. Returns nil after that.
  package func take(within seconds: Double) -> Element? {
    var deadline = timespec()
    clock_gettime(CLOCK_MONOTONIC, &deadline)
    let nanoseconds = deadline.tv_nsec + Int(seconds * 1e9)
    deadline.tv_sec += nanoseconds / 1_000_000_000
    deadline.tv_nsec = nanoseconds % 1_000_000_000
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while elements.isEmpty {
      if pthread_cond_timedwait(arrival, mutex, &deadline) == ETIMEDOUT { return nil }
    }
    return elements.removeFirst()
  }

  /// Removes the oldest element without waiting; nil if there is none.
  package func takeIfAny() -> Element? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return elements.isEmpty ? nil : elements.removeFirst()
  }
}
