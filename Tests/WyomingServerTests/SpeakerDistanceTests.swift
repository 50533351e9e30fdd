import Glibc
import PCM
import Platform
import TestServers
import Testing

@testable import WyomingServer

/// How near a microphone is to who says a hotword.
@Suite(.limited) struct SpeakerDistanceTests {
  private static let word = 5 * AudioFormat.sampleRate..<6 * AudioFormat.sampleRate

  /// White noise, `loud` times as strong in the second of the word.
  private func nearness(_ loud: Double, noise: Double = 20, pieces: Int = 160, tone: Double? = nil) -> Float {
    var random = RandomSource(seed: 3)
    let samples = (0..<7 * AudioFormat.sampleRate).map { index -> Int16 in
      let value = (Double(random.next() % 2_001) / 1_000 - 1) * noise
      guard Self.word.contains(index) else { return Int16(value) }
      if let tone { return Int16(value + loud * noise * sin(2 * .pi * tone * Double(index) / 16_000)) }
      return Int16(value * loud)
    }
    let distance = SpeakerDistance()
    for start in stride(from: 0, to: samples.count, by: pieces) {
      samples[start..<min(start + pieces, samples.count)].withUnsafeBufferPointer { distance.append($0) }
    }
    return distance.nearness(of: Self.word)
  }

  @Test func louderIsNearerByDecibels() {
    let difference = nearness(100) - nearness(10)
    #expect(abs(difference - 20) < 0.2, "\(difference)")
  }

  @Test func steadyNoiseIsNotNear() {
    // Noise of a higher level, in which the word is weaker.
    #expect(nearness(1.1, noise: 200) < nearness(30, noise: 20))
    #expect(nearness(1) < nearness(2) - 3)
  }

  @Test func lowFrequenciesDoNotCount() {
    #expect(nearness(50, tone: 300) < nearness(50, tone: 4_000) - 30)
  }

  @Test func theSizeOfThePiecesDoesNotMatter() {
    #expect(nearness(10) == nearness(10, pieces: 77) && nearness(10) == nearness(10, pieces: 112_000))
  }

  @Test func aHitThatIsNotKeptIsFar() {
    #expect(SpeakerDistance().nearness(of: 100..<200) == -100)
  }
}
