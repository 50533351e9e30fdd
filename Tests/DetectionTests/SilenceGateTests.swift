import Glibc
import PCM
import Platform
import TestServers
import Testing

@testable import Detection

@Suite(.limited) struct SilenceGateTests {
  @Test func closesInSteadyNoise() {
    #expect(opened(noise(seconds: 10, level: 100)).last == false)
    #expect(opened([Int16](repeating: 0, count: 160_000)).last == false)
  }

  @Test func isOpenAtFirst() {
    #expect(opened(noise(seconds: 3, level: 100)).allSatisfy { $0 })
  }

  @Test func opensAtOnceForASoundAsLoudAsTheNoise() {
    var sound = noise(seconds: 12, level: 1_000)
    // A tone with the power of the noise, uniform in ±1,000.
    let burst = AudioFormat.samples(10)..<AudioFormat.samples(10.3)
    for index in burst { sound[index] += Int16(1_000 * 2 * sin(Double(index) * 0.4) / 1.22) }
    let open = opened(sound)
    #expect(!open[999])
    #expect(open[1_005], "within 50 ms")
    #expect(open[1_100], "for some time")
    #expect(open.last == false)
  }

  @Test func opensForHighFrequenciesBesideRumble() {
    let sound = (0..<AudioFormat.samples(12)).map { index in
      let rumble = 8_000 * sin(Double(index) * 2 * .pi * 100 / 16_000)
      let speech = (160_000..<163_200).contains(index) ? 800 * sin(Double(index) * 1.2) : 0
      return Int16(rumble + speech)
    }
    let open = opened(sound)
    #expect(!open[999])
    #expect(open[1_005])
  }

  @Test func closesAgainAfterTheNoiseHasBecomeLouder() {
    let open = opened(noise(seconds: 10, level: 100) + noise(seconds: 15, level: 2_000))
    #expect(open[1_100])
    #expect(open.last == false)
  }

  private func opened(_ sound: [Int16]) -> [Bool] {
    var gate = SilenceGate()
    return sound.withUnsafeBufferPointer { sound in
      stride(from: 0, to: sound.count - 159, by: 160).map {
        gate.push(UnsafeBufferPointer(rebasing: sound[$0..<$0 + 160]))
      }
    }
  }

  private func noise(seconds: Double, level: Float) -> [Int16] {
    var random = RandomSource(seed: 3)
    return (0..<AudioFormat.samples(seconds)).map { _ in Int16(random.uniform(-level...level)) }
  }
}
