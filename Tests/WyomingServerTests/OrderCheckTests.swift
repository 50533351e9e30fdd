import TestServers
import Testing
import Understanding

@testable import WyomingServer

@Suite(.limited) struct OrderCheckTests {
  private let speakers = OrderSpeakers()

  private func check(onlyVoices: Bool = false, isBy: @escaping @Sendable ([Int16], String) -> Bool)
    -> OrderCheck
  {
    OrderCheck(speakers, isBy: isBy, onlyVoices: onlyVoices)
  }

  @Test func anOrderByTheVoiceOfTheHotwordIsThatVoices() {
    speakers.noteHotword(by: "ann", host: "kitchen")
    let order = check { $0 == [1, 2, 3] && $1 == "ann" }.begin(host: "kitchen")
    order.append([1, 2])
    order.append([3])
    #expect(order.end("open the door"))
    #expect(speakers.speaker(of: "open the door", host: "kitchen") == .enrolled("ann"))
  }

  @Test func anOrderByAnotherVoiceIsNobodys() {
    speakers.noteHotword(by: "ann", host: "kitchen")
    let order = check { _, _ in false }.begin(host: "kitchen")
    #expect(order.end("open the door"))
    #expect(speakers.speaker(of: "open the door", host: "kitchen") == .notEnrolled)
  }

  @Test func anOrderByAnotherVoiceIsRefusedWhereOnlyVoicesCount() {
    speakers.noteHotword(by: "ann", host: "kitchen")
    let order = check(onlyVoices: true) { _, _ in false }.begin(host: "kitchen")
    #expect(!order.end("open the door"))
    #expect(speakers.speaker(of: "open the door", host: "kitchen") == .undetermined)
  }

  @Test func withoutAHotwordNothingIsCompared() {
    let order = check(onlyVoices: true) { _, _ in false }.begin(host: "kitchen")
    order.append([1])
    #expect(order.end("open the door"))
    #expect(speakers.speaker(of: "open the door", host: "kitchen") == .undetermined)
  }
}
