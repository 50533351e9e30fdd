import Glibc
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
    var handles: [pthread_t] = []
    for _ in 1..<max(threads, 1) where count > 1 {
      if let thread = joinableThread({ work.run() }) { handles.append(thread) }
    }
    work.run()
    for handle in handles { pthread_join(handle, nil) }
    return (0..<count).map { work.slots[$0]! }
  }
}

/// Starts a joinable thread with all signals blocked and a stack of 8 MiB; nil if the system has no thread left.
package func joinableThread(_ body: @escaping @Sendable () -> Void) -> pthread_t? {
  final class Box {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
  var attributes = pthread_attr_t()
  pthread_attr_init(&attributes)
  pthread_attr_setstacksize(&attributes, 8 << 20)
  defer { pthread_attr_destroy(&attributes) }
  var blocked = sigset_t()
  var before = sigset_t()
  sigfillset(&blocked)
  pthread_sigmask(SIG_SETMASK, &blocked, &before)
  defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
  var thread = pthread_t()
  let box = Unmanaged.passRetained(Box(body))
  let code = pthread_create(
    &thread, &attributes,
    { context in
      Unmanaged<Box>.fromOpaque(context!).takeRetainedValue().body()
      return nil
    }, box.toOpaque())
  guard code == 0 else {
    box.release()
    return nil
  }
  return thread
}
