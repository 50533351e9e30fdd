import Platform
import Synchronization

/// Server-sent events to one client, in the format of the HTML standard.
///
/// Any thread may send. A client that takes nothing while ``limit`` events wait is disconnected.
package final class EventStream: Sendable {
  /// Events that wait for the client.
  package static let limit = 256
  /// Seconds without an event after which a comment is sent, so that a client that is gone is noticed.
  private static let silence = 5.0

  private enum Chunk: Sendable {
    case bytes([UInt8])
    case end
  }

  private let chunks = JobQueue<Chunk>()
  private let waiting = Atomic<Int>(0)
  private let isClosed = Atomic<Bool>(false)
  private let rest = Mutex<ArraySlice<UInt8>>([])
  private let whenEnded: @Sendable () -> Void

  /// - Parameter whenEnded: called once, when the connection has ended.
  package init(whenEnded: @escaping @Sendable () -> Void = {}) { self.whenEnded = whenEnded }

  /// Sends an event.
  ///
  /// - Parameters:
  ///   - name: the event's type, without line breaks.
  ///   - data: without line breaks, as JSON is.
  package func send(_ name: String, _ data: String) {
    guard !isClosed.load(ordering: .relaxed) else { return }
    guard waiting.load(ordering: .relaxed) < Self.limit else { return close() }
    waiting.add(1, ordering: .relaxed)
    chunks.append(.bytes(Array("event: \(name)\ndata: \(data)\n\n".utf8)))
  }

  /// Ends the stream after what waits.
  package func close() {
    guard !isClosed.exchange(true, ordering: .relaxed) else { return }
    chunks.append(.end)
  }

  /// Waits for bytes and moves as many as fit into `buffer`.
  ///
  /// - Returns: their number; nil at the end of the stream.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
    rest.withLock { rest in
      if rest.isEmpty {
        switch chunks.take(within: Self.silence) {
        case .bytes(let bytes):
          waiting.subtract(1, ordering: .relaxed)
          rest = bytes[...]
        case .end: return nil
        case nil: rest = Array(":\n\n".utf8)[...]
        }
      }
      let part = rest.prefix(buffer.count)
      buffer.copyBytes(from: part)
      rest = rest.dropFirst(part.count)
      return part.count
    }
  }

  /// The connection has ended.
  func ended() {
    isClosed.store(true, ordering: .relaxed)
    whenEnded()
  }
}
