import PCM
import Platform

/// One period after another from a device's frames to 16 kHz mono Int16, in memory allocated once.
package struct PeriodConverter: ~Copyable {
  /// How a device stores a sample; all little-endian.
  package enum Format: CaseIterable, Sendable {
    case s16
    case s32
    /// 24 bits in three bytes.
    case s24Packed
    /// 24 bits in the low bytes of four.
    case s24
    case float

    /// Bytes of one sample.
    package var bytes: Int {
      switch self {
      case .s16: 2
      case .s24Packed: 3
      case .s32, .s24, .float: 4
      }
    }
  }

  package let format: Format
  package let channels: Int
  /// The most frames in one call.
  package let periodFrames: Int
  private let channel: Int
  private let resampler: Resampler
  private let core: Resampler.Core
  private let mono: UnsafeMutablePointer<Float>
  private let resampled: UnsafeMutablePointer<Float>
  private let output: UnsafeMutablePointer<Int16>
  private let outputCapacity: Int

  /// - Parameter channel: the only channel to hear, counted from zero; nil for the mean of all.
  package init(format: Format, channels: Int, channel: Int?, rate: Int, periodFrames: Int) {
    self.format = format
    self.channels = channels
    self.channel = channel ?? -1
    self.periodFrames = periodFrames
    resampler = Resampler(from: rate)
    core = resampler.core
    outputCapacity = periodFrames * AudioFormat.sampleRate / rate + 64
    mono = .allocate(capacity: periodFrames)
    resampled = .allocate(capacity: outputCapacity)
    output = .allocate(capacity: outputCapacity)
  }

  deinit {
    mono.deallocate()
    resampled.deallocate()
    output.deallocate()
  }

  /// Converts `frames` interleaved frames and appends them to `ring`. Real-time safe.
  @_noAllocation @_noLocks
  package func push(_ bytes: UnsafeRawPointer, frames: Int, to ring: SampleRing) {
    mix(bytes, frames)
    var input = UnsafePointer(mono)
    var left = frames
    while true {
      let step = core.process(input, count: left, into: resampled, capacity: outputCapacity)
      SampleConversion.convert(resampled, count: step.produced, into: output)
      ring.write(output, count: step.produced)
      input += step.consumed
      left &-= step.consumed
      if left <= 0 || step.consumed == 0 && step.produced == 0 { return }
    }
  }

  /// Forgets what came before a gap. Real-time safe.
  @_noAllocation @_noLocks
  package func reset() { core.reset() }

  @_noAllocation @_noLocks
  private func mix(_ bytes: UnsafeRawPointer, _ frames: Int) {
    let width = format.bytes
    let scale = channel >= 0 ? 1 : 1 / Float(channels)
    let first = channel >= 0 ? channel : 0
    let last = channel >= 0 ? channel &+ 1 : channels
    var frame = 0
    var offset = 0
    while frame < frames {
      var sum: Float = 0
      var index = first
      while index < last {
        sum += sample(bytes, offset &+ index &* width)
        index &+= 1
      }
      mono[frame] = sum * scale
      offset &+= channels &* width
      frame &+= 1
    }
  }

  @inline(__always) @_noAllocation @_noLocks
  private func sample(_ bytes: UnsafeRawPointer, _ offset: Int) -> Float {
    switch format {
    case .s16:
      return Float(bytes.loadUnaligned(fromByteOffset: offset, as: Int16.self)) * 0x1p-15
    case .s32:
      return Float(bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self)) * 0x1p-31
    case .s24:
      return Float(bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self) << 8) * 0x1p-31
    case .s24Packed:
      let low = Int32(bytes.load(fromByteOffset: offset, as: UInt8.self))
      let middle = Int32(bytes.load(fromByteOffset: offset &+ 1, as: UInt8.self))
      let high = Int32(bytes.load(fromByteOffset: offset &+ 2, as: Int8.self))
      return Float(low | middle << 8 | high << 16) * 0x1p-23
    case .float:
      return bytes.loadUnaligned(fromByteOffset: offset, as: Float.self)
    }
  }
}
