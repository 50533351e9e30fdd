import AudioCapture
import PCM
import Platform

/// The life of the speaking thread: does what the queue asks, and plays block by block in between.
struct SpeechPlayer {
  /// What was prepared of an item.
  private struct Take {
    let samples: [Int16]
    let words: [PlaybackReference.Word]
    var played = 0
  }

  /// Seconds that the device may hold.
  private static let latency = 0.1
  /// Samples handed over at once.
  private static let block = AudioFormat.sampleRate / 50
  /// Samples handed over where nothing is being heard, so that the device does not run dry at once.
  private static let first = AudioFormat.sampleRate / 20
  /// Seconds that a block may lie ahead of what is heard: more, and the device has no clock of its own.
  private static let lead = 0.15
  /// Seconds within which blocks count as adjoining; device clocks are told in periods.
  private static let jitter = 0.03

  private let output: SpeechOutput
  private var takes: [SpeechQueue.Ticket: Take] = [:]
  private var playing: SpeechQueue.Ticket?
  private var device: PlaybackDevice?
  /// When the last sample handed over is heard.
  private var heard = 0.0
  private var isFailing = false

  init(_ output: SpeechOutput) { self.output = output }

  mutating func run() {
    while true {
      if playing == nil {
        if output.isDone {
          device?.drain()
          device = nil
        }
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
      let played = takes[ticket]?.played ?? 0
      let left = max(0, played - silence())
      takes[ticket]?.played = left
      playing = nil
    case .drop(let ticket):
      if playing == ticket {
        _ = silence()
        playing = nil
      }
      takes[ticket] = nil
    case .tell: break
    }
  }

  private mutating func prepare(_ ticket: SpeechQueue.Ticket, _ item: SpeechQueue.Item) {
    guard output.isWanted(ticket) else { return }
    do throws(SpeechFault) {
      takes[ticket] = try take(of: item, for: ticket)
      output.change { $0.prepared(ticket) }
    } catch {
      fail(ticket, error)
    }
  }

  private func take(of item: SpeechQueue.Item, for ticket: SpeechQueue.Ticket) throws(SpeechFault) -> Take {
    switch item {
    case .sound(let sound): return Take(samples: sound.samples, words: [])
    case .audio(let samples): return Take(samples: samples, words: output.words(samples))
    case .words(let text):
      let pause = [Int16](repeating: 0, count: AudioFormat.samples(output.settings.delay))
      let speech = try output.voice?.say(text, isCancelled: { !output.isWanted(ticket) }) ?? []
      let samples = pause + speech
      return Take(samples: samples, words: output.words(samples))
    }
  }

  /// Plays the next block, or waits a moment.
  private mutating func play(_ ticket: SpeechQueue.Ticket) {
    guard let take = takes[ticket] else {
      playing = nil
      return
    }
    let now = MonotonicClock.now()
    if take.played == take.samples.count {
      device?.start()
      if heard > now { return MonotonicClock.sleep(until: min(heard, now + 0.01)) }
      playing = nil
      takes[ticket] = nil
      return output.change { $0.finished(ticket) }
    }
    if heard - now > Self.lead { return MonotonicClock.sleep(until: now + 0.01) }
    do throws(CaptureFault) {
      let length = heard < now ? Self.first : Self.block
      try write(ticket, take.played..<min(take.played + length, take.samples.count))
      isFailing = false
    } catch {
      device = nil
      fail(ticket, .silent(error))
    }
  }

  private mutating func write(_ ticket: SpeechQueue.Ticket, _ range: Range<Int>) throws(CaptureFault) {
    guard let take = takes[ticket] else { return }
    let device = try opened()
    let gain = Float(output.volume) / 100
    let block = take.samples[range].map { Int16(Float($0) * gain) }
    let expected = MonotonicClock.now() + AudioFormat.seconds(device.delay)
    let time = AudioFormat.seconds(AudioFormat.samples(expected > heard + Self.jitter ? expected : heard))
    try device.write(block[...])
    device.start()
    block.withUnsafeBufferPointer { output.reference.write($0, at: time) }
    for word in take.words where range.contains(word.range.lowerBound) {
      let from = time + AudioFormat.seconds(word.range.lowerBound - range.lowerBound)
      output.reference.note(word.keyword, from: from, to: from + AudioFormat.seconds(word.range.count))
    }
    heard = time + AudioFormat.seconds(block.count)
    takes[ticket]?.played = range.upperBound
  }

  private mutating func opened() throws(CaptureFault) -> PlaybackDevice {
    if let device { return device }
    let opened = try PlaybackDevice(output.settings.device, latency: Self.latency)
    device = opened
    return opened
  }

  /// Stops the device.
  ///
  /// - Returns: the samples that were handed over and not heard.
  private mutating func silence() -> Int {
    let now = MonotonicClock.now()
    device?.drop()
    output.reference.cut(at: now)
    defer { heard = now }
    return max(0, AudioFormat.samples(heard - now))
  }

  /// Gives an item up; the same trouble is told once, until it is over.
  private mutating func fail(_ ticket: SpeechQueue.Ticket, _ fault: SpeechFault) {
    if playing == ticket { playing = nil }
    takes[ticket] = nil
    if fault != .cancelled {
      if !isFailing { output.tell(fault) }
      isFailing = true
    }
    output.change { $0.failed(ticket) }
  }
}
