import AudioCapture
import PCM
import Platform

/// Converts a client's chunks to frames of 160 samples, 16 kHz mono. Chunks may end anywhere, even within a sample.
///
/// The same samples give the same frames as from a file. Samples of 8 bit are unsigned, as in WAV files, unless most of the
/// first 1,024 are near 0 and 255 rather than near 128: some programs send signed ones. One thread at a time uses it.
public final class ChunkConverter {
  public let shape: AudioShape
  private let resampler: Resampler
  /// Bytes that are not yet a whole frame of all channels, or too few to decide whether they are signed.
  private var pending: [UInt8] = []
  /// The value subtracted from a sample of 8 bit; nil until it is decided.
  private var bias: Int?
  private var mono: [Float] = []
  private var resampled = [Float](repeating: 0, count: 4_096)
  private let frame: UnsafeMutableBufferPointer<Int16>
  private var filled = 0

  /// The number of samples that decides whether samples of 8 bit are signed.
  private static let decidingSamples = 1_024

  public init(_ shape: AudioShape) {
    self.shape = shape
    resampler = Resampler(from: shape.rate)
    frame = .allocate(capacity: AudioFormat.frameLength)
    bias = shape.width == 1 ? nil : 0
  }

  deinit { frame.deallocate() }

  /// Converts the next bytes and calls `body` with each frame that they complete.
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

  /// Ends the stream: the last frame is padded with silence.
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

  /// Appends the whole frames of `bytes` to `mono` and returns the rest.
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
