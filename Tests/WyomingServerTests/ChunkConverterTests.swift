import AudioCapture
import Networking
import PCM
import Platform
import TestServers
import Testing
import WyomingServer

@Suite(.limited) struct ChunkConverterTests {
  private static func shape(_ rate: Int, _ width: Int, _ channels: Int) throws -> AudioShape {
    let members = [("rate", rate), ("width", width), ("channels", channels)].map {
      JSON.Member($0.0, .number(Double($0.1)))
    }
    return try #require(AudioShape(WyomingEvent("audio-start", members), or: .standard))
  }

  /// Pseudorandom noise at a third of full scale, as bytes of `width`.
  private static func bytes(_ count: Int, width: Int, signed: Bool = false) -> [UInt8] {
    var random = RandomSource(seed: 5)
    return (0..<count).flatMap { _ -> [UInt8] in
      let sample = Int(random.next() % 700_000_000) - 350_000_000
      let shifted = sample >> (8 * (4 - width)) + (width == 1 && !signed ? 128 : 0)
      return (0..<width).map { UInt8(truncatingIfNeeded: shifted >> (8 * $0)) }
    }
  }

  private static func frames(_ pieces: [ArraySlice<UInt8>], _ shape: AudioShape) -> [Int16] {
    let converter = ChunkConverter(shape)
    var samples: [Int16] = []
    for piece in pieces { converter.push(piece) { samples += $0 } }
    converter.finish { samples += $0 }
    return samples
  }

  private static func cut(_ bytes: [UInt8], _ size: Int) -> [ArraySlice<UInt8>] {
    stride(from: 0, to: bytes.count, by: size).map { bytes[$0..<min($0 + size, bytes.count)] }
  }

  @Test(arguments: [8_000, 11_025, 16_000, 22_050, 44_100, 48_000, 96_000, 12_345], [1, 2, 3, 4])
  func theSamplesEqualThoseOfAFileWhateverTheChunks(_ rate: Int, _ width: Int) throws {
    for channels in [1, 2] {
      let shape = try Self.shape(rate, width, channels)
      let bytes = Self.bytes(rate / 4 * channels + channels, width: width)
      let whole = Self.frames([bytes[...]], shape)
      for size in [1, 7, 641, 4_096] { #expect(Self.frames(Self.cut(bytes, size), shape) == whole) }
      let path = "\(PythonServer.temporaryFolder())/a.wav"
      let encoded = WAVHeader(
        encoding: .integer(bits: 8 * width), channels: channels, sampleRate: rate, dataLength: bytes.count
      ).encoded()
      try Files.write(encoded + bytes, to: path)
      let file = try AudioFile.read(path)
      #expect(
        whole.count % AudioFormat.frameLength == 0 && whole.count - file.count < AudioFormat.frameLength)
      #expect(Array(whole.prefix(file.count)) == file, "\(rate) Hz, \(8 * width) bit, \(channels)")
    }
  }

  @Test func signedAndUnsignedSamplesAreDistinguished() throws {
    let shape = try Self.shape(16_000, 1, 1)
    let unsigned = Self.frames([Self.bytes(4_000, width: 1)[...]], shape)
    let signed = Self.bytes(4_000, width: 1, signed: true)
    #expect(Self.frames([signed[...]], shape) == unsigned)
    #expect(Self.frames(Self.cut(signed, 3), shape) == unsigned)
    #expect(Self.frames([signed[..<100]], shape) == Self.frames([Self.bytes(4_000, width: 1)[..<100]], shape))
    #expect(Self.frames([[UInt8](repeating: 0, count: 2_000)[...]], shape).allSatisfy { $0 == 0 })
    #expect(Self.frames([[UInt8](repeating: 128, count: 2_000)[...]], shape).allSatisfy { $0 == 0 })
  }

  @Test func lessThanASampleGivesNoFrame() throws {
    #expect(Self.frames([], .standard).isEmpty)
    #expect(Self.frames([[1]], .standard).isEmpty)
    #expect(Self.frames([[1], [], [2]], .standard).first == 0x201)
  }
}
