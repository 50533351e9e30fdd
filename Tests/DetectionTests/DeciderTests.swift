import Detection
import PCM
import Platform
import TestServers
import Testing

/// Logits of ±4 against a threshold of 0.5: scores of 0.98 and 0.02 with a smoothing of one step.
@Suite(.limited) struct DeciderTests {
  private let settings = DecisionSettings(
    smoothing: 1, refractory: 1, warmUp: 0.2, wordDuration: 0.4, latency: 0.1)

  @Test func oneRiseIsOneHit() throws {
    let hits = try run([(1, -4), (0.3, 4), (2, -4)])
    #expect(hits.count == 1)
    #expect(hits[0].at == 16_320)
    #expect(hits[0].end == 16_320 - 1_600)
    #expect(hits[0].start == hits[0].end - 6_400)
    #expect(abs(hits[0].score - 0.982) < 1e-3)
  }

  @Test func aScoreThatStaysUpIsOneHit() throws {
    #expect(try run([(1, -4), (30, 4), (1, -4), (1, 4)]).count == 2)
  }

  @Test func risesInTheRefractoryTimeAreIgnored() throws {
    #expect(try run([(1, -4), (0.1, 4), (0.5, -4), (0.1, 4), (2, -4)]).count == 1)
    #expect(try run([(1, -4), (0.1, 4), (1.1, -4), (0.1, 4), (2, -4)]).count == 2)
    // A rise inside the refractory time that outlasts it is still no rise after it.
    #expect(try run([(1, -4), (0.1, 4), (0.5, -4), (2, 4)]).count == 1)
  }

  @Test func theScoreIsZeroDuringTheWarmUp() throws {
    #expect(try run([(0.18, 9), (2, -4)]).isEmpty)
    #expect(try run([(0.4, 9), (2, -4)]).count == 1)
    var decider = try Decider(settings, threshold: 0.5)
    _ = decider.push(9, at: 320)
    #expect(decider.score == 0)
    decider.reset(at: 100_000)
    #expect(decider.push(9, at: 101_000) == nil && decider.score == 0)
    _ = decider.push(9, at: 103_200)
    #expect(decider.score > 0.9)
  }

  @Test func waitsForThePeakUpTo60Milliseconds() throws {
    var decider = try Decider(settings, threshold: 0.5)
    var reported: (position: Int, decision: Decision)?
    for step in 1...100 {
      let logit = step < 50 ? -4 : Float(step - 49) * 0.5
      if let hit = decider.push(logit, at: step * 320) { reported = (step * 320, hit) }
    }
    let hit = try #require(reported)
    #expect(hit.position == 53 * 320 && hit.decision.at == 53 * 320)
    #expect(hit.decision.score > 0.8)
  }

  @Test func smoothingIsTheMeanOfTheLastLogits() throws {
    var decider = try Decider(
      DecisionSettings(smoothing: 3, scale: 0.5, offset: 1, warmUp: 0), threshold: 0.999)
    for (index, logit) in [Float(8), 1, 2, 3, 4].enumerated() { _ = decider.push(logit, at: index * 320) }
    #expect(abs(decider.score - 1 / (1 + 0.082_085)) < 1e-6)  // sigmoid(0.5 × 3 + 1) = 1 / (1 + e^−2.5)
  }

  @Test func timesNeverDecrease() throws {
    let wild = DecisionSettings(smoothing: 1, refractory: 0, warmUp: 0, wordDuration: 3, latency: 1.5)
    let hits = try run([(0.1, -4), (0.1, 4), (0.1, -4), (0.1, 4), (0.1, -4), (0.1, 4), (1, -4)], wild)
    #expect(hits.count == 3)
    var last = 0
    for hit in hits {
      #expect(hit.start >= last && hit.end >= hit.start)
      last = hit.end
    }
  }

  @Test func invalidLogitsDoNotTrigger() throws {
    #expect(try run([(1, -4), (0.5, .nan), (1, -4)]).isEmpty)
    #expect(try run([(1, -4), (0.5, -.infinity), (0.1, .infinity), (1, -4)]).count == 1)
  }

  @Test func finishReportsAPendingHit() throws {
    var decider = try Decider(settings, threshold: 0.5)
    for step in 1...50 { #expect(decider.push(step < 50 ? -4 : 4, at: step * 320) == nil) }
    #expect(decider.finish()?.at == 16_000)
    #expect(decider.finish() == nil)
  }

  @Test func settingsOutOfRangeAreRefused() {
    #expect(throws: DetectionFault.self) { try DecisionSettings(smoothing: 0).validate() }
    #expect(throws: DetectionFault.self) { try DecisionSettings(smoothing: 33).validate() }
    #expect(throws: DetectionFault.self) { try DecisionSettings(scale: .nan).validate() }
    #expect(throws: DetectionFault.self) { try DecisionSettings(latency: .infinity).validate() }
    #expect(throws: Never.self) { try DecisionSettings().validate() }
  }

  /// Pushes runs of (seconds, logit) in 20 ms steps.
  private func run(_ parts: [(Double, Float)], _ other: DecisionSettings? = nil) throws -> [Decision] {
    var decider = try Decider(other ?? settings, threshold: 0.5)
    var position = 0
    var hits: [Decision] = []
    for (seconds, logit) in parts {
      for _ in 0..<Int((seconds * 50).rounded()) {
        position += 320
        if let hit = decider.push(logit, at: position) { hits.append(hit) }
      }
    }
    return hits
  }
}

@Suite(.limited) struct ScorePeaksTests {
  @Test func keepsMaximaWithoutAHigherOneNearby() {
    let found = peaks([
      (0, 0.1), (1, 0.9), (2, 0.2), (2.5, 0.8), (3, 0), (3.5, 0.7), (4, 0.001), (5, 0.005), (6, 0),
    ])
    #expect(found.map(\.score) == [0.9, 0.7])
    #expect(found.map(\.at) == [16_000, 56_000])
  }

  @Test func plateausAndEndsArePeaksOnce() {
    #expect(peaks([(0, 0.5), (1, 0.5), (2, 0.1), (3, 0.1), (4, 0.4), (5, 0.4)]).map(\.at) == [0, 64_000])
    #expect(peaks([(0, 0.3)]).map(\.score) == [0.3])
    #expect(peaks([]).isEmpty)
  }

  @Test func theHighestScoreIsKeptEvenBelowTheFloor() {
    var scores = ScorePeaks(floor: 0.5)
    scores.push(0.1, at: 0)
    scores.push(0.4, at: 320)
    scores.push(0.2, at: 640)
    #expect(scores.peaks().isEmpty && scores.highest == 0.4)
  }

  @Test func noTwoPeaksAreCloserThanTheGap() {
    var random = RandomSource(seed: 3)
    var scores = ScorePeaks(floor: 0.01, gap: 0.5)
    for step in 0..<20_000 { scores.push(Double(random.uniform()), at: step * 320) }
    let found = scores.peaks()
    #expect(found.count > 300)
    #expect(zip(found, found.dropFirst()).allSatisfy { $1.at - $0.at >= 8_000 })
  }

  private func peaks(_ scores: [(Double, Double)]) -> [ScorePeaks.Peak] {
    var list = ScorePeaks(floor: 0.01, gap: 2)
    for (time, score) in scores { list.push(score, at: AudioFormat.samples(time)) }
    return list.peaks()
  }
}
