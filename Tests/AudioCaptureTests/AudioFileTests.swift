import AudioCapture
import CSndFile
import Glibc
import Platform
import TestServers
import Testing

@Suite(.limited) struct AudioFileTests {
  @Test func aFileOfUnknownLengthIsTruncated() throws {
    let unknown = [UInt8](repeating: 0xFF, count: 4)
    let format: [UInt8] = [16, 0, 0, 0, 1, 0, 1, 0, 0x80, 0x3E, 0, 0, 0, 0x7D, 0, 0, 2, 0, 16, 0]
    let sizes = [UInt8](repeating: 0xFF, count: 24) + [0, 0, 0, 0]
    let head = Array("RF64".utf8) + unknown + Array("WAVEds64".utf8) + [28, 0, 0, 0] + sizes
    let bytes =
      head + Array("fmt ".utf8) + format + Array("data".utf8) + unknown + [UInt8](repeating: 0, count: 32_000)
    let path = PythonServer.temporaryFolder() + "/unknown.wav"
    try Files.write(bytes, to: path)
    #expect { _ = try AudioFile.read(path) } throws: { fault in
      if case .truncated? = fault as? CaptureFault { true } else { false }
    }
  }

  struct Sample: Sendable, CustomStringConvertible {
    let description: String
    let format: Int
    let rate: Int
    let channels: Int
    /// The most that level may be off, in decibels.
    var level = 0.02
    /// The most that the rest besides the sine may be, as RMS with full scale at 1.
    var residual = 3e-5
    var exactLength = true

    /// Samples of a channel.
    var sineLength: Int { rate + 37 }
  }

  static let samples = [
    Sample(description: "WAV 48 kHz", format: SF_FORMAT_WAV | SF_FORMAT_PCM_16, rate: 48_000, channels: 1),
    Sample(
      description: "WAV 44.1 kHz", format: SF_FORMAT_WAV | SF_FORMAT_PCM_24, rate: 44_100, channels: 2),
    Sample(description: "WAV 8 kHz", format: SF_FORMAT_WAV | SF_FORMAT_PCM_16, rate: 8_000, channels: 1),
    Sample(
      description: "WAV 22.05 kHz six channels", format: SF_FORMAT_WAVEX | SF_FORMAT_FLOAT, rate: 22_050,
      channels: 6),
    Sample(
      description: "WAV 96 kHz double", format: SF_FORMAT_WAV | SF_FORMAT_DOUBLE, rate: 96_000, channels: 1),
    Sample(
      description: "FLAC 44.1 kHz", format: SF_FORMAT_FLAC | SF_FORMAT_PCM_16, rate: 44_100, channels: 1),
    Sample(
      description: "AIFF 11.025 kHz", format: SF_FORMAT_AIFF | SF_FORMAT_PCM_16, rate: 11_025, channels: 2),
    Sample(
      description: "AU 16 kHz stereo", format: SF_FORMAT_AU | SF_FORMAT_PCM_16, rate: 16_000, channels: 2),
    Sample(description: "CAF 32 kHz", format: SF_FORMAT_CAF | SF_FORMAT_PCM_32, rate: 32_000, channels: 1),
    Sample(description: "W64 192 kHz", format: SF_FORMAT_W64 | SF_FORMAT_PCM_24, rate: 192_000, channels: 1),
    Sample(
      description: "Vorbis 44.1 kHz", format: SF_FORMAT_OGG | SF_FORMAT_VORBIS, rate: 44_100, channels: 2,
      level: 0.3, residual: 0.02),
    Sample(
      description: "Opus 48 kHz", format: SF_FORMAT_OGG | SF_FORMAT_OPUS, rate: 48_000, channels: 1,
      level: 0.5,
      residual: 0.02),
    Sample(
      description: "MP3 44.1 kHz", format: SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III, rate: 44_100,
      channels: 1,
      level: 0.5, residual: 0.02, exactLength: false),
  ]

  /// Writes a sine of 1 kHz, the same in all channels; returns the file's path.
  private static func writeSine(_ sample: Sample, in folder: String) throws -> String {
    let mono = TestAudio.sine(1000, rate: sample.rate, count: sample.sineLength)
    let interleaved = mono.flatMap { Array(repeating: $0, count: sample.channels) }
    let path = "\(folder)/sine"
    try #require(
      TestAudio.write(
        interleaved, rate: sample.rate, channels: sample.channels, format: sample.format, to: path))
    return path
  }

  @Test(arguments: samples)
  func sineKeepsLevelTimeAndLengthInEveryFormat(_ sample: Sample) throws {
    let folder = TestAudio.makeFolder()
    defer { TestAudio.remove(folder) }
    let read = try AudioFile.read(Self.writeSine(sample, in: folder))

    let length = Int((Double(sample.sineLength) * 16_000 / Double(sample.rate)).rounded())
    if sample.exactLength {
      #expect(read.count == length)
    } else {
      #expect(abs(read.count - length) <= 1600)
    }
    let middle = TestAudio.fit(read[2000..<14_000], frequency: 1000)
    #expect(abs(20 * log10(middle.amplitude / 0.5)) < sample.level)
    #expect(middle.residual < sample.residual)
    // 0.002 rad of 1 kHz is 0.3 µs; MP3 encoders shift by parts of a sample.
    if sample.exactLength { #expect(abs(middle.phase) < (sample.residual > 1e-3 ? 0.05 : 0.002)) }
  }

  /// FLAC, Ogg and MP3 among them: what a server sends to a satellite.
  @Test(arguments: samples)
  func aFileInMemoryHasTheSamplesOfTheSameFileOnDisk(_ sample: Sample) throws {
    let folder = TestAudio.makeFolder()
    defer { TestAudio.remove(folder) }
    let path = try Self.writeSine(sample, in: folder)
    let bytes = try Files.read(path)

    let read = try AudioFile.read(path)
    let decoded = try AudioFile.decode(bytes, name: "server", limit: read.count)
    #expect(decoded.count == read.count)
    // WAV is decoded here, the other formats by libsndfile.
    #expect(zip(decoded, read).allSatisfy { abs(Int($0) - Int($1)) <= 1 })

    let seconds = (read.count - 1) / 16_000
    #expect(throws: CaptureFault.notAudio(path: "server", reason: "more than \(seconds) s")) {
      try AudioFile.decode(bytes, name: "server", limit: read.count - 1)
    }
    #expect(throws: CaptureFault.self) {
      try AudioFile.decode([0] + bytes.prefix(2_000), name: "server", limit: read.count)
    }
  }

  @Test(arguments: [
    SF_FORMAT_WAV | SF_FORMAT_PCM_16, SF_FORMAT_WAVEX | SF_FORMAT_PCM_16, SF_FORMAT_FLAC | SF_FORMAT_PCM_16,
    SF_FORMAT_AIFF | SF_FORMAT_PCM_16, SF_FORMAT_AU | SF_FORMAT_PCM_16, SF_FORMAT_RF64 | SF_FORMAT_PCM_16,
  ])
  func sixteenBitMonoAt16kHzIsBitExact(format: Int) throws {
    let folder = TestAudio.makeFolder()
    defer { TestAudio.remove(folder) }
    let noise = [.min, .max, 0, -1, 1] + TestAudio.noise(20_003, seed: 1)
    try #require(TestAudio.write(noise, rate: 16_000, format: format, to: "\(folder)/noise"))
    #expect(try AudioFile.read("\(folder)/noise") == noise)
  }

  @Test func writtenFileIsReadBackBitExactly() throws {
    let folder = TestAudio.makeFolder()
    defer { TestAudio.remove(folder) }
    let noise = TestAudio.noise(12_345, seed: 2)
    try AudioFile.write(noise, to: "\(folder)/noise.wav")
    #expect(try AudioFile.read("\(folder)/noise.wav") == noise)
    #expect(try Files.list(below: folder) == ["\(folder)/noise.wav"])
  }

  @Test func channelsAreReadOneByOneOrAsTheirMean() throws {
    let folder = TestAudio.makeFolder()
    defer { TestAudio.remove(folder) }
    let frames: [Float] = (0..<1600).flatMap { [Float($0) / 32_768, -0.25, Float(2 * $0) / 32_768] }
    let path = "\(folder)/three.wav"
    try #require(
      TestAudio.write(frames, rate: 16_000, channels: 3, format: SF_FORMAT_WAV | SF_FORMAT_PCM_16, to: path))
    let channels = try AudioFile.channels(path)
    #expect(channels.count == 3)
    #expect(channels[0] == (0..<1600).map { Int16($0) })
    #expect(channels[1] == Array(repeating: -8192, count: 1600))
    let mean = try AudioFile.read(path)
    #expect((0..<1600).allSatisfy { abs(Double(mean[$0]) - (Double(3 * $0) - 8192) / 3) <= 0.5 })
  }

  @Test func missingChannelIsRefused() throws {
    let folder = TestAudio.makeFolder()
    defer { TestAudio.remove(folder) }
    let path = "\(folder)/noise.wav"
    try AudioFile.write(TestAudio.noise(100, seed: 4), to: path)
    for channel in [-1, 1] {
      let fault = CaptureFault.noSuchChannel(path: path, channel: channel, channels: 1)
      #expect(throws: fault) { try FileSource(path, channel: channel) }
    }
    let only = try TestAudio.drain(FileSource(path, channel: 0))
    #expect(try only == AudioFile.read(path))
  }

  @Test func loudFloatSamplesAreClippedAndNaNIsSilence() throws {
    let folder = TestAudio.makeFolder()
    defer { TestAudio.remove(folder) }
    let path = "\(folder)/loud.wav"
    let loud: [Float] = [2, -2, .infinity, -.infinity, .nan, 1, -1, 0.5]
    try #require(TestAudio.write(loud, rate: 16_000, format: SF_FORMAT_WAV | SF_FORMAT_FLOAT, to: path))
    #expect(try AudioFile.read(path) == [32_767, -32_768, 32_767, -32_768, 0, 32_767, -32_768, 16_384])
  }

  @Test func aSourceReturnsTheSameSamplesInBlocksOfAnySize() throws {
    let folder = TestAudio.makeFolder()
    defer { TestAudio.remove(folder) }
    let path = "\(folder)/sine.wav"
    let sine = TestAudio.sine(440, rate: 44_100, count: 30_000)
    try #require(TestAudio.write(sine, rate: 44_100, format: SF_FORMAT_WAV | SF_FORMAT_FLOAT, to: path))
    let whole = try AudioFile.read(path)
    for block in [1, 7, 160, 1000, 20_000] {
      #expect(try TestAudio.drain(FileSource(path), block: block) == whole)
    }
  }

  @Test func faultsNameTheFileAndCarryTheExitCode() throws {
    let folder = TestAudio.makeFolder()
    defer { TestAudio.remove(folder) }
    let noise = TestAudio.noise(16_000, seed: 3)
    try Files.write([], to: "\(folder)/empty.wav")
    try Files.write(Array("this is a letter, not a sound\n".utf8), to: "\(folder)/letter.wav")
    try AudioFile.write([], to: "\(folder)/silent.wav")
    try AudioFile.write(noise, to: "\(folder)/whole.wav")
    var truncated: [String] = []
    for (name, format) in [
      ("wav", SF_FORMAT_WAV | SF_FORMAT_PCM_16), ("flac", SF_FORMAT_FLAC | SF_FORMAT_PCM_16),
      ("opus", SF_FORMAT_OGG | SF_FORMAT_OPUS), ("ogg", SF_FORMAT_OGG | SF_FORMAT_VORBIS),
      ("aiff", SF_FORMAT_AIFF | SF_FORMAT_PCM_16), ("rf64", SF_FORMAT_RF64 | SF_FORMAT_PCM_16),
    ] {
      let path = "\(folder)/truncated.\(name)"
      try #require(TestAudio.write(noise, rate: 16_000, format: format, to: path))
      #expect(throws: Never.self) { try AudioFile.read(path) }
      let bytes = try Files.read(path)
      for part in [bytes.count - 1, bytes.count / 2, 30] {
        try Files.write(Array(bytes[..<part]), to: "\(path).\(part)")
        truncated.append("\(path).\(part)")
      }
    }
    let expected: [(String, ExitCode)] =
      [
        ("\(folder)/nothing.wav", .noInput), ("\(folder)/whole.wav/below", .noInput), (folder, .badData),
        ("\(folder)/empty.wav", .badData), ("\(folder)/letter.wav", .badData),
        ("\(folder)/silent.wav", .badData),
      ] + truncated.map { ($0, .badData) }
    for (path, code) in expected {
      let fault = thrown(CaptureFault.self, "\(path)") { try AudioFile.read(path) }
      #expect(fault?.exitCode == code, "\(path)")
      #expect(fault?.message.hasPrefix("\(path): ") == true)
      #expect(fault?.message.contains("\n") == false)
    }
  }

  @Test(.enabled(if: TestAudio.recordings != nil, "no recordings on this machine"))
  func opusRecordingHasTheLengthOfItsGranules() throws {
    // Two clips of each folder: the last page's granule position less the pre-skip, at 48 kHz (RFC 7845).
    for word in ["alexa", "computer", "jarvis", "smart_mirror"] {
      for path in try Files.list(below: "\(TestAudio.recordings!)/keywords/\(word)").prefix(2) {
        let bytes = try Files.read(path)
        let page = (0..<(bytes.count - 14)).last { bytes[$0...].starts(with: "OggS".utf8) }!
        let granule = (0..<8).reduce(0) { $0 | Int(bytes[page + 6 + $1]) << (8 * $1) }
        let head = (0..<100).first { bytes[$0...].starts(with: "OpusHead".utf8) }!
        let skipped = Int(bytes[head + 10]) | Int(bytes[head + 11]) << 8
        let samples = try AudioFile.read(path)
        #expect(abs(samples.count - (granule - skipped) / 3) <= 1, "\(path)")
        #expect(samples.contains { abs(Int($0)) > 500 }, "\(path)")
      }
    }
  }
}
