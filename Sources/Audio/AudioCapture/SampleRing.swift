import Synchronization

// Thread roles: one producer (the capture thread) calls `write`, `mark` and `finish`; one consumer calls `read` and
// `hasNews`. No other thread may call them. Neither side ever waits for the other.
//
// Allocation: `init` allocates the samples and the marks, once; `deinit` frees them.
//
// Full and empty: `written` and `consumed` count samples since the start and never wrap (2⁶³ samples);
// a sample's slot is its count modulo the capacity, a power of two. Empty is written == consumed, full is
// written - consumed == capacity, so every slot is used. When full, new samples are dropped and counted: they become
// the gap of the next mark.
//
// Marks: a gap or events between two samples are in a second ring of the same kind, with the count of the sample that
// follows. The consumer never reads past a mark that it has not taken.
//
// Memory ordering: each side stores its own counter with release after touching the memory it covers, and
// loads the other's with acquire before. A mark is stored before the samples that follow it are, so a
// consumer that loads `written` first and `marksWritten` second sees every mark among those samples.

/// A lock-free queue of samples from one thread to another, with the gaps and device events between them.
package final class SampleRing: Sendable {
  private struct Mark {
    var position: Int
    var gap: Int
    var events: DeviceEvents
  }

  /// Samples that it can hold.
  package let capacity: Int
  private static let markCapacity = 64

  nonisolated(unsafe) private let samples: UnsafeMutablePointer<Int16>
  nonisolated(unsafe) private let marks: UnsafeMutablePointer<Mark>
  /// The next mark; only the producer uses it.
  nonisolated(unsafe) private let pending: UnsafeMutablePointer<Mark>
  private let written: Atomic<Int>
  private let consumed: Atomic<Int>
  private let marksWritten = Atomic<Int>(0)
  private let marksConsumed = Atomic<Int>(0)
  private let finished = Atomic<Bool>(false)
  private let dropped = Atomic<Int>(0)

  /// - Parameters:
  ///   - capacity: samples, a power of two.
  ///   - start: the count at which both sides begin, so that tests can begin at any slot.
  package init(capacity: Int, start: Int = 0) {
    precondition(capacity > 0 && capacity & (capacity - 1) == 0, "the capacity is a power of two")
    self.capacity = capacity
    samples = .allocate(capacity: capacity)
    samples.initialize(repeating: 0, count: capacity)
    marks = .allocate(capacity: Self.markCapacity)
    marks.initialize(repeating: Mark(position: 0, gap: 0, events: []), count: Self.markCapacity)
    pending = .allocate(capacity: 1)
    pending.initialize(to: Mark(position: 0, gap: 0, events: []))
    written = Atomic(start)
    consumed = Atomic(start)
  }

  deinit {
    samples.deallocate()
    marks.deallocate()
    pending.deallocate()
  }

  /// Samples dropped because the ring was full, since the start.
  package var droppedSamples: Int { dropped.load(ordering: .relaxed) }

  // MARK: The producer

  /// Appends samples; those without room are dropped and counted as a gap. Real-time safe.
  @_noAllocation @_noLocks
  package func write(_ input: UnsafePointer<Int16>, count: Int) {
    let start = written.load(ordering: .relaxed)
    let room = capacity &- (start &- consumed.load(ordering: .acquiring))
    var taken = count < room ? count : room
    if taken > 0, !publishMark(at: start) { taken = 0 }
    var index = 0
    while index < taken {
      samples[(start &+ index) & (capacity &- 1)] = input[index]
      index &+= 1
    }
    written.store(start &+ taken, ordering: .releasing)
    if taken < count {
      pending.pointee.gap &+= count &- taken
      pending.pointee.events.append(.overrun)
      dropped.store(dropped.load(ordering: .relaxed) &+ (count &- taken), ordering: .relaxed)
    }
  }

  /// Records that `gap` samples were lost, or that events happened, before the next sample. Real-time safe.
  @_noAllocation @_noLocks
  package func mark(gap: Int, events: DeviceEvents) {
    pending.pointee.gap &+= gap
    pending.pointee.events.append(events)
    _ = publishMark(at: written.load(ordering: .relaxed))
  }

  /// Marks the end of the stream. Real-time safe.
  @_noAllocation @_noLocks
  package func finish() {
    _ = publishMark(at: written.load(ordering: .relaxed))
    finished.store(true, ordering: .releasing)
  }

  /// Stores the pending mark; returns false without room for it.
  @_noAllocation @_noLocks
  private func publishMark(at position: Int) -> Bool {
    if pending.pointee.gap == 0, pending.pointee.events.rawValue == 0 { return true }
    let start = marksWritten.load(ordering: .relaxed)
    guard start &- marksConsumed.load(ordering: .acquiring) < Self.markCapacity else { return false }
    pending.pointee.position = position
    marks[start & (Self.markCapacity &- 1)] = pending.pointee
    pending.pointee.gap = 0
    pending.pointee.events = DeviceEvents(rawValue: 0)
    marksWritten.store(start &+ 1, ordering: .releasing)
    return true
  }

  // MARK: The consumer

  /// Takes up to `capacity` samples before the next mark, and the marks before the first of them. Real-time safe.
  ///
  /// - Returns: at once; `atMark` if the next sample has a mark before it, `isEnd` only after everything has been taken.
  @_noAllocation @_noLocks
  package func read(
    into output: UnsafeMutablePointer<Int16>, capacity wanted: Int, takesMarks: Bool = true
  ) -> (count: Int, gap: Int, events: DeviceEvents, atMark: Bool, isEnd: Bool) {
    let isFinished = finished.load(ordering: .acquiring)
    let end = written.load(ordering: .acquiring)
    let start = consumed.load(ordering: .relaxed)
    let marksEnd = marksWritten.load(ordering: .acquiring)
    var mark = marksConsumed.load(ordering: .relaxed)
    var gap = 0
    var events = DeviceEvents(rawValue: 0)
    var limit = end
    while mark < marksEnd {
      let next = marks[mark & (Self.markCapacity &- 1)]
      let isLater = next.position > start
      if isLater || !takesMarks {
        if next.position < limit { limit = next.position }
        break
      }
      gap &+= next.gap
      events.append(next.events)
      mark &+= 1
    }
    marksConsumed.store(mark, ordering: .releasing)
    var count = limit &- start
    if count > wanted { count = wanted }
    var index = 0
    while index < count {
      output[index] = samples[(start &+ index) & (capacity &- 1)]
      index &+= 1
    }
    consumed.store(start &+ count, ordering: .releasing)
    let isEnd = isFinished && start &+ count == end && mark == marksEnd
    let atMark = mark < marksEnd && start &+ count == limit
    return (count, gap, events, atMark, isEnd)
  }

  /// Whether a read would return samples, a mark or the end.
  package var hasNews: Bool {
    written.load(ordering: .acquiring) != consumed.load(ordering: .relaxed)
      || marksWritten.load(ordering: .acquiring) != marksConsumed.load(ordering: .relaxed)
      || finished.load(ordering: .acquiring)
  }
}

/// Events of a live device. In this file, so that a debug build can check that the ring does not allocate.
public struct DeviceEvents: OptionSet, Sendable, Hashable {
  public let rawValue: Int

  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The device vanished or failed; it is being reopened.
  public static var lost: DeviceEvents { DeviceEvents(rawValue: 1) }
  /// The device delivers samples again after it was lost. With ``lost``, it was lost before that.
  public static var recovered: DeviceEvents { DeviceEvents(rawValue: 2) }
  /// Samples were lost: the kernel's buffer or our ring overflowed.
  public static var overrun: DeviceEvents { DeviceEvents(rawValue: 4) }

  /// Adds events that happened after these and before the next sample. Real-time safe.
  ///
  /// A device that came back and was lost again has not come back.
  @_noAllocation @_noLocks
  package mutating func append(_ later: DeviceEvents) {
    let hasFailedAgain = rawValue & Self.recovered.rawValue != 0 && later.rawValue & Self.lost.rawValue != 0
    let (before, after) = hasFailedAgain ? (Self.recovered.rawValue, Self.lost.rawValue) : (0, 0)
    self = DeviceEvents(rawValue: rawValue & ~before | later.rawValue & ~after)
  }
}
