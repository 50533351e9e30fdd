import PCM
import Synchronization

// Thread roles: one producer (the player's thread) calls `write`, `cut` and `note`; one consumer (the listening
// thread) calls `read`; any thread calls `holds`. None of them ever waits for another.
//
// Allocation: `init` allocates the queues, the consumer's copy and the words, once; `deinit` frees them.
//
// Queues: the producer copies samples to one ring, then publishes an event in another with their slot and
// their time. Counts never wrap; a slot is a count modulo the capacity, a power of two. A queue is empty
// where written == consumed and full where written - consumed == capacity. What finds no room is dropped: the queues
// are full only while no frames are read, and then nothing is cancelled either.
//
// Consumer: `read` first applies all events to the consumer's own copy, the last four seconds by clock time. Only the
// consumer touches the copy.
//
// Words: the producer overwrites the oldest of a fixed number of slots. A slot's version is odd while it is written;
// a reader that finds it odd or changed ignores the slot, whose word is then either about to be played or the oldest.
//
// Memory ordering: each side of a queue stores its own counter with release after it has touched the memory that the
// counter covers, and loads the other side's counter with acquire before it does. A slot's fields lie between a release
// fence after the odd version and a release store of the even one.

private enum Capacity {
  /// Samples that the queue holds, and that the consumer keeps: 4.1 seconds.
  static var samples: Int { @_noAllocation @_noLocks get { 1 << 16 } }
  static var events: Int { @_noAllocation @_noLocks get { 1 << 9 } }
  static var words: Int { @_noAllocation @_noLocks get { 1 << 6 } }
}

/// The samples that the loudspeaker plays and when they are played: the echo canceller's reference, and the hotwords
/// in them.
///
/// Times are seconds of `MonotonicClock`. One thread writes and one thread reads the samples; any thread may search the
/// hotwords. All of it is without locks and without waiting.
public final class PlaybackReference: Sendable {
  /// A hotword in samples to be played.
  public struct Word: Sendable, Equatable {
    /// The index of its model among the spotter's keywords.
    public let keyword: Int
    /// The samples that hold it.
    public let range: Range<Int>

    public init(keyword: Int, range: Range<Int>) {
      self.keyword = keyword
      self.range = range
    }
  }

  /// Samples that replace those from ``from`` on, or none: a cut. Positions are samples by the clock.
  private struct Event {
    var from: Int
    var count = 0
    /// The place of the samples in the queue.
    var start = 0
  }

  /// The producer's own.
  private struct Producer {
    /// Samples written to the queue.
    var samples: Int
    var words = 0
  }

  /// The consumer's own: the positions of the samples kept. All others are silence.
  private struct Consumer {
    var lower = 0
    var upper = 0
  }

  private struct Slot: ~Copyable {
    let version = Atomic<Int>(0)
    /// -1 for none.
    let keyword = Atomic<Int>(-1)
    let from = Atomic<Int>(0)
    let to = Atomic<Int>(0)
  }

  nonisolated(unsafe) private let queue: UnsafeMutablePointer<Int16>
  nonisolated(unsafe) private let events: UnsafeMutablePointer<Event>
  private let eventsWritten: Atomic<Int>
  private let eventsConsumed: Atomic<Int>
  private let samplesConsumed: Atomic<Int>
  nonisolated(unsafe) private let words: UnsafeMutablePointer<Slot>
  nonisolated(unsafe) private let producer: UnsafeMutablePointer<Producer>
  nonisolated(unsafe) private let consumer: UnsafeMutablePointer<Consumer>
  /// The consumer's copy.
  nonisolated(unsafe) private let kept: UnsafeMutablePointer<Int16>

  public convenience init() { self.init(start: 0) }

  /// - Parameter start: the count at which the queues begin; tests begin at every place.
  package init(start: Int) {
    queue = .allocate(capacity: Capacity.samples)
    queue.initialize(repeating: 0, count: Capacity.samples)
    events = .allocate(capacity: Capacity.events)
    events.initialize(repeating: Event(from: 0), count: Capacity.events)
    words = .allocate(capacity: Capacity.words)
    for index in 0..<Capacity.words { (words + index).initialize(to: Slot()) }
    producer = .allocate(capacity: 1)
    producer.initialize(to: Producer(samples: start))
    consumer = .allocate(capacity: 1)
    consumer.initialize(to: Consumer())
    kept = .allocate(capacity: Capacity.samples)
    kept.initialize(repeating: 0, count: Capacity.samples)
    eventsWritten = Atomic(start)
    eventsConsumed = Atomic(start)
    samplesConsumed = Atomic(start)
  }

  deinit {
    queue.deallocate()
    events.deallocate()
    words.deinitialize(count: Capacity.words)
    words.deallocate()
    producer.deallocate()
    consumer.deallocate()
    kept.deallocate()
  }

  // MARK: The producer

  /// Adds samples that are played from `time` on, in place of those added before for these times and later ones.
  ///
  /// Real-time safe.
  @_noAllocation @_noLocks
  public func write(_ samples: UnsafeBufferPointer<Int16>, at time: Double) {
    let count = samples.count
    guard count > 0 else { return }
    let source = samples.baseAddress.unsafelyUnwrapped
    let start = producer.pointee.samples
    guard count <= Capacity.samples &- (start &- samplesConsumed.load(ordering: .acquiring)) else { return }
    var index = 0
    while index < count {
      queue[(start &+ index) & (Capacity.samples &- 1)] = source[index]
      index &+= 1
    }
    if publish(Event(from: AudioFormat.samples(time), count: count, start: start)) {
      producer.pointee.samples = start &+ count
    }
  }

