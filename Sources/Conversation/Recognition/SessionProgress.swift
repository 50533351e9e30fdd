import Synchronization

/// The state of a session, which another thread may cancel. Thread-safe.
final class SessionProgress: Sendable {
  private let cancelled = Atomic(false)
  private let stage = Mutex(RecognitionState.starting)

  var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

  var state: RecognitionState { isCancelled ? .cancelled : stage.withLock { $0 } }

  func cancel() { cancelled.store(true, ordering: .relaxed) }

  /// Changes the state to `next` if the session still accepts audio.
  func advance(to next: RecognitionState) throws(RecognitionFault) {
    switch state {
    case .starting, .running: stage.withLock { $0 = next }
    case .cancelled: throw .cancelled
    case .finishing, .completed: throw .sessionOver
    }
  }

  func complete() { stage.withLock { $0 = .completed } }
}
