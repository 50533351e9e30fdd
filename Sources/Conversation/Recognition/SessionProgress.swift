import Synchronization

/// The state of a session, which another thread may cancel.
package final class SessionProgress: Sendable {
  private let cancelled = Atomic(false)
  private let stage = Mutex(RecognitionState.starting)

  package init() {}

  package var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

  package var state: RecognitionState { isCancelled ? .cancelled : stage.withLock { $0 } }

  package func cancel() { cancelled.store(true, ordering: .relaxed) }

  /// Advances to `next`; throws if the session no longer accepts audio.
  package func advance(to next: RecognitionState) throws(RecognitionFault) {
    switch state {
    case .starting, .running: stage.withLock { $0 = next }
    case .cancelled: throw .cancelled
    case .finishing, .completed: throw .sessionOver
    }
  }

  package func complete() { stage.withLock { $0 = .completed } }
}
