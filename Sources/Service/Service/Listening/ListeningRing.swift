import AudioCapture
import PCM
import Synchronization

// Thread roles: one producer (the listening thread) calls `write`; one consumer calls `read`. Neither waits for the
// other.
//
// Allocation: `init` allocates the records and the samples, once; `deinit` frees them.
//
// Full and empty: `written` and `consumed` count records since the start and never wrap; a record's slot is its count
// modulo the capacity, a power of two. Empty is written == consumed. Frames leave `reserve` slots free, so that a hit
// finds room where a frame does not.
//
// Memory ordering: each side stores its own counter with release after it has touched the slot, and loads the other
// side's with acquire before.

/// One step of the listening thread: a frame, or what it found.
package struct ListeningRecord {
  package enum Kind: UInt8 {
    /// 160 samples of the stream, of which ``count`` are audio and the rest is silence.
    case frame
    /// ``count`` samples of the stream are lost.
    case gap
    case deviceLost
    case deviceRecovered
    /// The capture device's buffer overflowed.
    case overrun
    /// A phrase from ``start`` to ``end``.
    case hit
    /// A score close to the threshold; the phrase would have ended at ``end``.
    case nearMiss
    /// The detector has restarted as requested.
    case restarted
    /// The stream is over; nothing follows.
    case end
  }

  package var kind: Kind
  package var count = 0
  /// Of a frame: the voice-activity flag, and the level in dBFS.
  package var isVoiced = false
  package var level: Float = 0
  /// Of a hit or a near miss: the index of its model.
  package var model = 0
  package var start: SampleIndex = 0
  package var end: SampleIndex = 0
  package var score = 0.0
  /// How many times the spotter has been replaced.
  package var generation = 0

  package init(_ kind: Kind, count: Int = 0) {
    self.kind = kind
    self.count = count
  }
}

/// A lock-free queue of records with their samples, from the listening thread to the service's consumer.
package final class ListeningRing: Sendable {
  /// Records that it holds.
  package let capacity: Int
  /// Slots that frames leave to other records.
  private static let reserve = 32

  nonisolated(unsafe) private let records: UnsafeMutablePointer<ListeningRecord>
  nonisolated(unsafe) private let samples: UnsafeMutablePointer<Int16>
  private let written: Atomic<Int>
  private let consumed: Atomic<Int>

  /// - Parameters:
  ///   - capacity: a power of two, at least 64; 512 records are five seconds and take 200 kB.
  ///   - start: the count at which both sides begin, so that tests can start at any slot.
  package init(capacity: Int = 512, start: Int = 0) {
    precondition(capacity >= 2 * Self.reserve && capacity & (capacity - 1) == 0)
    self.capacity = capacity
    records = .allocate(capacity: capacity)
    records.initialize(repeating: ListeningRecord(.end), count: capacity)
    samples = .allocate(capacity: capacity * AudioFormat.frameLength)
    samples.initialize(repeating: 0, count: capacity * AudioFormat.frameLength)
    written = Atomic(start)
    consumed = Atomic(start)
  }

  deinit {
    records.deallocate()
    samples.deallocate()
  }

  /// Whether there is room for a frame. Real-time safe.
  package var hasRoom: Bool {
    @_noAllocation @_noLocks
    get {
      let used = written.load(ordering: .relaxed) &- consumed.load(ordering: .acquiring)
      return used < capacity &- ListeningRing.reserve
    }
  }

  /// Whether there is nothing to read.
  package var isEmpty: Bool { written.load(ordering: .acquiring) == consumed.load(ordering: .relaxed) }

  /// Appends a record, of a frame with its samples. Real-time safe.
  ///
  /// - Returns: false if there is no room.
  @_noAllocation @_noLocks
  package func write(_ record: ListeningRecord, _ frame: UnsafePointer<Int16>? = nil) -> Bool {
    let position = written.load(ordering: .relaxed)
    let used = position &- consumed.load(ordering: .acquiring)
    guard used < capacity &- (frame == nil ? 0 : ListeningRing.reserve) else { return false }
    let slot = position & (capacity &- 1)
    records[slot] = record
    if let frame {
      let target = samples + slot &* AudioFormat.frameLength
      var index = 0
      while index < AudioFormat.frameLength {
        target[index] = frame[index]
        index &+= 1
      }
    }
    written.store(position &+ 1, ordering: .releasing)
    return true
  }

  /// Takes the oldest record and copies the samples of a frame to `frame`.
  ///
  /// - Returns: nil if there is none.
  package func read(into frame: UnsafeMutableBufferPointer<Int16>) -> ListeningRecord? {
    let position = consumed.load(ordering: .relaxed)
    guard written.load(ordering: .acquiring) != position else { return nil }
    let slot = position & (capacity - 1)
    let record = records[slot]
    if record.kind == .frame {
      let source = samples + slot * AudioFormat.frameLength
      for index in 0..<AudioFormat.frameLength { frame[index] = source[index] }
    }
    consumed.store(position + 1, ordering: .releasing)
    return record
  }
}
