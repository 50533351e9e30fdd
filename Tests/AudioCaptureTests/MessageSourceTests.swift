import AudioCapture
import PCM
import Platform
import TestServers
import Testing

@Suite(.limited) struct MessageSourceTests {
  private let tone = (0..<4_800).map { Int16(truncatingIfNeeded: ($0 * 37) % 2_000 - 1_000) }

  private func wav(_ samples: some Sequence<Int16>, rate: Int = 16_000, channels: Int = 1) -> [UInt8] {
    let bytes = samples.flatMap { sample in
      (0..<channels).flatMap { _ in
        [UInt8(truncatingIfNeeded: sample), UInt8(truncatingIfNeeded: sample >> 8)]
      }
    }
    return WAVHeader(channels: channels, sampleRate: rate, dataLength: bytes.count).encoded() + bytes
  }

  /// All that comes until the end, in reads of `size`.
  private func drain(_ source: MessageSource, size: Int = 160) throws -> (
    samples: [Int16], reads: [AudioRead]
  ) {
    let frame = UnsafeMutableBufferPointer<Int16>.allocate(capacity: size)
    defer { frame.deallocate() }
    var samples: [Int16] = []
    var reads: [AudioRead] = []
    repeat {
      let read = try source.read(into: frame)
      samples += frame.prefix(read.count)
      reads.append(read)
    } while !(reads.last?.isEnd ?? true)
    return (samples, reads)
  }

  @Test(arguments: [1, 160, 512, 4_800]) func messagesOfAnySizeAreOneStream(_ size: Int) throws {
    for channels in [1, 2] {
      let source = MessageSource()
      for start in stride(from: 0, to: 480, by: min(size, 480)) {
        try source.push(wav: wav(tone[start..<min(start + size, 480)], channels: channels))
      }
      source.close()
      #expect(try drain(source).samples == Array(tone.prefix(480)))
    }
  }

  @Test func anotherSampleRateIsOneStreamToo() throws {
    let whole = MessageSource()
    try whole.push(wav: wav(tone, rate: 48_000))
    let parts = MessageSource()
    for start in stride(from: 0, to: tone.count, by: 480) {
      try parts.push(wav: wav(tone[start..<start + 480], rate: 48_000))
    }
    whole.close()
    parts.close()
    let samples = try drain(whole).samples
    #expect(samples.count > 1_400)
    #expect(try drain(parts).samples == samples)
  }

  @Test func garbageIsRefused() throws {
    let source = MessageSource()
    for bytes in [[], [1, 2, 3], Array("RIFFxxxxWAVEfmt ".utf8), Array(wav(tone).prefix(30))] {
      #expect(throws: WAVFault.self) { try source.push(wav: bytes) }
    }
    try source.push(wav: wav(tone))
    source.close()
    #expect(try drain(source).samples == tone)
  }

  @Test func lossAndRecoveryAreReportedBetweenTheSamples() throws {
    let source = MessageSource()
    try source.push(wav: wav(tone.prefix(200)))
    source.lose()
    source.lose()
    try source.push(wav: wav(tone.prefix(160)))
    source.close()
    let reads = try drain(source).reads
    #expect(reads.map(\.count) == [160, 40, 0, 160, 0])
    #expect(reads.map(\.events) == [[], [], .lost, .recovered, []])
  }

  @Test func aSenderThatIsSilentIsLostAndItsSilenceIsAGap() throws {
    let source = MessageSource(longestQuiet: 1.9)
    let frame = UnsafeMutableBufferPointer<Int16>.allocate(capacity: 160)
    defer { frame.deallocate() }
    try source.push(wav: wav(tone.prefix(160)))
    #expect(try source.read(into: frame).count == 160)
    var reads: [AudioRead] = []
    while reads.last?.events != .lost, reads.count < 10 { reads.append(try source.read(into: frame)) }
    #expect((2...3).contains(reads.count) && reads.dropLast().allSatisfy { $0 == AudioRead() }, "\(reads)")
    #expect(try source.read(into: frame) == AudioRead())
    try source.push(wav: wav(tone.prefix(160)))
    let back = try source.read(into: frame)
    #expect(back.events == .recovered && back.count == 160)
    #expect((2.9...20).contains(AudioFormat.seconds(back.gap)), "\(back.gap)")
  }

  @Test func messagesThatArriveTooFastLeaveAGap() throws {
    let source = MessageSource()
    let message = wav(tone.prefix(160))
    let most = (MessageSource.limit - 1) / MessageSource.size(message) + 1
    for _ in 0..<most + 3 { try source.push(wav: message) }
    source.close()
    let (samples, reads) = try drain(source)
    #expect(samples.count == 160 * most)
    #expect(reads.reduce(0) { $0 + $1.gap } == 3 * 160)
  }

  @Test func soFewSamplesPerSecondThatTheyWouldFillTheMemoryAreRefused() throws {
    let source = MessageSource()
    #expect(throws: WAVFault.unsupportedRate(63)) { try source.push(wav: wav(tone, rate: 63)) }
    try source.push(wav: wav(tone))
    source.close()
    #expect(try drain(source).samples == tone)
  }
}
