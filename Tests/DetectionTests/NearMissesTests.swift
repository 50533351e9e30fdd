import Detection
import TestServers
import Testing

@Suite(.limited) struct NearMissesTests {
  /// The near misses of scores 30 ms apart, with what the end of the stream brings.
  private func found(_ scores: [Double], threshold: Double = 0.6) -> [NearMisses.Peak] {
    var misses = NearMisses(threshold: threshold)
    var peaks: [NearMisses.Peak] = []
    for (index, score) in scores.enumerated() {
      if let peak = misses.push(score, at: index * 480) { peaks.append(peak) }
    }
    if let peak = misses.finish() { peaks.append(peak) }
    return peaks
  }

  /// A rise to `peak` and the fall from it, then quiet up to `steps` in all.
  private func hill(_ peak: Double, steps: Int = 40) -> [Double] {
    [peak / 3, peak, peak / 2, peak / 4] + Array(repeating: 0, count: steps - 4)
  }

  @Test func aPeakBetweenPartAndThresholdIsANearMiss() {
    #expect(found(hill(0.4) + hill(0)).map(\.score) == [0.4])
    #expect(found(hill(0.4)).first?.end == 480)
    #expect(found(hill(0.3)).map(\.score) == [0.3], "half of the threshold counts")
    #expect(found(hill(0.29)).isEmpty)
    #expect(found(hill(0.6)).isEmpty, "the threshold itself makes a wake")
  }

  @Test func aPeakNextToAHitIsNotANearMiss() {
    #expect(found(hill(0.4, steps: 20) + hill(0.9)).isEmpty)
    #expect(found(hill(0.9, steps: 20) + hill(0.4)).isEmpty)
    #expect(found([0.9] + Array(repeating: 0.5, count: 100)).isEmpty, "a wake's fading is no peak")
    #expect(found(hill(0.4) + hill(0.9) + hill(0.5)).map(\.score) == [0.4, 0.5])
  }

  @Test func theHighestOfSeveralPeaksWithinASecondIsReported() {
    #expect(found(hill(0.4, steps: 20) + hill(0.5, steps: 20) + hill(0.45)).map(\.score) == [0.5])
    #expect(found(hill(0.5, steps: 36) + hill(0.4)).map(\.score) == [0.5, 0.4])
  }

  @Test func aCandidateIsReportedOnceAtTheEnd() {
    var misses = NearMisses(threshold: 0.6)
    #expect(misses.push(0.4, at: 480) == nil)
    #expect(misses.finish()?.score == 0.4)
    #expect(misses.finish() == nil)
  }

  @Test func aNearMissIsReportedASecondAfterItsEnd() {
    var misses = NearMisses(threshold: 0.6)
    _ = misses.push(0.4, at: 480)
    #expect(misses.push(0.1, at: 480 + 15_999) == nil)
    #expect(misses.push(0.1, at: 480 + 16_000)?.end == 480)
  }
}
