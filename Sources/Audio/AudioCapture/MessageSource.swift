import PCM
import Platform
import Synchronization

/// Samples that arrive as whole WAV messages, as from an audio server of Hermes.
///
/// One thread reads, any thread pushes. If messages arrive faster than they are read for a long time, the stream has a gap. After five
/// seconds without a message the sender counts as lost until the next one; the time between is a gap too.
public final class MessageSource: AudioSource, Sendable {
  private enum Message: Sendable {
    case wav([UInt8])
    case lost
    case end
  }

  /// Memory of the messages that can wait, in bytes: two minutes of usual ones. Further ones are dropped.
  package static let limit = 4 << 20

  /// Seconds without a message after which the sender counts as lost.
  private let longestQuiet: Double
  private let messages = JobQueue<Message>()
  private let waiting = Atomic<Int>(0)
  /// Messages dropped since the last one was read.
  private let dropped = Atomic<Int>(0)
  private let reader = Reader()

  /// The state of the reading thread.
  private final class Reader: @unchecked Sendable {
    var ready: [Int16] = []
    var start = 0
    var resampler: Resampler?
    var isOver = false
    /// Reported before the samples in `ready`.
    var gap = 0
    var events: DeviceEvents = []
    var isLost = false
    /// When the last message came.
    var lastTime = MonotonicClock.now()
  }

  public convenience init() { self.init(longestQuiet: 5) }

  package init(longestQuiet: Double) { self.longestQuiet = longestQuiet }

  /// Adds the next samples, with any encoding and channel count of ``WAVHeader``.
  ///
  /// - Throws: ``WAVFault`` if `wav` is not a WAV, or has less than 4,000 samples per second.
  public func push(wav: [UInt8]) throws(WAVFault) {
    guard let (header, _) = try WAVHeader.decode(wav) else { throw .noRIFF }
    guard header.sampleRate >= AudioFile.lowestRate else { throw .unsupportedRate(header.sampleRate) }
    guard waiting.load(ordering: .relaxed) < Self.limit else {
      dropped.add(1, ordering: .relaxed)
      return
    }
    waiting.add(Self.size(wav), ordering: .relaxed)
    messages.append(.wav(wav))
  }

  /// The memory of a message that waits, about.
  package static func size(_ wav: [UInt8]) -> Int { wav.count + 128 }

  /// Reports that the sender is gone; with the next message it is back.
  public func lose() { messages.append(.lost) }

  public func close() { messages.append(.end) }

  public func read(into frame: UnsafeMutableBufferPointer<Int16>) throws(CaptureFault) -> AudioRead {
    var read = AudioRead()
    while read.count < frame.count {
      if reader.gap > 0 || !reader.events.isEmpty {
        // Events are reported before the samples that follow them.
        guard read.count == 0 else { break }
        read.gap += reader.gap
        read.events.append(reader.events)
        reader.gap = 0
        reader.events = []
        if read.events.contains(.lost) { break }
      } else if reader.start < reader.ready.count {
        let part = min(frame.count - read.count, reader.ready.count - reader.start)
        for index in 0..<part { frame[read.count + index] = reader.ready[reader.start + index] }
        reader.start += part
        read.count += part
      } else if reader.isOver {
        read.isEnd = true
        break
      } else if !fetch() {
        break
      }
    }
    return read
  }

  /// Waits up to a second for the next message, and takes it.
  ///
  /// - Returns: false if none came, and that is no news.
  private func fetch() -> Bool {
    guard let message = messages.take(within: 1) else {
      guard MonotonicClock.now() - reader.lastTime > longestQuiet else { return false }
      return loseSender()
    }
    switch message {
    case .wav(let bytes):
      waiting.subtract(Self.size(bytes), ordering: .relaxed)
      reader.ready.removeAll(keepingCapacity: true)
      reader.start = 0
      decode(bytes)
      reader.gap += dropped.exchange(0, ordering: .relaxed) * reader.ready.count
      let now = MonotonicClock.now()
      if reader.isLost {
        reader.isLost = false
        reader.events.append(.recovered)
        reader.gap += max(0, AudioFormat.samples(now - reader.lastTime) - reader.ready.count)
      }
      reader.lastTime = now
    case .lost: _ = loseSender()
    case .end: reader.isOver = true
    }
    return true
  }

  /// - Returns: false if the sender is lost already.
  private func loseSender() -> Bool {
    guard !reader.isLost else { return false }
    reader.isLost = true
    reader.events.append(.lost)
    return true
  }

  private func decode(_ bytes: [UInt8]) {
    var decoder = WAVDecoder()
    var samples: [Float] = []
    guard (try? decoder.push(bytes[...], into: &samples)) != nil, let header = decoder.header else { return }
    if reader.resampler?.inputRate != header.sampleRate {
      reader.resampler = Resampler(from: header.sampleRate)
    }
    SampleConversion.mix(&samples, channels: header.channels)
    reader.resampler?.convert(samples, isEnd: false, appendingTo: &reader.ready)
  }
}
