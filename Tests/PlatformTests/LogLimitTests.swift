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
}
