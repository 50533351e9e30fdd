import Assistant
import Configuration
import Glibc
import Platform
import Supervision
import Synchronization

/// Writes events to standard output on a thread of its own.
///
/// If the reader is slow: up to ``limit`` events wait. After that, whole conversations are dropped, from their `wake` to
/// their `idle`, and single `partial`, `device` and `error` events; ``ServiceMetrics/droppedEvents`` counts them. Input that
/// can wait, a file or a pipe, waits instead; see ``isFull``. At the end of the service, what is left after the deadline is
/// dropped.
///
/// Only the service's consumer calls ``write(_:as:)``.
package final class EventOutput: @unchecked Sendable {
  /// Events that wait for the reader, about 1 MB.
  package static let limit = 4_096

  private enum Job: Sendable {
    case write(String)
    case end
  }

  private let descriptor: Int32
  private let isJournal: Bool
  private let limit: Int
  private let queue: EventQueue
  private let metrics: ServiceMetrics
  private let jobs = JobQueue<Job>()
  private let waiting = Atomic<Int>(0)
  /// Belongs to the consumer: whether the open conversation is dropped.
  private var isDropping = false

  /// - Parameter queue: is signalled when the reader has taken something.
  package init(
    _ queue: EventQueue, metrics: ServiceMetrics, descriptor: Int32 = STDOUT_FILENO,
    limit: Int = EventOutput.limit
  ) {
    self.queue = queue
    self.metrics = metrics
    self.descriptor = descriptor
    isJournal = JournalStream.receives(descriptor)
    self.limit = limit
  }

  /// Starts the thread.
  package func start() throws(SystemFault) {
    try DetachedThread.start { [self] in
      while case .write(let text) = jobs.take() {
        let isWritten = writeAll(Array(text.utf8), to: descriptor)
        let code = errno
        waiting.subtract(1, ordering: .releasing)
        guard isWritten else { return queue.post(.outputFailed(code: code)) }
        queue.signal()
      }
    }
  }

  /// Ends the thread once all is written.
  package func close() { jobs.append(.end) }

  /// Whether no more events are accepted without loss.
  package var isFull: Bool { waiting.load(ordering: .relaxed) >= limit }

  /// Whether all is written.
  package var isEmpty: Bool { waiting.load(ordering: .acquiring) == 0 }

  /// Queues an event; it does not wait.
  package func write(_ event: AssistantEvent, as form: EventForm) {
    guard mayWrite(event.kind) else { return metrics.droppedEvents.add() }
    guard var text = EventText.line(event, as: form) else { return }
    if isJournal, let level = EventText.level(of: event.kind) { text = "<\(level.rawValue)>\(text)" }
    waiting.add(1, ordering: .relaxed)
    jobs.append(.write(text))
  }

  private func mayWrite(_ kind: AssistantEvent.Kind) -> Bool {
    switch kind {
    case .wake: isDropping = isFull
    case .idle where isDropping:
      isDropping = false
      return false
    case .partial, .device, .error: if isFull { return false }
    default: break
    }
    return !isDropping
  }
}
