import PCM
import TestServers
import Testing

@testable import Detection

/// Vectors of three outputs every 20 ms, of which output 1 is the last sound of the phrase; a look-ahead of 80 ms.
@Suite(.limited) struct PhraseEndTests {
  private let sounds = LastSounds(outputs: [1], lookAhead: 0.08)

  @Test func theEndIsThatOfTheLastSound() throws {
    // The sound lasts from 0.9 to 1.02 s and is in the outputs 80 ms later.
    for estimate in [0.94, 1, 1.06] {
      let found = try #require(run(heard: [0.98...1.1], estimate: estimate))
      #expect(abs(seconds(found.decision.end) - 1.02) < 0.021)
      #expect(found.decision.end - found.decision.start == AudioFormat.samples(0.5))
    }
  }

  @Test func theNearestOfSeveralSoundsIsChosen() throws {
    let found = try #require(run(heard: [0.8...0.88, 1.04...1.1], estimate: 0.99))
    #expect(abs(seconds(found.decision.end) - 1.02) < 0.021)
  }

  @Test func aDecisionWaitsWhileTheLastSoundGoesOn() throws {
    let found = try #require(run(heard: [1...1.16], estimate: 1.04, at: 1.1))
    #expect(abs(seconds(found.settled) - 1.18) < 0.021)
    #expect(abs(seconds(found.decision.end) - 1.08) < 0.021)
    let long = try #require(run(heard: [1...2], estimate: 1.04, at: 1.1))
    #expect(abs(seconds(long.settled) - 1.2) < 0.021)
    let none = try #require(run(heard: [], estimate: 1.04, at: 1.1))
    #expect(abs(seconds(none.settled) - 1.1) < 0.021)
  }

  @Test func withoutTheSoundTheEstimateIsKept() throws {
    let found = try #require(run(heard: [0.2...0.6], estimate: 1))
    #expect(seconds(found.decision.end) == 1)
    let other = try #require(run(heard: [0.98...1.1], estimate: 1, isKnown: false))
    #expect(seconds(other.decision.end) == 1)
  }

  @Test func anUnfinishedDecisionIsReleasedAtOnce() throws {
    var end = PhraseEnd(sounds, delay: 0)
    #expect(end.release() == nil)
    #expect(end.hold(decision(end: 1, at: 1.1)) == nil)
    #expect(end.hold(decision(end: 3, at: 3.1))?.end == AudioFormat.samples(1))
    #expect(end.release()?.end == AudioFormat.samples(3))
    #expect(end.hold(decision(end: 4, at: 4.1)) == nil)
    end.reset(at: AudioFormat.samples(5))
    #expect(end.release() == nil)
  }

  @Test func timesNeverDecrease() throws {
    var end = PhraseEnd(sounds, delay: 0)
    _ = end.hold(decision(end: 2, at: 2.1))
    _ = end.release()
    _ = end.hold(decision(end: 2.1, at: 2.2))
    #expect(end.release()?.start == AudioFormat.samples(2))
  }

  @Test func settingsOutOfRangeAreRefused() {
    for wrong in [
      LastSounds(outputs: [], lookAhead: 0), LastSounds(outputs: [43], lookAhead: 0),
      LastSounds(outputs: [-1], lookAhead: 0), LastSounds(outputs: [1], lookAhead: 2),
    ] {
      #expect(throws: DetectionFault.self) { try wrong.validate(outputs: 43) }
    }
    #expect(throws: Never.self) { try LastSounds(outputs: [0, 42], lookAhead: 0.08).validate(outputs: 43) }
  }

  /// Detects a phrase at 1.1 s, or at `at`, and pushes vectors with the last sound at the times in `heard` until it is settled.
  private func run(
    heard: [ClosedRange<Double>], estimate: Double, at: Double = 1.1, isKnown: Bool = true
  ) -> (decision: Decision, settled: SampleIndex)? {
    var end = PhraseEnd(isKnown ? sounds : nil, delay: 0)
    for step in 1...100 {
      let position = step * 320
      let isHeard = heard.contains { $0.contains(seconds(position)) }
      let outputs: [Float] = [0, isHeard ? 5 : -5, -8]
      outputs.withUnsafeBufferPointer { end.push($0, highest: outputs.max()!, at: position) }
      if position == AudioFormat.samples(at) { _ = end.hold(decision(end: estimate, at: at)) }
      if let settled = end.settled() { return (settled, position) }
    }
    return nil
  }

  private func decision(end: Double, at: Double) -> Decision {
    Decision(
      score: 0.9, at: AudioFormat.samples(at), start: AudioFormat.samples(end - 0.5),
      end: AudioFormat.samples(end))
  }

  private func seconds(_ position: SampleIndex) -> Double { AudioFormat.seconds(position) }
}
