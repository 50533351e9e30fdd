import AudioCapture
import PCM
import Platform

/// The player's thread: performs the actions of the queue and plays block by block.
struct SpeechPlayer {
  /// The samples of an item.
  private struct Prepared {
    var samples: [Int16]
    /// Where more samples come from; nil once all have come.
    var stream: SpeechStream?
    /// When the last samples came from it.
    var arrival = 0.0
    /// Whether hotwords are still looked for.
    var isSearched = true
    /// The number of samples in which they were looked for.
    var searched = 0
    var played = 0
  }

  /// Seconds of audio in the device's buffer.
  private static let latency = 0.1
  /// Samples per write.
  private static let block = AudioFormat.sampleRate / 50
  /// Samples of the first write, so that the device does not underrun at once.
  private static let first = AudioFormat.sampleRate / 20
  /// Seconds by which a write may be ahead of the playback: more, and the device has no clock.
  private static let lead = 0.15
  /// Seconds of a stream that must have arrived before it is played, at its beginning and after a gap.
  private static let reserve = 0.25
  /// Seconds without samples after which a stream ends.
  private static let patience = 10.0
  /// Seconds within which blocks count as adjacent; devices report their clock in periods.
  private static let jitter = 0.03

  private let output: SpeechOutput
  private var items: [SpeechQueue.Ticket: Prepared] = [:]
  private var playing: SpeechQueue.Ticket?
  private var device: PlaybackDevice?
  /// When the last sample written is played.
  private var playedUntil = 0.0
  private var isFailing = false

  init(_ output: SpeechOutput) { self.output = output }

  mutating func run() {
    while true {
      if playing == nil {
        if output.isDone { close() }
        guard let action = output.inbox.take() else { return }
        perform(action)
      } else {
        while let next = output.inbox.takeIfAny() {
          guard let action = next else { return }
          perform(action)
        }
      }
      if let playing { play(playing) }
    }
  }

  private mutating func perform(_ action: SpeechQueue.Action) {
    switch action {
    case .prepare(let ticket, let item): prepare(ticket, item)
    case .play(let ticket): playing = ticket
    case .hold(let ticket):
      guard playing == ticket else { return }
      let played = items[ticket]?.played ?? 0
      let left = max(0, played - silence())
      items[ticket]?.played = left
      playing = nil
    case .drop(let ticket):
      if playing == ticket {
        _ = silence()
        playing = nil
      }
      items[ticket] = nil
    case .report: break
    }
  }

  private mutating func prepare(_ ticket: SpeechQueue.Ticket, _ item: SpeechQueue.Item) {
    guard output.isWanted(ticket) else { return }
    do throws(SpeechFault) {
      items[ticket] = try samples(of: item, for: ticket)
      output.change { $0.prepared(ticket) }
    } catch {
      fail(ticket, error)
    }
  }

  private func samples(of item: SpeechQueue.Item, for ticket: SpeechQueue.Ticket) throws(SpeechFault)
    -> Prepared
  {
    switch item {
    case .sound(let sound): return Prepared(samples: sound.samples, isSearched: false)
    case .stream(let stream):
      output.words?.reset()
      return Prepared(samples: [], stream: stream, arrival: MonotonicClock.now())
    case .words(let text):
      let pause = [Int16](repeating: 0, count: AudioFormat.samples(output.settings.delay))
      let speech = try output.voice?.say(text, isCancelled: { !output.isWanted(ticket) }) ?? []
      output.words?.reset()
      return Prepared(samples: pause + speech)
    }
  }

  /// Takes what has arrived of a stream.
  ///
  /// - Returns: whether there is enough of it to play on.
  private mutating func receive(_ ticket: SpeechQueue.Ticket) -> Bool {
    guard let stream = items[ticket]?.stream else { return true }
    let now = MonotonicClock.now()
    let arrived = stream.take()
    if !arrived.samples.isEmpty { items[ticket]!.arrival = now }
    items[ticket]!.samples += arrived.samples
    if arrived.isFinished || now - items[ticket]!.arrival > Self.patience {
      items[ticket]!.stream = nil
      return true
    }
    let left = items[ticket]!.samples.count - items[ticket]!.played
    return left >= (playedUntil < now ? AudioFormat.samples(Self.reserve) : Self.block)
  }

