import Clips
import TestServers
import Testing

@Suite(.limited) struct ClipCutterTests {
  private func cutter(_ ends: Int...) -> ClipCutter {
    var cutter = ClipCutter()
    for end in ends { cutter.add(keyword: "computer", kind: .wake, score: 0.9, end: end) }
    return cutter
  }

  @Test func aClipIsFiveSecondsBeforeTheWordsEndAndOneAfter() {
    var cutter = cutter(100_000)
    #expect(cutter.cuts(at: 115_999).isEmpty)
    #expect(cutter.cuts(at: 116_000).map(\.range) == [20_000..<116_000])
    #expect(cutter.cuts(at: 120_000).isEmpty)
  }

  @Test func theStreamsBeginningAndEndMakeClipsShorter() {
    var cutter = cutter(10_000, 90_000)
    #expect(cutter.cuts(at: 26_000).map(\.range) == [0..<26_000])
    #expect(cutter.finish(at: 91_000).map(\.range) == [10_000..<91_000])
    #expect(cutter.finish(at: 91_000).isEmpty)
  }

  @Test func noClipReachesOverAGap() {
    var cutter = cutter(90_000)
    #expect(cutter.finish(at: 94_000, goingOnAt: 100_000).map(\.range) == [10_000..<94_000])
    cutter.add(keyword: "computer", kind: .nearMiss, score: 0.4, end: 110_000)
    cutter.add(keyword: "computer", kind: .nearMiss, score: 0.4, end: 99_000)
    #expect(cutter.cuts(at: 130_000).map(\.range) == [100_000..<126_000, 100_000..<116_000])
  }

  @Test func severalWordsWaitAtOnce() {
    var cutter = cutter(40_000, 41_000, 60_000)
    #expect(cutter.cuts(at: 58_000).map(\.end) == [40_000, 41_000])
    #expect(cutter.cuts(at: 76_000).map(\.end) == [60_000])
  }
}
