import AudioCapture
import CSndFile
import Glibc
import PCM
import Platform
import TestServers
import Testing

@Suite(.limited) struct WAVDecoderTests {
  /// Feeds `bytes` in pieces of `size` and gives all samples.
  static func decode(_ bytes: [UInt8], pieces size: Int) throws -> (WAVDecoder, [Float]) {
    var decoder = WAVDecoder()
    var samples: [Float] = []
    for start in stride(from: 0, to: bytes.count, by: size) {
      try decoder.push(bytes[start..<min(start + size, bytes.count)], into: &samples)
    }
    return (decoder, samples)
  }

  /// Decodes byte by byte, whole and in pieces between, and checks that all agree.
  static func decodeEveryWay(_ bytes: [UInt8]) throws -> (WAVDecoder, [Float]) {
    let whole = try decode(bytes, pieces: max(1, bytes.count))
    for size in [1, 2, 3, 5, 7, 64, 4096] {
      let (decoder, samples) = try decode(bytes, pieces: size)
      #expect(samples.elementsEqual(whole.1) { $0.bitPattern == $1.bitPattern }, "pieces of \(size)")
      #expect(decoder.header == whole.0.header)
      #expect(decoder.isComplete == whole.0.isComplete)
      #expect(decoder.missingBytes == whole.0.missingBytes)
    }
    return whole
  }

  @Test(arguments: [
    SF_FORMAT_PCM_U8, SF_FORMAT_PCM_16, SF_FORMAT_PCM_24, SF_FORMAT_PCM_32, SF_FORMAT_FLOAT, SF_FORMAT_DOUBLE,
  ])
  func filesOfTheReferenceLibraryDecodeToItsSamples(encoding: Int) throws {
    let folder = TestAudio.makeFolder()
    defer { TestAudio.remove(folder) }
    for (container, channels) in [(SF_FORMAT_WAV, 1), (SF_FORMAT_WAVEX, 3), (SF_FORMAT_RF64, 2)] {
      let path = "\(folder)/sine.wav"
      let sine = TestAudio.sine(997, rate: 48_000, count: 999 * channels)
      try #require(
        TestAudio.write(sine, rate: 48_000, channels: channels, format: container | encoding, to: path))
      var reference = [Float](repeating: 0, count: sine.count)
      var info = SF_INFO()
      let file = try #require(sf_open(path, Int32(SFM_READ), &info))
      #expect(sf_readf_float(file, &reference, 999) == 999)
      sf_close(file)

      let (decoder, samples) = try Self.decodeEveryWay(try Files.read(path))

      #expect(samples == reference)
      #expect(decoder.header?.sampleRate == 48_000)
      #expect(decoder.header?.channels == channels)
      #expect(decoder.isComplete)
    }
  }

  @Test(arguments: [0, 0x7FFF_F000, 0x7FFF_FF00, 0xFFFF_FFFF])
  func lengthsOfStreamsMeanUnknown(length: Int) throws {
    var bytes = WAVHeader(dataLength: nil).encoded()
    for index in 0..<4 { bytes[40 + index] = UInt8(truncatingIfNeeded: length >> (8 * index)) }
    bytes += [0, 0x40, 0, 0xC0, 0xFF]
    let (decoder, samples) = try Self.decodeEveryWay(bytes)
    #expect(samples == [0.5, -0.5])
    #expect(decoder.header?.dataLength == nil)
    #expect(decoder.isComplete)
    #expect(decoder.missingBytes == 0)
  }

  @Test func chunksAroundTheSamplesAreSkipped() throws {
    let plain = WAVHeader(dataLength: 4).encoded()
    let odd = Array("LIST".utf8) + [3, 0, 0, 0, 1, 2, 3, 0]
    let parts: [ArraySlice<UInt8>] = [
      plain[..<36], odd[...], plain[36...], [0, 0x40, 0, 0xC0], odd[...], odd[...],
    ]
    #expect(try Self.decodeEveryWay(Array(parts.joined())).1 == [0.5, -0.5])
  }

  @Test func missingBytesAreCounted() throws {
    let bytes = WAVHeader(dataLength: 100).encoded() + [UInt8](repeating: 0, count: 31)
    let (decoder, samples) = try Self.decodeEveryWay(bytes)
    #expect(samples.count == 15)
    #expect(decoder.missingBytes == 69)
    #expect(!decoder.isComplete)
  }

  @Test func maliciousHeadersAreRejected() throws {
    let good = WAVHeader(dataLength: 4).encoded()
    func changed(_ offset: Int, _ values: [UInt8]) -> [UInt8] {
      var bytes = good
      for (index, value) in values.enumerated() { bytes[offset + index] = value }
      return bytes
    }
    let cases: [([UInt8], WAVFault)] = [
      (changed(0, [0]), .noRIFF), (changed(8, [0]), .noRIFF),
      (changed(16, [255, 255, 255, 255]), .badFormat),
      (changed(16, [4]), .badFormat), (changed(20, [17]), .unsupportedEncoding(tag: 17, bits: 16)),
      (changed(22, [0]), .unsupportedChannels(0)), (changed(22, [255, 255]), .unsupportedChannels(65_535)),
      (changed(24, [0, 0, 0, 0]), .unsupportedRate(0)), (changed(32, [3]), .badFormat),
      (changed(34, [12]), .unsupportedEncoding(tag: 1, bits: 12)),
      (Array(good[..<12] + good[36...]), .noFormatBeforeData),
    ]
    for (bytes, fault) in cases {
      #expect(throws: fault) { try Self.decode(bytes, pieces: 1) }
      #expect(throws: fault) { try Self.decode(bytes, pieces: bytes.count) }
    }
  }

  @Test func randomBytesNeverCrashTheDecoder() {
    var random = RandomSource(seed: 5)
    let good = WAVHeader(channels: 2, dataLength: 64).encoded() + [UInt8](repeating: 7, count: 64)
    for _ in 0..<20_000 {
      var bytes = good
      for _ in 0..<(1 + Int(random.next() % 4)) {
        bytes[12 + Int(random.next() % 32)] = UInt8(truncatingIfNeeded: random.next())
      }
      _ = try? Self.decode(bytes, pieces: 1 + Int(random.next() % 50))
    }
  }

  @Test func encodedHeaderDecodesToItself() throws {
    for header in [
      WAVHeader(dataLength: 320),
      WAVHeader(encoding: .float(bits: 32), channels: 4, sampleRate: 96_000, dataLength: nil),
      WAVHeader(encoding: .integer(bits: 24), channels: 64, sampleRate: 8000, dataLength: 192),
    ] {
      let bytes = header.encoded()
      let decoded = try #require(try WAVHeader.decode(bytes))
      #expect(decoded.header == header)
      #expect(decoded.offset == 44)
      for count in 0..<44 { #expect(try WAVHeader.decode(Array(bytes[..<count])) == nil) }
    }
  }
}
