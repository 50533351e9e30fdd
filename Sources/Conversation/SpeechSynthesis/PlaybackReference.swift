import PCM
import Synchronization

// Thread roles: one producer (the player's thread) calls `write`, `cut` and `note`; one consumer (the listening
// thread) calls `read` and `holds`. Neither ever waits for the other.
//
// Allocation: `init` allocates both queues and the consumer's copy, once; `deinit` frees them.
//
// Queues: the producer copies samples to one ring, then publishes an event in another that says where they are and
// when they are heard. Counts never wrap; a place is a count modulo the capacity, a power of two. A queue is empty
// where written == consumed and full where written - consumed == capacity. What finds no room is dropped: the queues
// are full only while no frames are read, and then nothing is cancelled either.
//
// Consumer: each call first applies all events to the consumer's own copy, the last four seconds by clock time, and
// to its list of words. Only the consumer touches these.
//
// Memory ordering: each side stores its own counter with release after it has touched the memory that the counter
// covers, and loads the other side's counter with acquire before it does.

private enum Capacity {
  /// Samples that the queue holds, and that the consumer keeps: 4.1 seconds.
  static var samples: Int { @_noAllocation @_noLocks get { 1 << 16 } }
  static var events: Int { @_noAllocation @_noLocks get { 1 << 9 } }
  /// Words that the consumer keeps.
  static var words: Int { @_noAllocation @_noLocks get { 1 << 6 } }
}

