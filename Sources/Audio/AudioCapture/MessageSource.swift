import PCM
import Platform
import Synchronization

/// Samples that someone else brings, a whole WAV at a time, as Hermes' audio server does.
///
/// One thread reads, any thread pushes. What is no WAV is dropped; where messages come faster than they are read for
/// long, the stream has a gap.
public final class MessageSource: AudioSource, Sendable {
  private enum Message: Sendable {
    case wav([UInt8])
    case event(DeviceEvents)
    case end
  }

  /// The most messages that wait; later ones are dropped.
  public static let limit = 500

  private let messages = JobQueue<Message>()
  private let waiting = Atomic<Int>(0)
  /// Messages that came when too many waited.
  private let dropped = Atomic<Int>(0)
  private let reader = Reader()

  /// What belongs to the thread that reads.
  private final class Reader: @unchecked Sendable {
    var ready: [Int16] = []
    var start = 0
    var resampler: Resampler?
    var isOver = false
    /// What is told before the samples that are ready.
    var gap = 0
    var events: DeviceEvents = []
  }

  public init() {}

  /// Brings the next samples; any rate, encoding and channel count of ``WAVHeader``.
  public func push(wav: [UInt8]) {
    guard waiting.load(ordering: .relaxed) < Self.limit else {
      dropped.add(1, ordering: .relaxed)
      return
    }
    waiting.add(1, ordering: .relaxed)
    messages.append(.wav(wav))
  }

  /// Tells that who brings the samples is gone.
  public func lose() { messages.append(.event(.lost)) }

  /// Tells that it is back.
  public func recover() { messages.append(.event(.recovered)) }

  public func close() { messages.append(.end) }

  public func read(into frame: UnsafeMutableBufferPointer<Int16>) throws(CaptureFault) -> AudioRead {
    var read = AudioRead()
    while read.count < frame.count {
      if reader.gap > 0 || !reader.events.isEmpty {
        // What happened is told before the samples behind it.
        guard read.count == 0 else { break }
        read.gap = reader.gap
        read.events = reader.events
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
      } else {
        fetch()
      }
    }
    return read
  }

  /// Takes the next message, waited for.
  private func fetch() {
    switch messages.take() {
    case .wav(let bytes):
      waiting.subtract(1, ordering: .relaxed)
      reader.ready.removeAll(keepingCapacity: true)
      reader.start = 0
      decode(bytes)
      reader.gap += dropped.exchange(0, ordering: .relaxed) * reader.ready.count
    case .event(let events): reader.events.formUnion(events)
    case .end: reader.isOver = true
    }
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