  /// Plays the next block, or waits up to 10 ms.
  private mutating func play(_ ticket: SpeechQueue.Ticket) {
    let hasArrived = receive(ticket)
    guard let item = items[ticket] else {
      playing = nil
      return
    }
    let now = MonotonicClock.now()
    guard hasArrived else {
      device?.start()
      return MonotonicClock.sleep(until: now + 0.01)
    }
    if item.played == item.samples.count {
      if item.isSearched, let words = output.words {
        note(words.finish(), at: playedUntil, of: item.played)
        items[ticket]!.isSearched = false
      }
      device?.start()
      if playedUntil > now { return MonotonicClock.sleep(until: min(playedUntil, now + 0.01)) }
      playing = nil
      items[ticket] = nil
      // The program may end once this is reported: nothing may be left in the device.
      if output.isLast(ticket) { close() }
      return output.change { $0.finished(ticket) }
    }
    if playedUntil - now > Self.lead { return MonotonicClock.sleep(until: now + 0.01) }
    do throws(CaptureFault) {
      let length = playedUntil < now ? Self.first : Self.block
      try write(ticket, item.played..<min(item.played + length, item.samples.count))
      isFailing = false
    } catch {
      device = nil
      fail(ticket, .cannotPlay(error))
    }
  }

  private mutating func write(_ ticket: SpeechQueue.Ticket, _ range: Range<Int>) throws(CaptureFault) {
    guard let item = items[ticket] else { return }
    let device = try opened()
    let gain = Float(output.volume) / 100
    let block = item.samples[range].map { Int16(Float($0) * gain) }
    let expected = MonotonicClock.now() + AudioFormat.seconds(device.delay)
    let time = AudioFormat.seconds(
      AudioFormat.samples(expected > playedUntil + Self.jitter ? expected : playedUntil))
    try device.write(block[...])
    device.start()
    block.withUnsafeBufferPointer { output.reference.write($0, at: time) }
    if item.isSearched, item.searched < range.upperBound, let words = output.words {
      note(words.push(item.samples[item.searched..<range.upperBound]), at: time, of: range.lowerBound)
      items[ticket]?.searched = range.upperBound
    }
    playedUntil = time + AudioFormat.seconds(block.count)
    items[ticket]?.played = range.upperBound
  }

  /// Notes words of an item of which the sample at `position` is played at `time`.
  private func note(_ words: [PlaybackReference.Word], at time: Double, of position: Int) {
    for word in words {
      let from = time + AudioFormat.seconds(word.range.lowerBound - position)
      output.reference.note(word.keyword, from: from, to: from + AudioFormat.seconds(word.range.count))
    }
  }

  private mutating func opened() throws(CaptureFault) -> PlaybackDevice {
    if let device { return device }
    let opened = try PlaybackDevice(output.settings.device, latency: Self.latency)
    device = opened
    return opened
  }

  /// Closes the device after what was written has been played.
  private mutating func close() {
    device?.drain()
    device = nil
  }

  /// Stops the device.
  ///
  /// - Returns: the number of samples that were written and not played.
  private mutating func silence() -> Int {
    let now = MonotonicClock.now()
    device?.drop()
    output.reference.cut(at: now)
    defer { playedUntil = now }
    return max(0, AudioFormat.samples(playedUntil - now))
  }

  /// Ends an item with an error; errors in a row are reported once.
  private mutating func fail(_ ticket: SpeechQueue.Ticket, _ fault: SpeechFault) {
    if playing == ticket { playing = nil }
    items[ticket] = nil
    if fault != .cancelled {
      if !isFailing { output.report(fault) }
      isFailing = true
    }
    output.change { $0.failed(ticket) }
  }
}
