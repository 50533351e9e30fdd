import Glibc
import PCM
import Platform
import TestServers
import Testing
import Training

@Suite(.limited(minutes: 15)) struct AugmentationTests {
  private func noise(_ count: Int, seed: UInt64) -> [Float] {
    var random = RandomSource(seed: seed)
    return (0..<count).map { _ in random.uniform(-0.5...0.5) }
  }

  @Test func roomsHaveTheRequestedReverberationTime() {
    for time: Float in [0.2, 0.4, 0.6] {
      var random = RandomSource(seed: 3)
      let room = RoomResponse(reverberationTime: time, distance: 2, &random)
      // Schroeder's backward integration; the slope between −5 and −25 dB, times three.
      var energy = 0.0
      var decay = [Double](repeating: 0, count: room.response.count)
      for index in room.response.indices.reversed() where index > 0 {
        energy += Double(room.response[index] * room.response[index])
        decay[index] = energy
      }
      decay[0] = energy
      let first = decay.firstIndex { 10 * log10($0 / energy) < -5 } ?? 0
      let last = decay.firstIndex { 10 * log10($0 / energy) < -25 } ?? 0
      let measured = 3 * Float(last - first) / 16_000
      #expect(abs(measured / time - 1) < 0.3, "requested \(time) s, measured \(measured) s")
      #expect(room.response[0] >= 1)
    }
  }

  @Test func convolutionMatchesTheDirectSum() {
    let signal = noise(5000, seed: 4)
    let response = noise(700, seed: 5)
    let room = RoomResponse(response: response)
    let fast = room.applied(to: signal)
    #expect(fast.count == signal.count)
    for index in stride(from: 0, to: signal.count, by: 37) {
      var sum = 0.0
      for tap in 0...min(index, response.count - 1) { sum += Double(response[tap] * signal[index - tap]) }
      #expect(abs(sum - Double(fast[index])) < 1e-3)
    }
  }

  @Test func aRecordedImpulseBecomesARoomFromItsPeak() throws {
    let recording = [Float](repeating: 0, count: 100) + [0.01, -0.5, 0.25, -0.1]
    let room = try #require(RoomResponse(recording: recording))
    #expect(room.response.count == 3)
    #expect(room.response[0] == 1 && room.response[1] == -0.5)
    #expect(RoomResponse(recording: [Float](repeating: 0, count: 100)) == nil)
  }

  @Test func speedChangeKeepsTonesAndLengths() {
    let tone = (0..<16_000).map { sinf(2 * .pi * 500 * Float($0) / 16_000) }
    let slow = SpeedChange.resample(tone, by: 1.25)
    #expect(slow.count == 20_000)
    for index in 1000..<19_000 {
      #expect(abs(slow[index] - sinf(2 * .pi * 400 * Float(index) / 16_000)) < 0.01)
    }
    let high = (0..<16_000).map { sinf(2 * .pi * 7000 * Float($0) / 16_000) }
    let fast = SpeedChange.resample(high, by: 0.7)
    #expect(Level.decibels(Level.rms(fast[100..<11_000])) < -60, "aliases")
  }

  @Test(arguments: [0.7, 1.3, 1.8]) func anotherPaceKeepsThePitch(ratio: Double) {
    let tone = (0..<16_000).map { 0.5 * sinf(2 * .pi * 210 * Float($0) / 16_000) }
    let changed = PaceChange.stretch(tone, by: ratio)
    #expect(changed.count == Int(16_000 * ratio))
    let middle = Array(changed[1000..<changed.count - 1000])
    let crossings = zip(middle, middle.dropFirst()).count { $0 < 0 && $1 >= 0 }
    #expect(abs(Double(crossings) / Double(middle.count) * 16_000 - 210) < 4)
    #expect(abs(Level.decibels(Level.rms(middle[...])) - Level.decibels(Level.rms(tone[...]))) < 0.5)
  }

  @Test func whatIsSaidAtAnotherPaceKeepsItsPlace() {
    var samples = [Float](repeating: 0, count: 16_000)
    for index in 8000..<9000 { samples[index] = sinf(0.3 * Float(index)) }
    let slow = PaceChange.stretch(samples, by: 1.5)
    let loud = slow.indices.filter { abs(slow[$0]) > 0.3 }
    #expect(
      abs(loud.first! - 12_000) < 500 && abs(loud.last! - 13_500) < 500, "\(loud.first!) to \(loud.last!)")
  }

  @Test func childrensVoicesAreHigherAndNotFaster() {
    let tone = (0..<16_000).map { 0.5 * sinf(2 * .pi * 200 * Float($0) / 16_000) }
    func voices(childShare: Float) -> [(pitch: Double, ratio: Double)] {
      var random = RandomSource(seed: 3)
      return (0..<60).map { _ in
        let (samples, ratio) = VoiceChange(childShare: childShare).apply(tone, &random)
        #expect(abs(Double(samples.count) - 16_000 * ratio) < 4)
        let crossings = zip(samples, samples.dropFirst()).count { $0 < 0 && $1 >= 0 }
        return (Double(crossings) / Double(samples.count) * 16_000, ratio)
      }
    }
    #expect(
      voices(childShare: 1).allSatisfy { (222...282).contains($0.pitch) && (0.85...1.25).contains($0.ratio) })
    #expect(voices(childShare: 0).allSatisfy { abs($0.pitch * $0.ratio - 200) < 4 })
  }

  @Test func noiseIsMixedAtTheRequestedRatio() {
    let speech = noise(8000, seed: 6) + [Float](repeating: 0, count: 24_000)
    let background = noise(32_000, seed: 7)
    for ratio: Float in [0, 10, 25] {
      let mixed = Level.mix(speech, background, ratio: ratio)
      let added = zip(mixed, speech).map { $0 - $1 }
      let measured = Level.decibels(Level.active(speech)) - Level.decibels(Level.rms(added[...]))
      #expect(abs(measured - ratio) < 0.5)
    }
  }

  @Test func synthesizedNoisesHaveTheirSpectrum() {
    var random = RandomSource(seed: 8)
    for colour in NoiseSource.Colour.allCases {
      let samples = NoiseSource.synthesized(colour, count: 32_000, &random)
      #expect(samples.count == 32_000)
      let rms = Level.rms(samples[...])
      #expect(rms > 0.02 && rms < 1, "\(colour): \(rms)")
      var difference: Float = 0
      for index in 1..<samples.count {
        let step = samples[index] - samples[index - 1]
        difference += step * step
      }
      let roughness = (difference / Float(samples.count)).squareRoot() / rms
      switch colour {
      case .white: #expect(roughness > 1.3)
      case .pink: #expect(roughness > 0.3 && roughness < 1.1)
      case .brown: #expect(roughness < 0.3)
      case .hum: #expect(roughness < 0.8)
      }
    }
  }
}
