import AudioCapture
import CSndFile
import Glibc
import PCM
import Platform
import TestServers
import Testing

@Suite(.limited) struct PipeSourceTests {
  /// What a pipe source makes of `bytes` written by another thread in pieces of `size`.
  static func read(_ bytes: [UInt8], pieces size: Int, block: Int = 160) throws -> [Int16] {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    let writer = Writer(bytes: bytes, size: size, descriptor: ends[1])
    let thread = writer.start()
    defer { pthread_join(thread, nil) }
    let source = PipeSource(ends[0], closes: true)
    return try TestAudio.drain(source, block: block)
  }

  final class Writer: Sendable {
    let bytes: [UInt8]
    let size: Int
    /// Negative where the thread opens `path`, which waits for a reader.
    let descriptor: Int32
    let path: String

    init(bytes: [UInt8], size: Int, descriptor: Int32 = -1, path: String = "") {
      self.bytes = bytes
      self.size = size
      self.descriptor = descriptor
      self.path = path
    }

    func start() -> pthread_t {
      signal(SIGPIPE, SIG_IGN)
      var thread = pthread_t()
      pthread_create(
        &thread, nil,
        {
          let writer = Unmanaged<Writer>.fromOpaque($0!).takeRetainedValue()
          let sink = writer.descriptor >= 0 ? writer.descriptor : open(writer.path, O_WRONLY)
          for start in stride(from: 0, to: writer.bytes.count, by: writer.size) {
            let piece = writer.bytes[start..<min(start + writer.size, writer.bytes.count)]
            if !writeAll(Array(piece), to: sink) { break }
          }
          close(sink)
          return nil
        }, Unmanaged.passRetained(self).toOpaque())
      return thread
    }
  }

  static func bytes(_ samples: [Int16]) -> [UInt8] {
    samples.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
  }

  @Test func rawSamplesPassBitExactlyInPiecesOfAnySize() throws {
    let noise = TestAudio.noise(20_000, seed: 7)
    for size in [1, 3, 319, 320, 4097, 100_000] {
      #expect(try Self.read(Self.bytes(noise), pieces: size) == noise)
    }
    #expect(try Self.read(Self.bytes(noise) + [7], pieces: 1000, block: 999) == noise)
    #expect(try Self.read([], pieces: 1) == [])
    #expect(try Self.read(Array("RIFFraw".utf8), pieces: 1).count == 3)
  }

  @Test func wavStreamOfUnknownLengthPassesBitExactly() throws {
    let noise = TestAudio.noise(20_000, seed: 8)
    for length: [UInt8] in [[0, 0, 0, 0], [255, 255, 255, 255]] {
      let bytes = Array(WAVHeader(dataLength: nil).encoded()[..<40] + length) + Self.bytes(noise)
      for size in [1, 43, 45, 4096] { #expect(try Self.read(bytes, pieces: size) == noise) }
    }
  }

  @Test(arguments: [
    (SF_FORMAT_PCM_16, 48_000, 2), (SF_FORMAT_PCM_24, 44_100, 1), (SF_FORMAT_PCM_32, 8_000, 3),
    (SF_FORMAT_FLOAT, 96_000, 4), (SF_FORMAT_PCM_U8, 22_050, 1), (SF_FORMAT_PCM_16, 16_000, 2),
  ])
  func aWAVStreamReturnsTheSamplesOfTheFile(encoding: Int, rate: Int, channels: Int) throws {
    let folder = TestAudio.makeFolder()
    defer { TestAudio.remove(folder) }
    let path = "\(folder)/noise.wav"
    var random = RandomSource(seed: 9)
    let noise = (0..<(20_001 * channels)).map { _ in random.uniform(-1...1) }
    try #require(
      TestAudio.write(noise, rate: rate, channels: channels, format: SF_FORMAT_WAV | encoding, to: path))
    let file = try AudioFile.read(path)
    let bytes = try Files.read(path)
    for size in [7, 1000, 1_000_000] { #expect(try Self.read(bytes, pieces: size) == file) }
  }

  @Test func brokenStreamsAreBadData() throws {
    let header = WAVHeader(dataLength: 1000).encoded()
    for bytes in [header + [1, 2, 3], Array(header[..<30]), Array(header[..<20]) + [17] + header[21...]] {
      let fault = thrown(CaptureFault.self) { try Self.read(bytes, pieces: 1000) }
      #expect(fault?.exitCode == .badData)
      #expect(fault?.message.hasPrefix("standard input: ") == true)
    }
  }

  @Test func closeEndsAReadThatWaits() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    defer { close(ends[1]) }
    let source = try PacedSource(PipeSource(ends[0], closes: true))
    // The thread of the source most likely waits by now; it does not report that it does.
    usleep(50_000)
    let begin = MonotonicClock.now()
    source.close()
    #expect(try TestAudio.drain(source) == [])
    #expect(MonotonicClock.now() - begin < 1.5)
  }

  @Test func aReadWaitsForANonBlockingDescriptor() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    let noise = TestAudio.noise(3000, seed: 10)
    let thread = Writer(bytes: Self.bytes(noise), size: 100, descriptor: ends[1]).start()
    defer { pthread_join(thread, nil) }
    #expect(try TestAudio.drain(PipeSource(ends[0], closes: true)) == noise)
  }

  @Test func aReadReturnsWhileAPipeIsIdle() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    let reader = FrameReader(PipeSource(ends[0], closes: true))
    let frame = UnsafeMutableBufferPointer<Int16>.allocate(capacity: 160)
    defer { frame.deallocate() }
    let bytes = (0..<400).flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    #expect(writeAll(Array(bytes[..<501]), to: ends[1]))
    #expect(try reader.next(into: frame).count == 160)
    let start = MonotonicClock.now()
    #expect(try reader.next(into: frame) == AudioRead())
    #expect((0.5...3).contains(MonotonicClock.now() - start))
    // What came before the rest, half a sample too, is not lost.
    #expect(writeAll(Array(bytes[501...]), to: ends[1]))
    close(ends[1])
    #expect(try reader.next(into: frame).count == 160)
    #expect(Array(frame) == (160..<320).map { Int16($0) })
    let last = try reader.next(into: frame)
    #expect(last.count == 80 && last.isEnd)
    #expect(frame[79] == 399)
  }
}
