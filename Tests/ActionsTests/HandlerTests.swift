import Actions
import Glibc
import Platform
import Synchronization
import TestServers
import Testing
import Understanding

@Suite(.limited) struct HandlerTests {
  static let event = event("what time is it", "GetTime")

  static func event(
    _ text: String, _ intent: String?, slots: [Interpretation.Slot] = [], reply: String? = nil
  ) -> IntentEvent {
    let guess = intent.map { Interpretation.Guess(name: $0, confidence: 0.9) }
    return IntentEvent(
      time: 1.25,
      interpretation: Interpretation(
        text: text, language: "en", intent: guess, slots: slots, ranking: guess.map { [$0] } ?? [],
        status: guess == nil ? .notUnderstood : .ready, reply: reply),
      keyword: "computer")
  }

  @Test func theEventIsTheIntentLineOfTheContract() {
    let slot = Interpretation.Slot(
      name: "area", value: "kitchen", text: "the kitchen", confidence: 0.9, range: 12..<23)
    let event = Self.event("turn light in the kitchen on", "TurnOn", slots: [slot], reply: "Done.")
    #expect(
      event.json.description
        == #"{"event":"intent","time":1.25,"keyword":"computer","text":"turn light in the kitchen on","#
        + #""language":"en","intent":{"name":"TurnOn","confidence":0.9},"slots":{"area":{"value":"kitchen","#
        + #""text":"the kitchen","confidence":0.9,"range":[12,23]}},"#
        + #""ranking":[{"name":"TurnOn","confidence":0.9}],"status":"ready","prompt":null,"reply":"Done."}"#)
  }

  @Test func theFirstReplyIsReturned() throws {
    let chain = HandlerChain(["true", "echo first", "echo second"].map { CommandHandler($0) })
    #expect(try chain.handle(Self.event) == "first")
    #expect(try HandlerChain([]).handle(Self.event) == nil)
  }

  @Test func afterAFaultTheNextHandlerIsCalled() throws {
    let told = Mutex<[ActionFault]>([])
    func chain(_ commands: [String]) -> HandlerChain {
      HandlerChain(commands.map { CommandHandler($0) }) { fault in told.withLock { $0.append(fault) } }
    }
    func failed(_ status: Int32) -> ActionFault {
      .failed(command: "exit", status: status, detail: nil)
    }
    #expect(try chain(["exit 1", "true", "exit 2", "echo done"]).handle(Self.event) == "done")
    #expect(told.withLock { $0 } == [failed(1), failed(2)])
    told.withLock { $0 = [] }
    #expect(throws: failed(4)) { try chain(["exit 3", "true", "exit 4", "true"]).handle(Self.event) }
    #expect(told.withLock { $0 } == [failed(3)])
    told.withLock { $0 = [] }
    let acts = #"echo '{"actions":[{"type":"stop"}]}'"#
    #expect(try chain([acts, "exit 5"]).handle(Self.event)?.actions.count == 1)
    #expect(told.withLock { $0 } == [failed(5)])
  }

  @Test func aCancelledHandlerEndsTheChain() {
    let chain = HandlerChain([CommandHandler("sleep 30") { true }, CommandHandler("echo late")])
    #expect(throws: ActionFault.cancelled(command: "sleep")) { try chain.handle(Self.event) }
  }

  @Test func theReplyOfTheIntentFileIsReturned() throws {
    #expect(try ReplyHandler().handle(Self.event("x", "TurnOn", reply: "Done.")) == "Done.")
    #expect(try ReplyHandler().handle(Self.event("x", "TurnOn")) == nil)
  }

  @Test(arguments: [
    (1_700_000_000, "It is 10:13 PM.", "It is Tuesday, November 14, 2023."),
    (1_709_164_800, "It is 12:00 AM.", "It is Thursday, February 29, 2024."),
  ])
  func theClockAnswersInLocalTime(_ seconds: Int, _ time: String, _ date: String) throws {
    var moment = time_t(seconds)
    var local = tm()
    localtime_r(&moment, &local)
    let offset = local.tm_gmtoff
    let clock = ClockHandler { seconds - offset }
    #expect(try clock.handle(Self.event)?.reply == time)
    #expect(try clock.handle(Self.event("what day is it", "GetDate"))?.reply == date)
    #expect(try clock.handle(Self.event("lights on", "TurnOn")) == nil)
    #expect(try clock.handle(Self.event("blah", nil)) == nil)
  }

  @Test func theClockLeavesWhatTheIntentFileAnswers() throws {
    let clock = ClockHandler { 0 }
    #expect(try clock.handle(Self.event("wie spät ist es", "GetTime", reply: "Es ist spät.")) == nil)
    var event = Self.event
    event.interpretation.language = "de"
    #expect(try clock.handle(event) == nil)
    event.interpretation.language = "en-GB"
    #expect(try clock.handle(event)?.reply?.hasPrefix("It is ") == true)
    let chain = HandlerChain([CommandHandler("echo mine"), clock])
    #expect(try chain.handle(Self.event)?.reply == "mine")
  }
}
