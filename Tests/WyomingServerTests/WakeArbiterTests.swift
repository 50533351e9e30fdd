import TestServers
import Testing

@testable import WyomingServer

/// Which of several streams that hear a hotword reports it.
@Suite(.limited) struct WakeArbiterTests {
  private func claim(_ stream: Int, _ nearness: Float, hotword: Int = 0) -> WakeArbiter.Claim {
    WakeArbiter.Claim(stream: stream, hotword: hotword, nearness: nearness)
  }

  private func verdicts(_ list: [WakeArbiter.Verdict]) -> [Int: Bool] {
    Dictionary(uniqueKeysWithValues: list.map { ($0.stream, $0.isReported) })
  }

  @Test func aStreamThatIsAloneReportsAtOnce() {
    var arbiter = WakeArbiter()
    #expect(verdicts(arbiter.claim(claim(1, -40), at: 5, listening: 1)) == [1: true])
    #expect(arbiter.due == nil)
    // Again, although little later: it is no other stream's.
    #expect(verdicts(arbiter.claim(claim(1, -40), at: 5.3, listening: 1)) == [1: true])
  }

  @Test func theNearestReportsAsSoonAsAllHaveClaimed() {
    var arbiter = WakeArbiter()
    #expect(arbiter.claim(claim(1, -50), at: 0, listening: 3).isEmpty)
    #expect(arbiter.claim(claim(2, -30), at: 0.05, listening: 3).isEmpty)
    #expect(verdicts(arbiter.claim(claim(3, -40), at: 0.1, listening: 3)) == [1: false, 2: true, 3: false])
  }

  @Test func theHoldEndsTheWaitingForStreamsThatHearNothing() {
    var arbiter = WakeArbiter()
    _ = arbiter.claim(claim(1, -50), at: 10, listening: 3)
    _ = arbiter.claim(claim(2, -30), at: 10.1, listening: 3)
    #expect(abs((arbiter.due ?? 0) - 10.2) < 1e-9)
    #expect(arbiter.advance(to: 10.19).isEmpty)
    #expect(verdicts(arbiter.advance(to: 10.2)) == [1: false, 2: true])
    #expect(arbiter.due == nil && arbiter.advance(to: 11).isEmpty)
  }

  @Test func aLateClaimIsDroppedAndALaterOneIsAnotherWake() {
    var arbiter = WakeArbiter()
    _ = arbiter.claim(claim(1, -50), at: 0, listening: 2)
    _ = arbiter.advance(to: 0.2)
    #expect(verdicts(arbiter.claim(claim(2, -10), at: 0.4, listening: 2)) == [2: false])
    #expect(arbiter.claim(claim(2, -10), at: 3, listening: 2).isEmpty)
    #expect(verdicts(arbiter.advance(to: 3.5)) == [2: true])
  }

  @Test func hotwordsAreIndependent() {
    var arbiter = WakeArbiter()
    _ = arbiter.claim(claim(1, -50), at: 0, listening: 2)
    _ = arbiter.claim(claim(2, -10, hotword: 7), at: 0.1, listening: 2)
    #expect(verdicts(arbiter.advance(to: 0.25)) == [1: true])
    #expect(verdicts(arbiter.advance(to: 0.31)) == [2: true])
  }

  @Test func theEndOfAStreamDecidesItsClaims() {
    var arbiter = WakeArbiter()
    _ = arbiter.claim(claim(1, -50), at: 0, listening: 2)
    #expect(arbiter.end(2).isEmpty)
    #expect(verdicts(arbiter.end(1)) == [1: true])
  }
}
