import Synchronization

/// The newest score of each model, from the listening thread to whoever shows it.
///
/// Nothing is stored while nobody watches. Models beyond ``capacity`` have no scores here.
package final class LiveScores: Sendable {
  package static let capacity = 32

  private let watched = Atomic<Bool>(false)
  /// The bits of a `Float`.
  nonisolated(unsafe) private let bits: UnsafeMutablePointer<Atomic<UInt32>>

  package init() {
    bits = .allocate(capacity: Self.capacity)
    for index in 0..<Self.capacity { (bits + index).initialize(to: Atomic(0)) }
  }

  deinit {
    bits.deinitialize(count: Self.capacity)
    bits.deallocate()
  }

  /// Whether scores are stored.
  package var isWatched: Bool {
    @_noAllocation @_noLocks
    get { watched.load(ordering: .relaxed) }
  }

  package func watch(_ isWatched: Bool) { watched.store(isWatched, ordering: .relaxed) }

  /// Stores a model's score, 0…1. Real-time safe.
  @_noAllocation @_noLocks
  package func put(_ score: Double, of model: Int) {
    guard model >= 0, model < LiveScores.capacity else { return }
    bits[model].store(Float(score).bitPattern, ordering: .relaxed)
  }

  /// The newest scores of the first `count` models.
  package func values(_ count: Int) -> [Float] {
    (0..<min(count, Self.capacity)).map { Float(bitPattern: bits[$0].load(ordering: .relaxed)) }
  }
}
