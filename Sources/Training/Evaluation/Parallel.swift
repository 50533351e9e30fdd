import Platform
import Synchronization

/// Runs independent jobs on a few threads. The results do not depend on the number of threads.
package enum Parallel {
  private final class Work<Value: Sendable>: @unchecked Sendable {
    let next = Atomic<Int>(0)
    let count: Int
    let slots: UnsafeMutablePointer<Value?>
    let body: @Sendable (Int) -> Value

    init(count: Int, body: @escaping @Sendable (Int) -> Value) {
      self.count = count
      self.body = body
      slots = .allocate(capacity: max(count, 1))
      slots.initialize(repeating: nil, count: count)
    }

    deinit {
      slots.deinitialize(count: count)
      slots.deallocate()
    }

    func run() {
      while true {
        let index = next.add(1, ordering: .relaxed).oldValue
        if index >= count { return }
        slots[index] = body(index)
      }
    }
  }

  /// Returns `body(0)`, `body(1)` … `body(count - 1)` in this order, computed by `threads` threads.
  package static func map<Value: Sendable>(
    _ count: Int, threads: Int = 2, _ body: @escaping @Sendable (Int) -> Value
  ) -> [Value] {
    let work = Work(count: count, body: body)
    var started: [JoinableThread] = []
    for _ in 1..<max(threads, 1) where count > 1 {
      if let thread = try? JoinableThread({ work.run() }) { started.append(thread) }
    }
    work.run()
    for thread in started { thread.join() }
    return (0..<count).map { work.slots[$0]! }
  }
}
