import Glibc
import PCM
import Platform
import Synchronization

/// Samples from a file descriptor: raw s16le at 16 kHz mono, or a RIFF/WAVE stream, recognized by its first bytes.
///
/// A WAVE stream may have any rate, channel count and encoding of ``WAVHeader``; its samples equal those of a file with
/// the same bytes. An odd last byte of a raw stream is dropped.
public final class PipeSource: AudioSource {
  private enum Kind {
    case unknown
    case raw
    case wave(WAVDecoder, Resampler?)
  }

  private let closing = Atomic<Bool>(false)

  private static let blockBytes = 16_384

  private let descriptor: Int32
  private let closes: Bool
  private let name: String
  private let channel: Int?
  private var kind = Kind.unknown
  /// Bytes before the kind is known, or half a raw sample.
  private var pending: [UInt8] = []
  private var ready: [Int16] = []
  private var readyStart = 0
  private var inputEnded = false
  private var wasClosed = false
  /// Thrown after the samples before it have been returned.
  private var failure: CaptureFault?

  /// Reads from an open descriptor.
  ///
  /// - Parameters:
  ///   - descriptor: blocking or not; it must stay open.
  ///   - closes: whether ``deinit`` closes it.
  ///   - name: the stream's name in faults.
  ///   - channel: the only channel of a WAV stream to use, counted from zero; nil for the mean of all.
  public init(
    _ descriptor: Int32, closes: Bool = false, name: String = "standard input", channel: Int? = nil
  ) {
    self.descriptor = descriptor
    self.closes = closes
    self.name = name
    self.channel = channel
  }

  deinit {
    if closes { Glibc.close(descriptor) }
  }

  public func read(into frame: UnsafeMutableBufferPointer<Int16>) throws(CaptureFault) -> AudioRead {
    var count = 0
    while count < frame.count {
      if readyStart < ready.count {
        let part = min(frame.count - count, ready.count - readyStart)
        for index in 0..<part { frame[count + index] = ready[readyStart + index] }
        readyStart += part
        count += part
        continue
      }
      if let failure {
        guard count > 0 else { throw failure }
        return AudioRead(count: count)
      }
      if inputEnded { return AudioRead(count: count, isEnd: true) }
      ready.removeAll(keepingCapacity: true)
      readyStart = 0
      do {
        guard try fill() else { break }
      } catch {
        failure = error
      }
    }
    return AudioRead(count: count)
  }

  public func close() { closing.store(true, ordering: .relaxed) }

  /// Reads the next bytes and decodes them.
  ///
  /// - Returns: false if none came in time.
  private func fill() throws(CaptureFault) -> Bool {
    var bytes = pending
    let start = bytes.count
    bytes.append(contentsOf: repeatElement(0, count: Self.blockBytes))
    guard let got = try receive(&bytes, at: start) else { return false }
    pending.removeAll(keepingCapacity: true)
    bytes.removeSubrange((start + got)...)
    inputEnded = got == 0
    if case .unknown = kind { decideKind(bytes) }
    switch kind {
    case .unknown:
      pending = bytes
    case .raw:
      takeRaw(bytes)
    case .wave(var decoder, var resampler):
      var samples: [Float] = []
      do {
        try decoder.push(bytes[...], into: &samples)
      } catch {
        throw .notAudio(path: name, reason: error.reason)
      }
      if resampler == nil { resampler = decoder.header.map { Resampler(from: $0.sampleRate) } }
      kind = .wave(decoder, resampler)
      try takeWave(&samples, decoder, resampler)
    }
    return true
  }

  /// Sets the kind of the stream if there are enough bytes: raw samples do not begin with "RIFF" and "WAVE".
  private func decideKind(_ bytes: [UInt8]) {
    let isRIFF = bytes.prefix(4).elementsEqual("RIFF".utf8.prefix(bytes.count))
    let isRF64 = bytes.prefix(4).elementsEqual("RF64".utf8.prefix(bytes.count))
    if !isRIFF && !isRF64 {
      kind = .raw
    } else if bytes.count >= 12 {
      kind = bytes[8..<12].elementsEqual("WAVE".utf8) ? .wave(WAVDecoder(), nil) : .raw
    } else if inputEnded {
      kind = .raw
    }
  }

  private func takeRaw(_ bytes: [UInt8]) {
    let whole = bytes.count & ~1
    bytes.withUnsafeBytes { SampleFormat.decode16($0, appendingTo: &ready) }
    pending = Array(bytes[whole...])
  }

  private func takeWave(
    _ samples: inout [Float], _ decoder: WAVDecoder, _ resampler: Resampler?
  ) throws(CaptureFault) {
    guard let header = decoder.header, let resampler else {
      if inputEnded, !wasClosed { throw .truncated(path: name, reason: "it ends in its header") }
      return
    }
    if let channel, !(0..<header.channels).contains(channel) {
      throw .noSuchChannel(path: name, channel: channel, channels: header.channels)
    }
    SampleConversion.mix(&samples, channels: header.channels, channel: channel)
    resampler.convert(samples, isEnd: inputEnded, appendingTo: &ready)
    if inputEnded, !wasClosed, decoder.missingBytes > 0, let length = header.dataLength {
      throw .truncated(
        path: name, reason: "\(decoder.missingBytes) of \(length) bytes of samples are missing")
    }
  }

  /// Milliseconds between two checks for ``close()``.
  private static let waitMilliseconds: Int32 = 100

  /// Reads at least one byte into `bytes` from `start`.
  ///
  /// - Returns: the number of bytes read; 0 at the end; nil after a second without bytes.
  private func receive(_ bytes: inout [UInt8], at start: Int) throws(CaptureFault) -> Int? {
    let deadline = MonotonicClock.now() + CaptureThread.readTimeout
    while !closing.load(ordering: .relaxed) {
      var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      if poll(&polled, 1, Self.waitMilliseconds) == 0 {
        if MonotonicClock.now() >= deadline { return nil }
        continue
      }
      let got = bytes.withUnsafeMutableBytes {
        Glibc.read(descriptor, $0.baseAddress! + start, $0.count - start)
      }
      if got >= 0 { return got }
      guard errno == EINTR || errno == EAGAIN else { throw .cannotRead(path: name, code: errno) }
    }
    wasClosed = true
    return 0
  }
}
