import AudioCapture
import PCM
import Platform

/// A client's chunks as frames of 160 samples of 16 kHz mono, wherever the chunks are cut, within samples too.
///
/// The same samples give the same frames as from a file. Bytes of 8 bit are unsigned, as in WAV files, unless most of the first
/// 1,024 samples are near 0 and 255 rather than near 128: some programs send them signed. One thread at a time.
public final class ChunkConverter {
  public let shape: AudioShape
  private let resampler: Resampler
  /// Bytes that are no whole frame of all channels yet, or do not tell yet whether they are signed.
  private var pending: [UInt8] = []
  /// What is taken from a byte of 8 bit; nil until it is known.
  private var bias: Int?
  private var mono: [Float] = []
  private var resampled = [Float](repeating: 0, count: 4_096)
  private let frame: UnsafeMutableBufferPointer<Int16>
  private var filled = 0

  /// Samples that tell whether bytes are signed.
  private static let decidingSamples = 1_024

  public init(_ shape: AudioShape) {
    self.shape = shape
    resampler = Resampler(from: shape.rate)
    frame = .allocate(capacity: AudioFormat.frameLength)
    bias = shape.width == 1 ? nil : 0
  }

  deinit { frame.deallocate() }

  /// Takes the next bytes and hands over the frames that are full with them.
  public func push(_ bytes: ArraySlice<UInt8>, _ body: (UnsafeBufferPointer<Int16>) -> Void) {
    if pending.isEmpty, bias != nil {
      pending = Array(decode(bytes))
    } else {
      pending += bytes
      if bias == nil {
        guard pending.count >= Self.decidingSamples else { return }
        decideBias()
      }
      pending = Array(decode(pending[...]))
    }
    resample(isEnd: false, body)
  }

  /// Ends the stream: the last frame is filled up with silence.
  public func finish(_ body: (UnsafeBufferPointer<Int16>) -> Void) {
    if bias == nil {
      decideBias()
      _ = decode(pending[...])
    }
    resample(isEnd: true, body)
    guard filled > 0 else { return }
    for index in filled..<frame.count { frame[index] = 0 }
    filled = 0
    body(UnsafeBufferPointer(frame))
  }

  private func decideBias() {
    let nearMiddle = pending.prefix(Self.decidingSamples).count { (0x40..<0xC0).contains($0) }
    bias = 2 * nearMiddle >= min(pending.count, Self.decidingSamples) ? 128 : 0
  }

  /// Appends the whole frames of `bytes` to `mono`; returns the rest.
  private func decode(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let frames = bytes.count / shape.bytesPerFrame
    guard frames > 0 else { return bytes }
    let decoded = [Float](unsafeUninitializedCapacity: frames) { decoded, count in
      bytes.withUnsafeBytes {
        format.decode($0.baseAddress!, frames: frames, channels: shape.channels, into: decoded.baseAddress!)
      }
      count = frames
    }
    mono += decoded
    return bytes.dropFirst(frames * shape.bytesPerFrame)
  }

  private var format: SampleFormat {
    switch shape.width {
    case 1: bias == 0 ? .signed8 : .unsigned8
    case 2: .signed16
    case 3: .signed24
    default: .signed32
    }
  }

  private func resample(isEnd: Bool, _ body: (UnsafeBufferPointer<Int16>) -> Void) {
    var taken = 0
    while true {
      let step = mono.withUnsafeBufferPointer { input in
        resampled.withUnsafeMutableBufferPointer { output in
          let start = input.baseAddress ?? UnsafePointer(output.baseAddress!)
          return resampler.process(
            start + taken, count: input.count - taken, isEnd: isEnd, into: output.baseAddress!,
            capacity: output.count)
        }
      }
      taken += step.consumed
      for index in 0..<step.produced {
        frame[filled] = SampleConversion.int16(resampled[index])
        filled += 1
        if filled == frame.count {
          filled = 0
          body(UnsafeBufferPointer(frame))
        }
      }
      if step.produced == 0, step.consumed == 0 || taken == mono.count { break }
      if !isEnd, taken == mono.count, step.produced < resampled.count { break }
    }
    mono.removeAll(keepingCapacity: true)
  }
}
