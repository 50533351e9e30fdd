import Clips
import TestServers
import Testing

@Suite(.limited) struct ClipCutterTests {
  private func cutter(_ ends: Int...) -> ClipCutter {
    var cutter = ClipCutter()
    for end in ends { cutter.add(keyword: "computer", kind: .wake, score: 0.9, end: end) }
    return cutter
  }

  @Test func aClipIsTwoSecondsBeforeTheWordsEndAndOneAfter() {
    var cutter = cutter(50_000)
    #expect(cutter.cuts(at: 65_999).isEmpty)
    #expect(cutter.cuts(at: 66_000).map(\.range) == [18_000..<66_000])
    #expect(cutter.cuts(at: 70_000).isEmpty)
  }

  @Test func theStreamsBeginningAndEndMakeClipsShorter() {
    var cutter = cutter(10_000, 40_000)
    #expect(cutter.cuts(at: 26_000).map(\.range) == [0..<26_000])
    #expect(cutter.finish(at: 41_000).map(\.range) == [8_000..<41_000])
    #expect(cutter.finish(at: 41_000).isEmpty)
  }

  @Test func noClipReachesOverAGap() {
    var cutter = cutter(40_000)
    #expect(cutter.finish(at: 44_000, goingOnAt: 60_000).map(\.range) == [8_000..<44_000])
    cutter.add(keyword: "computer", kind: .nearMiss, score: 0.4, end: 70_000)
    cutter.add(keyword: "computer", kind: .nearMiss, score: 0.4, end: 59_000)
    #expect(cutter.cuts(at: 90_000).map(\.range) == [60_000..<86_000, 60_000..<76_000])
  }

  @Test func severalWordsWaitAtOnce() {
    var cutter = cutter(40_000, 41_000, 60_000)
    #expect(cutter.cuts(at: 58_000).map(\.end) == [40_000, 41_000])
    #expect(cutter.cuts(at: 76_000).map(\.end) == [60_000])
  }
}
