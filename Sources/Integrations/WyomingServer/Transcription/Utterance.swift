import Networking
import Platform
import Recognition
import Synchronization

/// Speech that a client sends to be recognized: the client's thread appends samples, a thread of a ``RecognizerPool`` takes them.
final class Utterance: Sendable {
  enum Part: Sendable {
    case samples([Int16])
    case end
    case cancelled
  }

  /// Samples that may wait for a recognizer; more are dropped.
  private static let limit = 30 * 16_000

  let parts = JobQueue<Part>()
  private let answer: @Sendable (Result<Transcript, RecognitionFault>) -> Void
  private let isAnswered = Atomic<Bool>(false)
  /// Keeps the connection until the answer is sent.
  private let pending = Mutex<PendingAnswer?>(nil)
  private let waiting = Atomic<Int>(0)

  /// - Parameter answer: called once, on any thread, unless the utterance is cancelled before.
  init(_ answer: @escaping @Sendable (Result<Transcript, RecognitionFault>) -> Void) {
    self.answer = answer
  }

  /// Whether the answer was sent or is not wanted: further samples are ignored.
  var isOver: Bool { isAnswered.load(ordering: .sequentiallyConsistent) }

  /// The bytes of the samples that wait.
  var heldBytes: Int { 2 * waiting.load(ordering: .relaxed) }

  func append(_ samples: [Int16]) {
    guard !isOver, waiting.load(ordering: .relaxed) < Self.limit else { return }
    waiting.add(samples.count, ordering: .relaxed)
    parts.append(.samples(samples))
  }

  /// Ends the samples.
  ///
  /// - Parameter pending: is released when the answer has been sent, or is not wanted.
  func finish(_ pending: PendingAnswer? = nil) {
    self.pending.withLock { $0 = pending }
    if isOver { release() }
    parts.append(.end)
  }

  func cancel() {
    isAnswered.store(true, ordering: .sequentiallyConsistent)
    release()
    parts.append(.cancelled)
  }

  private func release() {
    // Without the lock: the end of the last reference serves the client again.
    let released = pending.withLock { pending in
      defer { pending = nil }
      return pending
    }
    withExtendedLifetime(released) {}
  }

  /// The next part; nil if none comes within `seconds`.
  func next(within seconds: Double) -> Part? {
    let part = parts.take(within: seconds)
    if case .samples(let samples)? = part { waiting.subtract(samples.count, ordering: .relaxed) }
    return part
  }

  func end(_ result: Result<Transcript, RecognitionFault>) {
    if !isAnswered.exchange(true, ordering: .sequentiallyConsistent) { answer(result) }
    release()
  }
}
