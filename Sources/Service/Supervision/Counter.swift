import Synchronization

/// A number that any thread can increase or set, without a lock.
package final class Counter: Sendable {
  private let count = Atomic<Int>(0)

  package init() {}

  package func add(_ amount: Int = 1) { count.add(amount, ordering: .relaxed) }

  package func set(_ value: Int) { count.store(value, ordering: .relaxed) }

  package var value: Int { count.load(ordering: .relaxed) }
}