  /// Removes the samples and hotwords that would be played after `time`. Real-time safe.
  @_noAllocation @_noLocks
  public func cut(at time: Double) {
    let position = AudioFormat.samples(time)
    _ = publish(Event(from: position))
    var index = 0
    while index < Capacity.words {
      if words[index].from.load(ordering: .relaxed) > position {
        words[index].keyword.store(-1, ordering: .relaxed)
      }
      index &+= 1
    }
  }

  /// Adds a hotword that is played from `from` to `to`. Real-time safe.
  @_noAllocation @_noLocks
  public func note(_ keyword: Int, from: Double, to: Double) {
    let index = producer.pointee.words & (Capacity.words &- 1)
    producer.pointee.words &+= 1
    let version = words[index].version.load(ordering: .relaxed)
    words[index].version.store(version &+ 1, ordering: .relaxed)
    atomicMemoryFence(ordering: .releasing)
    words[index].keyword.store(keyword, ordering: .relaxed)
    words[index].from.store(AudioFormat.samples(from), ordering: .relaxed)
    words[index].to.store(AudioFormat.samples(to), ordering: .relaxed)
    words[index].version.store(version &+ 2, ordering: .releasing)
  }

  /// Returns false where the queue is full.
  @_noAllocation @_noLocks
  private func publish(_ event: Event) -> Bool {
    let start = eventsWritten.load(ordering: .relaxed)
    guard start &- eventsConsumed.load(ordering: .acquiring) < Capacity.events else { return false }
    events[start & (Capacity.events &- 1)] = event
    eventsWritten.store(start &+ 1, ordering: .releasing)
    return true
  }

  // MARK: The consumer

  /// Copies the samples that are played from `time` on to `target`. Real-time safe.
  ///
  /// - Returns: false, with `target` all zero, where that is silence.
  @_noAllocation @_noLocks
  public func read(at time: Double, into target: UnsafeMutableBufferPointer<Int16>) -> Bool {
    update()
    let count = target.count
    guard count > 0 else { return false }
    let output = target.baseAddress.unsafelyUnwrapped
    let first = AudioFormat.samples(time)
    let lower = consumer.pointee.lower
    let upper = consumer.pointee.upper
    var isPlaying = false
    var index = 0
    while index < count {
      let position = first &+ index
      if position >= lower, position < upper {
        output[index] = kept[position & (Capacity.samples &- 1)]
        isPlaying = true
      } else {
        output[index] = 0
      }
      index &+= 1
    }
    return isPlaying
  }

  /// Applies what the producer has published.
  @_noAllocation @_noLocks
  private func update() {
    let end = eventsWritten.load(ordering: .acquiring)
    var index = eventsConsumed.load(ordering: .relaxed)
    while index < end {
      let event = events[index & (Capacity.events &- 1)]
      if event.count > 0 { keep(event) } else { forget(after: event.from) }
      index &+= 1
      eventsConsumed.store(index, ordering: .releasing)
    }
  }

  @_noAllocation @_noLocks
  private func keep(_ event: Event) {
    var lower = consumer.pointee.lower
    var upper = consumer.pointee.upper
    if lower == upper || event.from > upper &+ Capacity.samples {
      lower = event.from
      upper = event.from
    }
    if event.from < upper {
      if event.from < lower { lower = event.from }
      upper = event.from
    }
    while upper < event.from {
      kept[upper & (Capacity.samples &- 1)] = 0
      upper &+= 1
    }
    var index = 0
    while index < event.count {
      kept[(upper &+ index) & (Capacity.samples &- 1)] =
        queue[(event.start &+ index) & (Capacity.samples &- 1)]
      index &+= 1
    }
    samplesConsumed.store(event.start &+ event.count, ordering: .releasing)
    upper &+= event.count
    if lower < upper &- Capacity.samples { lower = upper &- Capacity.samples }
    consumer.pointee.lower = lower
    consumer.pointee.upper = upper
  }

  @_noAllocation @_noLocks
  private func forget(after position: Int) {
    guard position < consumer.pointee.upper else { return }
    consumer.pointee.upper = position
    if consumer.pointee.lower > position { consumer.pointee.lower = position }
  }

  // MARK: Any thread

  /// Whether a hotword was played within `tolerance` seconds of `from`…`to`; the last 64 are known. Real-time safe.
  @_noAllocation @_noLocks
  public func holds(_ keyword: Int, from: Double, to: Double, tolerance: Double) -> Bool {
    let first = AudioFormat.samples(from - tolerance)
    let last = AudioFormat.samples(to + tolerance)
    var index = 0
    while index < Capacity.words {
      let version = words[index].version.load(ordering: .acquiring)
      let isKeyword = words[index].keyword.load(ordering: .relaxed) == keyword
      let isBefore = words[index].from.load(ordering: .relaxed) <= last
      let isAfter = words[index].to.load(ordering: .relaxed) >= first
      atomicMemoryFence(ordering: .acquiring)
      let isChanged = words[index].version.load(ordering: .relaxed) != version
      if !isChanged, version & 1 == 0, isKeyword, isBefore, isAfter { return true }
      index &+= 1
    }
    return false
  }
}
