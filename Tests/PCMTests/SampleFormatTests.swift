import PCM
import TestServers
import Testing

@Suite(.limited) struct SampleFormatTests {
  /// `value` of −1…1 in the format, little-endian.
  private static func encode(_ value: Double, _ format: SampleFormat) -> [UInt8] {
    let bits: UInt64 =
      switch format {
      case .unsigned8: UInt64(value * 128 + 128)
      case .signed8: UInt64(bitPattern: Int64(value * 0x1p7))
      case .signed16: UInt64(bitPattern: Int64(value * 0x1p15))
      case .signed24, .signed24In32: UInt64(bitPattern: Int64(value * 0x1p23))
      case .signed32: UInt64(bitPattern: Int64(value * 0x1p31))
      case .float32: UInt64(Float(value).bitPattern)
      case .float64: value.bitPattern
      }
    return (0..<format.bytes).map { UInt8(truncatingIfNeeded: bits >> (8 * UInt64($0))) }
  }

  private static func decode(
    _ bytes: [UInt8], _ format: SampleFormat, channels: Int = 1, channel: Int? = nil
  ) -> [Float] {
    let frames = bytes.count / (format.bytes * channels)
    return [Float](unsafeUninitializedCapacity: frames) { output, count in
      bytes.withUnsafeBytes {
        format.decode(
          $0.baseAddress!, frames: frames, channels: channels, channel: channel, into: output.baseAddress!)
      }
      count = frames
    }
  }

  private static let values = [-1, -0.5, -0.0078125, 0, 0.0078125, 0.25, 0.9921875]

  @Test(arguments: SampleFormat.allCases)
  func everyFormatIsDecodedExactly(_ format: SampleFormat) {
    let bytes = Self.values.flatMap { Self.encode($0, format) }
    #expect(Self.decode(bytes, format) == Self.values.map { Float($0) })
    var appended: [Float] = [7]
    // The bytes of an incomplete sample are ignored.
    let more = bytes + (format.bytes > 1 ? [1] : [])
    more.withUnsafeBytes { format.decode($0, appendingTo: &appended) }
    #expect(appended == [7] + Self.values.map { Float($0) })
  }

  @Test(arguments: SampleFormat.allCases)
  func oneChannelOrTheMeanOfAllIsKept(_ format: SampleFormat) {
    let bytes = Self.values.flatMap { Self.encode($0, format) + Self.encode(-0.5, format) }
    #expect(Self.decode(bytes, format, channels: 2, channel: 0) == Self.values.map { Float($0) })
    #expect(Self.decode(bytes, format, channels: 2, channel: 1) == Self.values.map { _ in -0.5 })
    #expect(Self.decode(bytes, format, channels: 2) == Self.values.map { Float($0 - 0.5) / 2 })
  }

  @Test func samplesAreReadAtAnyAddress() {
    let bytes = Self.values.flatMap { Self.encode($0, .signed32) }
    for shift in 0..<4 {
      var appended: [Float] = []
      ([UInt8](repeating: 9, count: shift) + bytes).withUnsafeBytes {
        SampleFormat.signed32.decode(UnsafeRawBufferPointer(rebasing: $0[shift...]), appendingTo: &appended)
      }
      #expect(appended == Self.values.map { Float($0) })
    }
  }

  @Test func sixteenBitSamplesStayIntegers() {
    var samples: [Int16] = [5]
    let bytes: [UInt8] = [0x00, 0x80, 0xFF, 0x7F, 0xFF, 0xFF, 0x01]
    bytes.withUnsafeBytes { SampleFormat.decode16($0, appendingTo: &samples) }
    #expect(samples == [5, .min, .max, -1])
  }

  @Test func floatsBecomeTheNearestInteger() {
    for value in [Int16.min, -1, 0, 1, .max] {
      #expect(SampleConversion.int16(Float(value) / 32_768) == value)
    }
    #expect(SampleConversion.int16(1.5) == .max)
    #expect(SampleConversion.int16(-1.5) == .min)
    #expect(SampleConversion.int16(.nan) == 0)
    #expect(SampleConversion.int16(0.5 / 32_768) == 0)
    #expect(SampleConversion.int16(1.5 / 32_768) == 2)
  }
}
