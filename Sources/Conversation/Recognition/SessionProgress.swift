import Synchronization

/// Where a session stands, and whether another thread has cancelled it.
final class SessionProgress: Sendable {
  private let cancelled = Atomic(false)
  private let stage = Mutex(RecognitionState.starting)

  var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

  var state: RecognitionState { isCancelled ? .cancelled : stage.withLock { $0 } }

  func cancel() { cancelled.store(true, ordering: .relaxed) }

  /// Goes on to `next` from a session that still takes audio.
  func advance(to next: RecognitionState) throws(RecognitionFault) {
    switch state {
    case .starting, .running: stage.withLock { $0 = next }
    case .cancelled: throw .cancelled
    case .finishing, .completed: throw .sessionOver
    }
  }

  func complete() { stage.withLock { $0 = .completed } }
}
