import Glibc

/// A first-in, first-out queue between threads: `take` waits for an element.
///
/// Any thread may call anything. Not for the audio thread: every call locks.
package final class JobQueue<Element: Sendable>: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let arrival = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var elements: [Element] = []

  package init() {
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(arrival, nil)
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

  /// The oldest element, waited for.
  package func take() -> Element {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while elements.isEmpty { pthread_cond_wait(arrival, mutex) }
    return elements.removeFirst()
  }

  /// The oldest element; nil when there is none.
  package func takeIfAny() -> Element? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return elements.isEmpty ? nil : elements.removeFirst()
  }
}
