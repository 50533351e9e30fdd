import Actions
import Platform
import TestServers
import Testing
import Understanding

@Suite(.limited) struct TimersTests {
  @Test func everyTimerExpiresOnceAtItsEnd() {
    var timers = Timers()
    timers.set(seconds: 3, name: "tea", at: 0)
    timers.set(seconds: 1, at: 16_000)
    timers.set(seconds: 1, name: "egg", at: 16_000)
    var rung = timers.advance(to: 31_999)
    #expect(rung == [])
    rung = timers.advance(to: 32_000)
    #expect(rung.map(\.name) == [nil, "egg"])
    rung = timers.advance(to: 32_000)
    #expect(rung == [])
    // A gap in the stream may include the ends of several timers.
    timers.set(seconds: 1, name: "late", at: 40_000)
    rung = timers.advance(to: 900_000)
    #expect(rung.map(\.name) == ["tea", "late"])
    #expect(timers.running.isEmpty)
  }

  @Test func timersAreCancelledByNameLastOrAll() {
    var timers = Timers()
    for name in ["tea", "Egg", nil] { timers.set(seconds: 9, name: name, at: 0) }
    timers.reset(.named("egg"))
    #expect(timers.running.map(\.name) == ["tea", nil])
    timers.reset(.latest)
    #expect(timers.running.map(\.name) == ["tea"])
    timers.reset(.all)
    timers.reset(.latest)
    #expect(timers.running.isEmpty)
  }

  @Test func timersOutOfRangeAreRejected() {
    var timers = Timers()
    for seconds in [-1, .nan, .infinity, Timers.longest + 1] {
      let isSet = timers.set(seconds: seconds, at: 0)
      #expect(!isSet)
    }
    for _ in 0...Timers.limit { timers.set(seconds: 1, at: 0) }
    #expect(timers.running.count == Timers.limit)
  }

  private static func slot(_ name: String, _ value: JSON) -> Interpretation.Slot {
    Interpretation.Slot(name: name, value: value, text: "", confidence: 1, range: nil)
  }

  @Test func theStandardIntentsSetAndCancelTimers() throws {
    var timers = Timers()
    timers.set(seconds: 63, name: "egg", at: 0)
    let running = timers
    let handler = TimerHandler { (running, 16_000) }
    func answer(_ intent: String, _ slots: [Interpretation.Slot]) throws -> Answer? {
      try handler.handle(HandlerTests.event("x", intent, slots: slots, reply: "Okay."))
    }
    let set = try answer(
      "StartTimer", [Self.slot("hours", 1), Self.slot("minutes", 30), Self.slot("name", "pasta")])
    #expect(set == Answer("Okay.", actions: [.timer(seconds: 5400, name: "pasta")]))
    #expect(try answer("StartTimer", []) == nil)
    for seconds in [0, 864_000] as [JSON] {
      let refused = try answer("StartTimer", [Self.slot("duration", seconds)])
      #expect(refused == "A timer can run for a second to a week.")
    }
    var many = Timers()
    for _ in 0..<Timers.limit { many.set(seconds: 1, at: 0) }
    let full = TimerHandler { [many] in (many, 0) }
    let start = HandlerTests.event("x", "StartTimer", slots: [Self.slot("minutes", 1)], reply: "Okay.")
    #expect(try full.handle(start) == "There are 100 timers already.")
    #expect(try answer("CancelTimer", [Self.slot("all", true)])?.actions == [.timerReset(.all)])
    #expect(try answer("CancelTimer", [Self.slot("name", "tea")]) == "There is no tea timer.")
    #expect(try answer("TimerStatus", []) == "1 minute and 2 seconds left on the egg timer.")
    #expect(
      try TimerHandler { (Timers(), 0) }.handle(HandlerTests.event("x", "TimerStatus"))
        == "No timer is running.")
    #expect(try answer("TurnOn", []) == nil)
  }

  @Test func actionsOfOneHandlerGoWithTheReplyOfTheNext() throws {
    let act = CommandHandler(#"echo '{"actions":[{"type":"stop"}]}'"#)
    let both = try HandlerChain([act, CommandHandler("echo Fine.")]).handle(HandlerTests.event)
    #expect(both == Answer("Fine.", actions: [Action(json: ["type": "stop"])!]))
    #expect(try HandlerChain([act]).handle(HandlerTests.event)?.reply == nil)
  }
}
