import PCM
import TestServers
import Testing

@Suite(.limited) struct AudioFormatTests {
  @Test func secondsAndSamplesAreConverted() {
    #expect(AudioFormat.seconds(16_000) == 1)
    #expect(AudioFormat.seconds(-8_000) == -0.5)
    #expect(AudioFormat.samples(0.01) == AudioFormat.frameLength)
  }

  @Test(arguments: [0, 0.49, 0.5, 0.51, 1.5, 2.5, 1e6 + 0.5])
  func samplesAreRoundedHalfAwayFromZero(_ samples: Double) {
    #expect(AudioFormat.samples(samples / 16_000) == Int((samples / 16_000 * 16_000).rounded()))
    #expect(AudioFormat.samples(-samples / 16_000) == Int((-samples / 16_000 * 16_000).rounded()))
  }
}

@Suite(.limited) struct LevelTests {
  @Test func theActiveLevelIgnoresSilence() {
    let tone = (0..<1_600).map { $0 % 2 == 0 ? Float(0.5) : -0.5 }
    let silence = [Float](repeating: 0, count: 8_000)
    #expect(abs(Level.active(silence + tone + silence) - 0.5) < 0.01)
    #expect(Level.rms(tone[...]) == 0.5)
  }

  @Test func noiseIsMixedAtTheRatio() {
    let speech = (0..<1_600).map { $0 % 2 == 0 ? Float(0.5) : -0.5 }
    let noise = (0..<1_600).map { $0 % 4 < 2 ? Float(0.1) : -0.1 }
    let mixed = Level.mix(speech, noise, ratio: 20)
    let added = zip(mixed, speech).map { $0 - $1 }
    #expect(abs(Level.rms(added[...]) - 0.05) < 0.001)
    #expect(Level.mix(speech, [Float](repeating: 0, count: 1_600), ratio: 20) == speech)
  }

  @Test func integersAreClippedAndRoundedAwayFromZero() {
    let samples: [Float] = [0, 1, -1, 2, -2, 0.5 / 32_768, -0.5 / 32_768]
    #expect(Level.integers(samples) == [0, .max, .min, .max, .min, 1, -1])
    #expect(Level.floats([0, .min, 16_384]) == [0, -1, 0.5])
  }

  @Test func decibelsAreTheInverseOfFactors() {
    #expect(abs(Level.factor(20) - 10) < 1e-5)
    #expect(abs(Level.decibels(0.5) + 6.0206) < 1e-3)
    #expect(Level.decibels(0) == -180)
  }
}

@Suite(.limited) struct WAVHeaderTests {
  @Test func theHeaderHasTheCanonicalFields() {
    let bytes = WAVHeader(channels: 2, sampleRate: 48_000, dataLength: 192).encoded()
    #expect(bytes.count == 44)
    #expect(bytes[0..<4].elementsEqual("RIFF".utf8) && bytes[4..<8].elementsEqual([228, 0, 0, 0]))
    #expect(bytes[20..<24].elementsEqual([1, 0, 2, 0]))
    #expect(bytes[28..<34].elementsEqual([0x00, 0xEE, 0x02, 0x00, 4, 0]))
    #expect(bytes[40..<44].elementsEqual([192, 0, 0, 0]))
  }

  @Test(arguments: [nil, Int.max, Int(UInt32.max)])
  func anUnknownOrTooLargeLengthIsTheLargestNumber(_ length: Int?) {
    #expect(WAVHeader(dataLength: length).encoded()[40..<44].allSatisfy { $0 == 0xFF })
  }
}
