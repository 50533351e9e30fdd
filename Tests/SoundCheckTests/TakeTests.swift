import Glibc
import PCM
import Platform
import SoundCheck
import TestServers
import Testing

/// Takes with a tone instead of a word.
@Suite(.limited) struct TakeTests {
  private func take(
    before: Double = 0.6, word: Double = 0.8, after: Double = 0.6, level: Double = 0.1, noise: Double = 0.001,
    isWhole: Bool = true
  ) -> Take {
    var random = RandomSource(seed: 8)
    let start = AudioFormat.samples(before)
    let end = start + AudioFormat.samples(word)
    let samples = (0..<end + AudioFormat.samples(after)).map { index in
      let tone = (start..<end).contains(index) ? 1.414 * level * sin(0.2 * Double(index)) : 0
      return Int16(
        max(-32_767, min(32_767, 32_768 * (tone + 1.732 * noise * Double(random.uniform(-1...1))))))
    }
    return Take(samples, isWhole: isWhole)
  }

  @Test func aGoodTakeIsTrimmedToTheSpeechWithMargins() {
    let good = take()
    #expect(good.flaw == nil && abs(good.level + 20) < 1, "\(good.level)")
    #expect(abs(good.seconds - 0.8) < 0.05)
    #expect(abs(AudioFormat.seconds(good.samples.count) - 1.4) < 0.06)
    let close = take(before: 0.1, after: 0.15)
    #expect(close.flaw == nil && abs(AudioFormat.seconds(close.samples.count) - 1.05) < 0.01)
  }

  @Test func aShortWordAfterALongWaitIsFound() {
    let good = take(before: 6.5, word: 0.3, after: 0.7)
    #expect(good.flaw == nil && abs(good.level + 20) < 1, "\(good.flaw.map { "\($0)" } ?? "") \(good.level)")
    #expect(abs(good.seconds - 0.3) < 0.05)
  }

  @Test func everyFlawIsFound() {
    #expect(take(word: 0).flaw == .noSpeech)
    #expect(take(level: 0).flaw == .noSpeech)
    #expect(take(level: 0.003, noise: 0.0001).flaw.map { "\($0)" }?.hasPrefix("quiet") == true)
    #expect(take(level: 0.06, noise: 0.02).flaw.map { "\($0)" }?.hasPrefix("noisy") == true)
    #expect(take(level: 2).flaw.map { "\($0)" }?.hasPrefix("clipped") == true)
    #expect(take(before: 0.01).flaw == .early)
    #expect(take(after: 0.01).flaw == .late)
    #expect(take(before: 1, word: 0.12, after: 1).flaw.map { "\($0)" }?.hasPrefix("tooShort") == true)
    #expect(take(word: 4.5).flaw.map { "\($0)" }?.hasPrefix("tooLong") == true)
    #expect(take(isWhole: false).flaw == .lost)
    #expect(Take([]).flaw == .noSpeech)
  }

  @Test func aClickIsNotSpeech() {
    var samples = [Int16](repeating: 3, count: 32_000)
    for index in samples.indices where index % 2 == 0 { samples[index] = -3 }
    samples[20_000] = 20_000
    #expect(Take(samples).flaw == .noSpeech)
  }
}

@Suite(.limited) struct RecordCycleTests {
  private static let word = (0..<24_000).map {
    (8_000..<16_000).contains($0) ? Int16(3_000 * sin(0.2 * Double($0))) : 0
  }
  private let good = Take(Self.word)
  private let flawed = Take([])

  @Test func withAPersonEachTakeIsOffered() {
    var cycle = RecordCycle(count: 2, done: 0, isAttended: true)
    #expect(good.flaw == nil)
    #expect(cycle.begin() == [.prompt(number: 1, of: 2), .listen])
    #expect(cycle.advance(.take(flawed)) == [.report(.noSpeech)])
    #expect(cycle.advance(.key("x")) == [.keys(canKeep: false)])
    #expect(cycle.advance(.key("\n")) == [.prompt(number: 1, of: 2), .listen])
    #expect(cycle.advance(.take(good)) == [.offer(good)])
    #expect(cycle.advance(.key("p")) == [.play(good)])
    #expect(cycle.advance(.key("x")) == [.keys(canKeep: true)])
    #expect(cycle.advance(.key("r")) == [.prompt(number: 1, of: 2), .listen])
    #expect(cycle.advance(.take(good)) == [.offer(good)])
    #expect(cycle.advance(.key("\n")) == [.save(good)])
    #expect(cycle.advance(.saved) == [.prompt(number: 2, of: 2), .listen])
    #expect(cycle.advance(.key("x")) == [.listen], "an unknown key does not stop the listening")
    #expect(cycle.advance(.key("r")) == [.prompt(number: 2, of: 2), .listen])
    #expect(cycle.advance(.key("q")) == [.end(recorded: 1)])
    #expect(cycle.isOver && cycle.advance(.key("p")) == [])
  }

  @Test func withoutAPersonGoodTakesAreSavedAndFlawedOnesRepeated() {
    var cycle = RecordCycle(count: 9, done: 7, isAttended: false)
    #expect(cycle.begin() == [.prompt(number: 8, of: 9), .listen])
    #expect(cycle.advance(.take(flawed)) == [.report(.noSpeech), .prompt(number: 8, of: 9), .listen])
    #expect(cycle.advance(.take(good)) == [.save(good)])
    #expect(cycle.advance(.saved) == [.prompt(number: 9, of: 9), .listen])
    #expect(cycle.advance(.take(good)) == [.save(good)])
    #expect(cycle.advance(.saved) == [.end(recorded: 2)])
  }

  @Test func itEndsWithNothingToRecordOrTooManyFlawedTakes() {
    var done = RecordCycle(count: 3, done: 5, isAttended: true)
    #expect(done.begin() == [.end(recorded: 0)])
    var alone = RecordCycle(count: 3, done: 0, isAttended: false)
    _ = alone.begin()
    var takes = 0
    while !alone.isOver, takes < 100 {
      _ = alone.advance(.take(flawed))
      takes += 1
    }
    #expect(takes == 10)
    var ended = RecordCycle(count: 3, done: 0, isAttended: false)
    _ = ended.begin()
    #expect(ended.advance(.ended) == [.end(recorded: 0)])
  }
}
