import CAllocations
import FrontEnd
import Platform
import Testing

extension FrontEndTests {
  @Test(
    .enabled(if: allocations_are_counted()),
    arguments: [FrontEndSettings.standard] + withHighPass)
  func processingAllocatesNothingAndLocksOnlyTheLibrarysOwnMutexes(settings: FrontEndSettings) throws {
    let atStart = allocations_on_this_thread()
    let frontEnd = try FrontEnd(settings)
    #expect(allocations_on_this_thread() > atStart + 10, "the library's own allocations are not counted")
    var samples = Signals.sum(
      Signals.speechLike(seconds: 3, amplitude: 12_000), Signals.noise(seconds: 3, amplitude: 900))
    let played = Signals.speechLike(seconds: 3, amplitude: 5000, seed: 3)
    var counted: Int64 = 0
    var locks: Int64 = 0
    var libraryLocks: Int64 = 0
    samples.withUnsafeMutableBufferPointer { samples in
      played.withUnsafeBufferPointer { played in
        // The first pass instantiates what the test itself uses.
        for _ in 0..<2 {
          let libraryLocksBefore = locks_in_library_on_this_thread("libwebrtc")
          let before = allocations_on_this_thread()
          let locksBefore = locks_on_this_thread()
          for start in stride(from: 0, to: samples.count, by: 160) {
            _ = frontEnd.process(
              UnsafeMutableBufferPointer(rebasing: samples[start..<start + 160]),
              reference: UnsafeBufferPointer(rebasing: played[start..<start + 160]))
          }
          counted = allocations_on_this_thread() - before
          locks = locks_on_this_thread() - locksBefore
          libraryLocks = locks_in_library_on_this_thread("libwebrtc") - libraryLocksBefore
        }
      }
    }
    #expect(counted == 0)
    #expect(locks == libraryLocks)
    #expect(locks == Int64(samples.count / 160) * Self.locksPerFrame(settings))
  }

  private static func locksPerFrame(_ settings: FrontEndSettings) -> Int64 {
    let echo: Int64 = settings.echoCancellation ? 2 : 0
    return FrontEnd.libraryVersion == 0 ? 1 + echo : 2 + echo + (settings.voiceActivity ? 1 : 0)
  }

  @Test func highPassRemovesFiftyHertzAndKeepsTheVoice() throws {
    var settings = FrontEndSettings.bypass
    settings.highPass = true
    func gain(_ frequency: Double) throws -> Double {
      let tone = Signals.tone(frequency, seconds: 2, amplitude: 8000)
      let output = processed(tone, by: try FrontEnd(settings)).samples
      return Signals.level(output, 16_000..<32_000) - Signals.level(tone, 16_000..<32_000)
    }
    #expect(try gain(50) < -12)
    #expect(try abs(gain(300)) < 1)
    #expect(try abs(gain(1000)) < 0.3)
  }

  /// Mean levels under the syllables' middles and in the pauses between them, from the fourth second on.
  private func syllablesAndPauses(_ samples: [Int16], delay: Int) -> (Double, Double) {
    let starts = stride(from: 48_000, to: samples.count - 4400, by: 4000)
    let syllables = starts.flatMap { samples[$0 + 800 + delay..<$0 + 2000 + delay] }
    let pauses = starts.flatMap { samples[$0 + 3200 + delay..<$0 + 3800 + delay] }
    return (Signals.level(syllables, syllables.indices), Signals.level(pauses, pauses.indices))
  }

  @Test func noiseSuppressionRaisesTheSignalToNoiseRatioMoreAtEachLevel() throws {
    let noisy = Signals.sum(
      Signals.speechLike(seconds: 8, amplitude: 16_000), Signals.noise(seconds: 8, amplitude: 500))
    var gains: [Double] = []
    for level in NoiseSuppression.allCases {
      var settings = FrontEndSettings.bypass
      settings.noiseSuppression = level
      let frontEnd = try FrontEnd(settings)
      let before = syllablesAndPauses(noisy, delay: 0)
      let after = syllablesAndPauses(processed(noisy, by: frontEnd).samples, delay: frontEnd.delay)
      gains.append((after.0 - after.1) - (before.0 - before.1))
    }
    #expect(gains[0] == 0)
    #expect(gains[1] > 4)
    #expect(zip(gains, gains.dropFirst()).allSatisfy { $0 < $1 })
  }

