import AudioCapture
import CSndFile
import PCM
import Platform
import TestServers
import Testing

@Suite(.limited) struct PeriodConverterTests {
  /// The samples in the ring after `bytes` were pushed in periods of `size` frames.
  static func convert(
    _ bytes: [UInt8], _ format: SampleFormat, channels: Int, channel: Int? = nil,
    rate: Int = 16_000,
    periods size: Int
  ) -> [Int16] {
    let ring = SampleRing(capacity: 1 << 16)
    let converter = PeriodConverter(
      format: format, channels: channels, channel: channel, rate: rate, periodFrames: size)
    let frameBytes = format.bytes * channels
    let frames = bytes.count / frameBytes
    bytes.withUnsafeBytes {
      for start in stride(from: 0, to: frames, by: size) {
        converter.push($0.baseAddress! + start * frameBytes, frames: min(size, frames - start), to: ring)
      }
    }
    return [Int16](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
      count = ring.read(into: buffer.baseAddress!, capacity: 1 << 16).count
    }
  }

  /// `samples` stored as `format`, with the low bits that Int16 lacks zero.
  static func encode(_ samples: [Int16], _ format: SampleFormat) -> [UInt8] {
    samples.flatMap { sample -> [UInt8] in
      let word: UInt32 =
        switch format {
        case .signed24, .signed24In32: UInt32(truncatingIfNeeded: Int32(sample) << 8)
        case .signed32: UInt32(truncatingIfNeeded: Int32(sample) << 16)
        case .float32: (Float(sample) / 32_768).bitPattern
        default: UInt32(truncatingIfNeeded: sample)
        }
      return (0..<format.bytes).map { UInt8(truncatingIfNeeded: word >> (8 * UInt32($0))) }
    }
  }

  private static let deviceFormats: [SampleFormat] = [
    .signed16, .signed24, .signed24In32, .signed32, .float32,
  ]

  @Test(arguments: deviceFormats)
  func everyDeviceFormatIsBitExactAt16kHz(_ format: SampleFormat) {
    let noise = [.min, .max, 0, -1, 1] + TestAudio.noise(1000, seed: 20)
    let bytes = Self.encode(noise, format)
    for size in [1, 160, 441] {
      #expect(Self.convert(bytes, format, channels: 1, periods: size) == noise)
      let other = TestAudio.noise(noise.count, seed: 21)
      let stereo = Self.encode(zip(noise, other).flatMap { [$0, $1] }, format)
      #expect(Self.convert(stereo, format, channels: 2, channel: 0, periods: size) == noise)
      #expect(Self.convert(stereo, format, channels: 2, channel: 1, periods: size) == other)
      let mean = Self.convert(stereo, format, channels: 2, periods: size)
      #expect(zip(mean, zip(noise, other)).allSatisfy { abs(2 * Int($0) - Int($1.0) - Int($1.1)) <= 1 })
    }
  }

  @Test(arguments: [48_000, 44_100, 8_000])
  func aDeviceReturnsTheSamplesOfAFileWithTheSameSamples(rate: Int) throws {
    let folder = TestAudio.makeFolder()
    defer { TestAudio.remove(folder) }
    let noise = TestAudio.noise(20_000, seed: 22)
    try #require(
      TestAudio.write(noise, rate: rate, format: SF_FORMAT_WAV | SF_FORMAT_PCM_16, to: "\(folder)/noise.wav"))
    let file = try AudioFile.read("\(folder)/noise.wav")
    for size in [rate / 100, 1, 1024] {
      let live = Self.convert(
        Self.encode(noise, .signed16), .signed16, channels: 1, rate: rate, periods: size)
      // A device has no end of the stream: the resampler still holds the last 10 ms.
      #expect(live.count > file.count - 200 * 16_000 / min(rate, 16_000))
      #expect(live[...] == file.prefix(live.count))
    }
  }
}
