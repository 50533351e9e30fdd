import Actions
import Networking
import Platform
import Synchronization
import TestServers
import Testing
import Understanding

@testable import WyomingServer

@Suite(.limited) struct ConversationAgentTests {
  private static let file = """
    language: en
    intents:
      HassTurnOn:
        data: [{sentences: ["turn on [the] {area} light[s]"], slots: {domain: light}}]
        slots: {area: {many: true}}
      Darken:
        data: [{sentences: ["lights off"], requires_context: {area: {slot: true}}}]
      OpenDoor:
        data: [{sentences: ["open the {door} door"]}]
        confirm: "Open the {door} door?"
    lists:
      area: {values: [kitchen, bedroom]}
      door: {values: [front, back]}
    responses: {HassTurnOn: "Turned on."}
    client_responses: {Darken: {default: "Dark in {{ slots.area }}"}, HassTurnOn: {default: "not used"}}
    rooms: {satellite.a: bedroom}
    room_ids: {satellite.a: area_7}
    """

  private struct Fake: Handler {
    let answer: @Sendable (String) throws(ActionFault) -> Answer?

    func handle(_ event: IntentEvent) throws(ActionFault) -> Answer? {
      try answer(event.interpretation.intent?.name ?? "")
    }
  }

  private func agent(_ handler: (any Handler)? = nil) throws -> ConversationAgent {
    let file = try IntentFile(parsing: Array(Self.file.utf8), name: "test.yaml")
    return try ConversationAgent(Understander(file), handler: handler)
  }

  private func answers(
    _ agent: ConversationAgent, _ text: String, in name: String = "a", from satellites: [String] = []
  ) -> [WyomingEvent] {
    let found = Mutex<[WyomingEvent]?>(nil)
    agent.answer(text, in: name, from: satellites) { events in found.withLock { $0 = events } }
    _ = Waiting.until { found.withLock { $0 != nil } }
    return found.withLock { $0 ?? [] }
  }

  @Test func anIntentIsForTheClientToCarryOut() throws {
    let events = answers(try agent(), "turn on the kitchen light")
    #expect(events.map(\.type) == ["intent"])
    #expect(events[0]["name"] == "HassTurnOn" && events[0]["text"] == "Turned on.")
    #expect(
      events[0]["entities"] == [
        ["name": "area", "value": "kitchen"], ["name": "domain", "value": "light"],
      ])
  }

  @Test func aSatellitesRoomIsTheAreaOfWhatIsSaidThere() throws {
    let agent = try agent()
    #expect(answers(agent, "lights off").map(\.type) == ["not-recognized"])
    #expect(answers(agent, "lights off", from: ["other", "x"]).map(\.type) == ["not-recognized"])
    let events = answers(agent, "lights off", from: ["unknown", "satellite.a"])
    #expect(
      events[0]["entities"] == [
        ["name": "area", "value": "bedroom"], ["name": "preferred_area_id", "value": "area_7"],
      ])
    #expect(events[0]["text"] == "Dark in {{ slots.area }}")
    #expect(answers(agent, "lights off").map(\.type) == ["not-recognized"])
  }

  @Test func severalValuesAreSeveralIntentsWithOneReply() throws {
    let events = answers(try agent(), "turn on the kitchen and bedroom lights")
    #expect(events.map(\.type) == ["intents-start", "intent", "intent", "intents-stop"])
    #expect(events[1]["entities"]?.array?.first?["value"] == "kitchen" && events[1]["text"] == .null)
    #expect(events[2]["entities"]?.array?.first?["value"] == "bedroom" && events[2]["text"] == "Turned on.")
  }

  @Test func aQuestionIsAnsweredInItsOwnConversation() throws {
    let agent = try agent()
    #expect(agent.expectedAnswers.isEmpty)
    let question = answers(agent, "open the front door")
    #expect(question.map(\.type) == ["handled"])
    #expect(question[0]["text"]?.string?.hasSuffix("?") == true)
    #expect(agent.expectedAnswers.contains("yes"))
    #expect(answers(agent, "yes", in: "b").map(\.type) == ["not-recognized"])
    let intent = answers(agent, "yes")
    #expect(intent.map(\.type) == ["intent"] && intent[0]["name"] == "OpenDoor")
    #expect(agent.expectedAnswers.isEmpty)
  }

  @Test func aHandlerRepliesDeclinesOrFails() throws {
    let agent = try agent(
      Fake { name throws(ActionFault) in
        if name == "OpenDoor" { throw .failed(command: "door", status: 1, detail: "stuck") }
        return nil
      })
    #expect(answers(agent, "turn on the kitchen light").map(\.type) == ["intent"])
    _ = answers(agent, "open the back door")
    let failed = answers(agent, "yes")
    #expect(failed.map(\.type) == ["not-handled"] && failed[0]["text"] == "Sorry, that did not work.")
    let replying = try self.agent(Fake { _ in Answer("Done.") })
    let handled = answers(replying, "turn on the kitchen light")
    #expect(handled.map(\.type) == ["handled"] && handled[0]["text"] == "Done.")
  }

  @Test func anotherIntentFileIsUnderstoodAndItsRoomsAreKnown() throws {
    let agent = try agent()
    _ = answers(agent, "open the front door")
    let renamed = Self.file.replacing("kitchen, bedroom", with: "kitchen, attic")
      .replacing("satellite.a: bedroom", with: "satellite.a: attic")
    let file = try IntentFile(parsing: Array(renamed.utf8), name: "test.yaml")
    try agent.replace(with: Understander(file))
    #expect(answers(agent, "turn on the attic light").map(\.type) == ["intent"])
    #expect(answers(agent, "turn on the bedroom light").map(\.type) == ["not-recognized"])
    #expect(
      answers(agent, "lights off", from: ["satellite.a"]).first?["text"]?.string == "Dark in {{ slots.area }}"
    )
    // The question of before is forgotten.
    #expect(answers(agent, "yes").map(\.type) == ["not-recognized"])
  }

  @Test func theOldestOfManyConversationsAreForgotten() throws {
    let agent = try agent()
    _ = answers(agent, "open the front door", in: "old")
    for index in 0..<300 { _ = answers(agent, "open the front door", in: "\(index)") }
    #expect(answers(agent, "yes", in: "old").map(\.type) == ["not-recognized"])
    #expect(answers(agent, "yes", in: "299").map(\.type) == ["intent"])
  }
}
