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
  private let waiting = Atomic<Int>(0)

  /// - Parameter answer: called once, on any thread, unless the utterance is cancelled before.
  init(_ answer: @escaping @Sendable (Result<Transcript, RecognitionFault>) -> Void) {
    self.answer = answer
  }

  /// Whether the answer was sent or is not wanted: further samples are ignored.
  var isOver: Bool { isAnswered.load(ordering: .relaxed) }

  /// The bytes of the samples that wait.
  var heldBytes: Int { 2 * waiting.load(ordering: .relaxed) }

  func append(_ samples: [Int16]) {
    guard !isOver, waiting.load(ordering: .relaxed) < Self.limit else { return }
    waiting.add(samples.count, ordering: .relaxed)
    parts.append(.samples(samples))
  }

  func finish() { parts.append(.end) }

  func cancel() {
    isAnswered.store(true, ordering: .relaxed)
    parts.append(.cancelled)
  }

  /// The next part; nil if none comes within `seconds`.
  func next(within seconds: Double) -> Part? {
    let part = parts.take(within: seconds)
    if case .samples(let samples)? = part { waiting.subtract(samples.count, ordering: .relaxed) }
    return part
  }

  func end(_ result: Result<Transcript, RecognitionFault>) {
    if !isAnswered.exchange(true, ordering: .relaxed) { answer(result) }
  }
}
