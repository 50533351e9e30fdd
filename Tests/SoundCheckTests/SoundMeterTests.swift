import Glibc
import PCM
import Platform
import SoundCheck
import TestServers
import Testing

/// The measures of good and bad microphone signals.
@Suite(.limited) struct SoundMeterTests {
  private func measure(_ samples: [Int16]) -> SoundMeasure {
    var meter = SoundMeter()
    meter.push(samples)
    return meter.measure
  }

  /// One second of noise and half a second of tone, alternating.
  private func speech(noise: Double, tone: Double, offset: Double = 0) -> [Int16] {
    var random = RandomSource(seed: 3)
    return (0..<AudioFormat.samples(6)).map { index in
      let speaks = index % 24_000 >= 16_000
      let value =
        offset + noise * 1.732 * Double(random.uniform(-1...1))
        + (speaks ? tone * 1.414 * sin(0.2 * Double(index)) : 0)
      return Int16(max(-32_768, min(32_767, 32_768 * value)))
    }
  }

  @Test func levelsAreRootMeanSquares() {
    let found = measure(speech(noise: 0.001, tone: 0.1))
    #expect(abs(found.noiseFloor + 60) < 1.5 && abs(found.level + 20) < 1, "\(found)")
    #expect(abs(found.seconds - 6) < 1e-9 && abs(found.peak + 17) < 1)
    #expect(found.flaws(speech: true) == [])
  }

  @Test func digitalSilenceIsDeadWithAndWithoutAnOffset() {
    #expect(measure([Int16](repeating: 0, count: 16_000)).flaws(speech: false) == [.dead])
    #expect(measure([Int16](repeating: 900, count: 16_000)).flaws(speech: true) == [.dead])
    #expect(measure([]).flaws(speech: true) == [.nothing])
  }

  @Test func aSquareWaveIsClippedAndALoudSineIsNot() {
    let square = (0..<16_000).map { $0 / 40 % 2 == 0 ? Int16.max : Int16.min }
    #expect(measure(square).flaws(speech: false).first == .clipped(part: 1))
    let sine = (0..<16_000).map { Int16(31_000 * sin(0.1 * Double($0))) }
    #expect(measure(sine).clipped == 0)
  }

  @Test func anOffsetIsReportedButDoesNotChangeTheLevel() throws {
    let found = measure(speech(noise: 0.001, tone: 0.05, offset: 0.05))
    #expect(abs(found.noiseFloor + 60) < 1.5, "\(found)")
    guard case .offset(let offset) = try #require(found.flaws(speech: true).first) else {
      Issue.record("\(found)")
      return
    }
    #expect(abs(offset - 0.06) < 0.02)
  }

  @Test func quietSpeechAndLoudNoiseAreReported() {
    let low = measure(speech(noise: 0.00005, tone: 0.001))
    #expect(abs(low.level + 60) < 1 && low.flaws(speech: true) == [.quiet(level: low.level)])
    #expect(low.flaws(speech: false) == [])
    let drowned = measure(speech(noise: 0.05, tone: 0.05)).flaws(speech: true)
    #expect(drowned.count == 2, "\(drowned)")
    for flaw in drowned { #expect(!flaw.isFatal && flaw.message.contains(";")) }
  }

  @Test func chunkSizesDoNotChangeTheMeasure() {
    let samples = speech(noise: 0.01, tone: 0.3)
    var meter = SoundMeter()
    var start = 0
    var length = 1
    while start < samples.count {
      meter.push(samples[start..<min(samples.count, start + length)])
      start += length
      length = length * 7 % 1009
    }
    #expect(meter.measure == measure(samples))
  }
}
