import PCM
import Platform

/// The last seconds of the stream, for the pre-roll of the recognizer.
///
/// A ring of raw 16 kHz samples addressed by their absolute position: sample `i` is in slot `i % capacity`, so an index
/// always means the same instant, gaps included (they read as zeros). It holds the positions
/// `start..<end`, with `end - start <= capacity`; empty is `start == end`.
///
/// Threads: one owner; the thread that appends is the thread that reads. Memory: one allocation, in `init`.
/// Appending neither allocates nor locks.
public final class AudioHistory {
  /// The number of samples that it holds at most.
  public let capacity: Int
  private let storage: UnsafeMutableBufferPointer<Int16>
  /// The position of the oldest sample held.
  public private(set) var start: SampleIndex
  /// The position after the newest sample held: the stream's clock.
  public private(set) var end: SampleIndex

  /// A history of `capacity` samples (at least 1) for a stream whose first sample has position `origin`.
  public init(capacity: Int, origin: SampleIndex = 0) {
    precondition(capacity > 0 && origin >= 0)
    self.capacity = capacity
    storage = .allocate(capacity: capacity)
    storage.initialize(repeating: 0)
    start = origin
    end = origin
  }

  /// A history of the last `seconds`.
  public convenience init(seconds: Double) {
    self.init(capacity: max(1, AudioFormat.samples(seconds)))
  }

  deinit { storage.deallocate() }

  /// Appends `samples`, of any count; they replace the oldest.
  @_noAllocation @_noLocks
  public func append(_ samples: UnsafeBufferPointer<Int16>) {
    var position = max(0, samples.count - capacity)
    var slot = (end + position) % capacity
    while position < samples.count {
      storage[slot] = samples[position]
      slot += 1
      if slot == capacity { slot = 0 }
      position += 1
    }
    advance(by: samples.count)
  }

  /// Appends `count` zeros in place of samples that were lost.
  @_noAllocation @_noLocks
  public func appendGap(_ count: Int) {
    var left = min(count, capacity)
    var slot = (end + count - left) % capacity
    while left > 0 {
      storage[slot] = 0
      slot += 1
      if slot == capacity { slot = 0 }
      left -= 1
    }
    advance(by: count)
  }

  @_noAllocation @_noLocks
  private func advance(by count: Int) {
    end += count
    start = max(start, end - capacity)
  }

  /// Copies the samples at `lower..<lower + target.count` into `target`.
  ///
  /// - Returns: false, with `target` untouched, when the history does not hold all of them.
  @_noAllocation @_noLocks
  public func read(from lower: SampleIndex, into target: UnsafeMutableBufferPointer<Int16>) -> Bool {
    guard lower >= start, lower + target.count <= end else { return false }
    var slot = lower % capacity
    var position = 0
    while position < target.count {
      target[position] = storage[slot]
      slot += 1
      if slot == capacity { slot = 0 }
      position += 1
    }
    return true
  }

  /// The samples at `lower..<upper`; nil when the history does not hold all of them.
  public func read(from lower: SampleIndex, to upper: SampleIndex) -> [Int16]? {
    guard lower >= start, lower <= upper, upper <= end else { return nil }
    return [Int16](unsafeUninitializedCapacity: upper - lower) { buffer, count in
      count = upper - lower
      _ = read(from: lower, into: UnsafeMutableBufferPointer(rebasing: buffer[..<count]))
    }
  }
}
