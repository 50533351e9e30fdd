/// How one sample is stored in bytes: little-endian, signed except for ``unsigned8``, full scale at ±1 for floats.
///
/// This is the only place that decodes samples: devices, files, pipes and network streams use it.
package enum SampleFormat: Sendable, Equatable, CaseIterable {
  case unsigned8
  case signed8
  case signed16
  case signed24
  /// 24 bits in the low bytes of four.
  case signed24In32
  case signed32
  case float32
  case float64

  /// Bytes of one sample.
  package var bytes: Int {
    switch self {
    case .unsigned8, .signed8: 1
    case .signed16: 2
    case .signed24: 3
    case .signed24In32, .signed32, .float32: 4
    case .float64: 8
    }
  }

  /// Decodes interleaved frames to one channel of −1…1: the mean of all channels, or one of them. Real-time safe.
  ///
  /// - Parameters:
  ///   - bytes: `frames` · `channels` samples, at any address.
  ///   - channel: the only channel to decode, counted from zero; nil for the mean.
  ///   - output: `frames` samples.
  @_noAllocation @_noLocks
  package func decode(
    _ bytes: UnsafeRawPointer, frames: Int, channels: Int, channel: Int? = nil,
    into output: UnsafeMutablePointer<Float>
  ) {
    let width = self.bytes
    var scale: Float = 1
    var first = 0
    var last = channels
    if let channel {
      first = channel
      last = channel &+ 1
    } else {
      scale = 1 / Float(channels)
    }
    var frame = 0
    var offset = 0
    while frame < frames {
      var sum: Float = 0
      var index = first
      while index < last {
        sum += sample(bytes, offset &+ index &* width)
        index &+= 1
      }
      output[frame] = sum * scale
      offset &+= channels &* width
      frame &+= 1
    }
  }

  /// Decodes samples to −1…1, the channels interleaved as they are, and appends them to `output`.
  ///
  /// An incomplete last sample is ignored.
  package func decode(_ bytes: UnsafeRawBufferPointer, appendingTo output: inout [Float]) {
    let count = bytes.count / self.bytes
    guard count > 0 else { return }
    output.append(
      contentsOf: [Float](unsafeUninitializedCapacity: count) { decoded, initialized in
        decode(bytes.baseAddress!, frames: count, channels: 1, into: decoded.baseAddress!)
        initialized = count
      })
  }

  /// Decodes 16-bit samples without going through Float and appends them to `output`.
  ///
  /// An odd last byte is ignored.
  package static func decode16(_ bytes: UnsafeRawBufferPointer, appendingTo output: inout [Int16]) {
    output.reserveCapacity(output.count + bytes.count / 2)
    for offset in stride(from: 0, to: bytes.count & ~1, by: 2) {
      output.append(bytes.loadUnaligned(fromByteOffset: offset, as: Int16.self))
    }
  }

  @inline(__always) @_noAllocation @_noLocks
  private func sample(_ bytes: UnsafeRawPointer, _ offset: Int) -> Float {
    switch self {
    case .unsigned8:
      return Float(Int32(bytes.load(fromByteOffset: offset, as: UInt8.self)) &- 128) * 0x1p-7
    case .signed8:
      return Float(bytes.load(fromByteOffset: offset, as: Int8.self)) * 0x1p-7
    case .signed16:
      return Float(bytes.loadUnaligned(fromByteOffset: offset, as: Int16.self)) * 0x1p-15
    case .signed24:
      let low = Int32(bytes.load(fromByteOffset: offset, as: UInt8.self))
      let middle = Int32(bytes.load(fromByteOffset: offset &+ 1, as: UInt8.self))
      let high = Int32(bytes.load(fromByteOffset: offset &+ 2, as: Int8.self))
      return Float(low | middle << 8 | high << 16) * 0x1p-23
    case .signed24In32:
      return Float(bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self) << 8) * 0x1p-31
    case .signed32:
      return Float(bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self)) * 0x1p-31
    case .float32:
      return bytes.loadUnaligned(fromByteOffset: offset, as: Float.self)
    case .float64:
      return Float(bytes.loadUnaligned(fromByteOffset: offset, as: Double.self))
    }
  }
}

extension WAVHeader.Encoding {
  /// How its samples are stored.
  package var format: SampleFormat {
    switch self {
    case .integer(8): .unsigned8
    case .integer(16): .signed16
    case .integer(24): .signed24
    case .integer: .signed32
    case .float(64): .float64
    case .float: .float32
    }
  }
}