/// The samples that the loudspeaker plays and when they are heard: the echo canceller's reference, and the hotwords
/// in them.
///
/// Times are seconds of `MonotonicClock`. One thread writes and one thread reads, without locks and without waiting.
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

  private enum Change {
    case samples
    case cut
    case word
  }

  /// A change of what is heard, with positions in samples by the clock.
  private struct Event {
    var change: Change
    var from: Int
    var to: Int
    /// For samples, their place in the sample queue.
    var start = 0
    /// For words, the keyword.
    var keyword = 0
  }

  /// What the consumer has taken from the queues.
  private struct State {
    /// The samples kept: positions by the clock. All others are silence.
    var lower = 0
    var upper = 0
    /// The words noted so far; the last ones are kept.
    var wordCount = 0
  }

  nonisolated(unsafe) private let queue: UnsafeMutablePointer<Int16>
  nonisolated(unsafe) private let events: UnsafeMutablePointer<Event>
  private let eventsWritten: Atomic<Int>
  private let eventsConsumed: Atomic<Int>
  private let samplesConsumed: Atomic<Int>
  /// The producer's own.
  nonisolated(unsafe) private let samplesWritten: UnsafeMutablePointer<Int>
  /// The consumer's own.
  nonisolated(unsafe) private let kept: UnsafeMutablePointer<Int16>
  nonisolated(unsafe) private let words: UnsafeMutablePointer<Event>
  nonisolated(unsafe) private let state: UnsafeMutablePointer<State>

  public convenience init() { self.init(start: 0) }

  /// - Parameter start: the count at which the queues begin; tests begin at every place.
  init(start: Int) {
    queue = .allocate(capacity: Capacity.samples)
    queue.initialize(repeating: 0, count: Capacity.samples)
    events = .allocate(capacity: Capacity.events)
    events.initialize(repeating: Event(change: .cut, from: 0, to: 0), count: Capacity.events)
    samplesWritten = .allocate(capacity: 1)
    samplesWritten.initialize(to: start)
    kept = .allocate(capacity: Capacity.samples)
    kept.initialize(repeating: 0, count: Capacity.samples)
    words = .allocate(capacity: Capacity.words)
    words.initialize(repeating: Event(change: .word, from: 0, to: 0), count: Capacity.words)
    state = .allocate(capacity: 1)
    state.initialize(to: State())
    eventsWritten = Atomic(start)
    eventsConsumed = Atomic(start)
    samplesConsumed = Atomic(start)
  }

  deinit {
    queue.deallocate()
    events.deallocate()
    samplesWritten.deallocate()
    kept.deallocate()
    words.deallocate()
    state.deallocate()
  }

  // MARK: The producer

  /// Adds samples that are heard from `time` on, in place of those added before for these times and later ones.
  ///
  /// Real-time safe.
  @_noAllocation @_noLocks
  public func write(_ samples: UnsafeBufferPointer<Int16>, at time: Double) {
    let count = samples.count
    guard count > 0 else { return }
    let source = samples.baseAddress.unsafelyUnwrapped
    let start = samplesWritten.pointee
    guard count <= Capacity.samples &- (start &- samplesConsumed.load(ordering: .acquiring)) else { return }
    var index = 0
    while index < count {
      queue[(start &+ index) & (Capacity.samples &- 1)] = source[index]
      index &+= 1
    }
    let first = AudioFormat.samples(time)
    if publish(Event(change: .samples, from: first, to: first &+ count, start: start)) {
      samplesWritten.pointee = start &+ count
    }
  }

  /// Removes the samples and words that would be heard after `time`. Real-time safe.
  @_noAllocation @_noLocks
  public func cut(at time: Double) {
    let position = AudioFormat.samples(time)
    _ = publish(Event(change: .cut, from: position, to: position))
  }

  /// Adds a hotword that is heard from `from` to `to`. Real-time safe.
  @_noAllocation @_noLocks
  public func note(_ keyword: Int, from: Double, to: Double) {
    _ = publish(
      Event(change: .word, from: AudioFormat.samples(from), to: AudioFormat.samples(to), keyword: keyword))
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

  /// Copies the samples that are heard from `time` on to `target`. Real-time safe.
  ///
  /// - Returns: false, with `target` all zero, where that is silence.
  @_noAllocation @_noLocks
  public func read(at time: Double, into target: UnsafeMutableBufferPointer<Int16>) -> Bool {
    update()
    let count = target.count
    guard count > 0 else { return false }
    let output = target.baseAddress.unsafelyUnwrapped
    let first = AudioFormat.samples(time)
    let lower = state.pointee.lower
    let upper = state.pointee.upper
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

  /// Whether a hotword was played within `tolerance` seconds of `from`…`to`. Real-time safe.
  @_noAllocation @_noLocks
  public func holds(_ keyword: Int, from: Double, to: Double, tolerance: Double) -> Bool {
    update()
    let first = AudioFormat.samples(from - tolerance)
    let last = AudioFormat.samples(to + tolerance)
    var index = state.pointee.wordCount &- Capacity.words
    if index < 0 { index = 0 }
    while index < state.pointee.wordCount {
      let word = words[index & (Capacity.words &- 1)]
      if word.keyword == keyword, word.from <= last, word.to >= first { return true }
      index &+= 1
    }
    return false
  }

  /// Applies what the producer has published.
  @_noAllocation @_noLocks
  private func update() {
    let end = eventsWritten.load(ordering: .acquiring)
    var index = eventsConsumed.load(ordering: .relaxed)
    while index < end {
      let event = events[index & (Capacity.events &- 1)]
      switch event.change {
      case .samples: keep(event)
      case .cut: forget(after: event.from)
      case .word:
        words[state.pointee.wordCount & (Capacity.words &- 1)] = event
        state.pointee.wordCount &+= 1
      }
      index &+= 1
      eventsConsumed.store(index, ordering: .releasing)
    }
  }

  @_noAllocation @_noLocks
  private func keep(_ event: Event) {
    var lower = state.pointee.lower
    var upper = state.pointee.upper
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
    let count = event.to &- event.from
    var index = 0
    while index < count {
      kept[(event.from &+ index) & (Capacity.samples &- 1)] =
        queue[(event.start &+ index) & (Capacity.samples &- 1)]
      index &+= 1
    }
    samplesConsumed.store(event.start &+ count, ordering: .releasing)
    if lower < event.to &- Capacity.samples { lower = event.to &- Capacity.samples }
    state.pointee.lower = lower
    state.pointee.upper = event.to
  }

  @_noAllocation @_noLocks
  private func forget(after position: Int) {
    guard position < state.pointee.upper else { return }
    state.pointee.upper = position
    if state.pointee.lower > position { state.pointee.lower = position }
    // A word that is not heard lies nowhere.
    var index = 0
    while index < Capacity.words {
      if words[index].from > position { words[index].keyword = -1 }
      index &+= 1
    }
  }
}