  @Test func gainControlLiftsQuietSpeechAndLimitsLoud() throws {
    var settings = FrontEndSettings.bypass
    settings.gainControl = true
    var levels: [Double] = []
    for amplitude: Float in [1000, 4000, 16_000, 32_000] {
      let input = Signals.speechLike(seconds: 8, amplitude: amplitude)
      let output = processed(input, by: try FrontEnd(settings)).samples
      levels.append(Signals.level(output, 64_000..<128_000))
      if amplitude == 1000 { #expect(levels[0] - Signals.level(input, 64_000..<128_000) > 5.5) }
    }
    // The input's range is 30 dB. Version 1.x has a fixed gain and a limiter only.
    #expect(levels[3] - levels[0] < (FrontEnd.libraryVersion == 0 ? 20 : 28))
  }

  /// The echo of `played` at a microphone: 12 ms away, with a decaying tail of 25 ms, about 10 dB down.
  private func echo(of played: [Int16]) -> [Int16] {
    var random = RandomSource(seed: 21)
    let taps = (0..<400).map { random.uniform(-0.12...0.12) * (1 - Float($0) / 400) }
    return played.indices.map { index in
      var sum: Float = index >= 192 ? 0.2 * Float(played[index - 192]) : 0
      for (tap, weight) in taps.enumerated() where index >= 192 + tap {
        sum += weight * Float(played[index - 192 - tap])
      }
      return Int16(clamping: Int(sum))
    }
  }

  @Test func theEchoIsCancelledAndTheNearVoiceIsKept() throws {
    let played = Signals.speechLike(seconds: 12, amplitude: 20_000, seed: 31)
    let echo = echo(of: played)
    let room = Signals.noise(seconds: 12, amplitude: 20, seed: 32)
    let settings = FrontEndSettings(noiseSuppression: .off, echoCancellation: true)
    let recorded = Signals.sum(echo, room)
    let quiet = processed(recorded, by: try FrontEnd(settings), reference: played).samples
    let late = 96_000..<190_000
    let enhancement = Signals.level(recorded, late) - Signals.level(quiet, late)
    let unaided = processed(recorded, by: try FrontEnd(settings)).samples
    let syllables = Signals.speechLike(seconds: 12, amplitude: 16_000, seed: 33)
    let near = Array(syllables[2000...] + syllables[..<2000])
    let both = processed(Signals.sum(recorded, near), by: try FrontEnd(settings), reference: played).samples
    #expect(enhancement > 15)
    #expect(Signals.level(recorded, late) - Signals.level(unaided, late) < 3)
    #expect(Signals.level(both, late) > Signals.level(near, late) - 9)
  }

  @Test func voiceActivityDistinguishesSpeechFromSilence() throws {
    let silence = [Int16](repeating: 0, count: 32_000)
    let samples = silence + Signals.speechLike(seconds: 4, amplitude: 12_000) + silence
    let activity = processed(samples, by: try FrontEnd(.standard)).activity
    let share = { (frames: Range<Int>) in
      Double(activity[frames].count { $0.voiced }) / Double(frames.count)
    }
    #expect(share(0..<200) < 0.05)
    #expect(share(210..<600) > 0.5)
    #expect(share(700..<800) < 0.1)
  }

  @Test func levelIsTheRootMeanSquareInDecibelsOfFullScale() throws {
    let frontEnd = try FrontEnd(.bypass)
    let square = (0..<160).map { $0 % 2 == 0 ? Int16.min : Int16.max }
    #expect(abs(processed(square, by: frontEnd).activity[0].level) < 0.001)
    let sine = Signals.tone(1000, seconds: 0.01, amplitude: 3276.7)
    #expect(abs(processed(sine, by: frontEnd).activity[0].level + 23.01) < 0.01)
    #expect(processed([Int16](repeating: 0, count: 160), by: frontEnd).activity[0].level == -100)
  }
}
