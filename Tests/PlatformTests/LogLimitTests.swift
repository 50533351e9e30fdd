import Platform
import TestServers
import Testing

@Suite(.limited) struct LogLimitTests {
  @Test func tenMessagesAtOnceThenOneEverySixSecondsWithTheNumberLeftOut() {
    var limit = LogLimit()
    let start = 1_000.0
    #expect((0..<10).allSatisfy { _ in limit.admit(at: start) == 0 })
    #expect((0..<500).allSatisfy { limit.admit(at: start + Double($0) / 100) == nil })
    #expect(limit.admit(at: start + 6) == 500)
    #expect(limit.admit(at: start + 6) == nil)
    #expect(limit.admit(at: start + 12) == 1)
    // After a quiet minute all is as at first.
    #expect((0..<10).allSatisfy { _ in limit.admit(at: start + 100) == 0 })
    #expect(limit.admit(at: start + 100) == nil)
  }

  @Test func aPeerWithManyMessagesSilencesNoOther() {
    var limits = PeerLimits()
    #expect((0..<100).filter { _ in limits.admit("10.0.0.1", at: 5) != nil }.count == 10)
    #expect(limits.admit("10.0.0.2", at: 5) == 0)
    // Those that were last heard of are remembered, and no more of them than the limit.
    for number in 0..<1_000 { _ = limits.admit("10.1.0.\(number)", at: 6 + Double(number) / 1_000) }
    #expect(limits.admit("10.0.0.1", at: 7) == 0)
  }
}
