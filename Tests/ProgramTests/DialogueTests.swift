import AudioCapture
import Platform
import TestServers
import Testing

/// Conversations through the program: typed, and in the service.
@Suite(.limited, .needsProgram, .serialized) struct DialogueTests {
  static let door = """
    language: en
    intents:
      OpenDoor:
        data: [{sentences: ["open the door [of [the] {room}]"]}]
        slots: {room: {list: room, required: true, prompt: "Which room?"}}
        confirm: "Open the {room}?"
      Secret:
        data: [{sentences: ["open the safe"]}]
        voice: enrolled
    lists: {room: {values: [hall, cellar]}}
    responses: {OpenDoor: "The {room} is open.", Secret: "The safe is open."}

    """

  private func intents() throws -> String { try Program.file("door.yaml", Array(Self.door.utf8)) }

  @Test func aSentenceAloneTellsWhatItNeeds() throws {
    let words = ["understand", "--intents", try intents(), "open the door", "hall", "open the safe"]
    let lines = try Program.run(words).objects
    #expect(lines.map { $0["status"]?.string } == ["needsValue", "notUnderstood", "unsupported"])
    #expect(lines[0]["prompt"] == "Which room?")
    #expect(lines[2]["reply"]?.string?.isEmpty == false)
    let ann = try Program.run(["understand", "--intents", try intents(), "--speaker", "ann", "open the safe"])
    #expect(try ann.objects.first?["reply"] == "The safe is open.")
  }

  @Test func theTurnsOfADialogueBelongTogether() throws {
    let turns = "open the door\nhall\nno, the cellar\nyes\n"
    let outcome = try Program.run(
      ["understand", "--intents", try intents(), "--dialogue", "-"], input: Array(turns.utf8))
    let lines = try outcome.objects
    #expect(
      lines.map { $0["status"]?.string } == ["needsValue", "needsConfirmation", "needsConfirmation", "ready"])
    #expect(
      lines.map { $0["prompt"]?.string ?? $0["reply"]?.string }
        == ["Which room?", "Open the hall?", "Open the cellar?", "The cellar is open."])
  }

  /// The service on a recording, heard as the lines of `texts`, one at each listening.
  private func run(
    _ texts: [String], _ more: [String] = [], on recording: String? = nil
  ) throws -> Program.Outcome {
    try Program.run(
      [
        "run", "--events", "json", "--input", try recording ?? Recordings.orderAndAnswer(), "--intents",
        try intents(), "--recognizer", try ScriptedRecognizer.hearing(texts),
      ] + more)
  }

  private func names(_ outcome: Program.Outcome) throws -> [String] {
    try outcome.objects.compactMap { $0["event"]?.string }.filter { $0 != "ready" && $0 != "partial" }
  }

  @Test func aPromptIsAnsweredWithoutTheHotword() throws {
    let outcome = try run(["open the door of the cellar", "yes"])
    let asked = ["wake", "listening", "transcript", "intent", "prompt"]
    let done = ["listening", "transcript", "intent", "action", "reply", "idle"]
    #expect(try names(outcome) == asked + done)
    let events = try outcome.objects
    #expect(events.first { $0["event"] == "prompt" }?["text"] == "Open the cellar?")
    #expect(events.first { $0["event"] == "reply" }?["text"] == "The cellar is open.")
  }

  @Test func whatIsTakenBackReachesNoHandler() throws {
    let outcome = try run(
      ["open the door of the hall", "never mind"], ["--handler", "command:echo done it"])
    #expect(!outcome.output.contains("done it"))
    #expect(try names(outcome).suffix(3) == ["intent", "reply", "idle"])
    #expect(try outcome.objects.last?["reason"] == "cancelled")
  }

  @Test func aVoiceThatMayNotReachesNoHandler() throws {
    let outcome = try run(
      ["open the safe", "open the safe"], ["--handler", "command:echo done it"],
      on: Recordings.twoOrders())
    #expect(!outcome.output.contains("done it"))
    let refused = ["wake", "listening", "transcript", "intent", "error", "reply", "idle"]
    #expect(try names(outcome) == refused + refused)
    let fault = try outcome.objects.first { $0["event"] == "error" }
    #expect(fault?["code"] == 77)
    #expect(fault?["message"] == "Secret needs an enrolled voice; the speaker is not enrolled")
    #expect(outcome.errors.contains("refused: Secret needs an enrolled voice"))
  }

  @Test func theStoppingPhraseBelongsToNothing() throws {
    let outcome = try run(["open the door of the hall I'm done", "yes"])
    #expect(try outcome.objects.first { $0["event"] == "prompt" }?["text"] == "Open the hall?")
  }
}
