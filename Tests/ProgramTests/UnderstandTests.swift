import Platform
import TestServers
import Testing

@Suite(.limited, .needsProgram) struct UnderstandTests {
  @Test func anIntentHasItsSlotsAndReply() throws {
    let outcome = try Program.run(["understand", "turn on the kitchen light"])
    let line = try #require(try outcome.objects.first)
    #expect(line["intent"]?["name"]?.string == "TurnOn")
    #expect(line["slots"]?["area"]?["value"]?.string == "kitchen")
    #expect(line["status"]?.string == "ready")
    #expect(line["reply"]?.string?.isEmpty == false)
    let names = ["text", "language", "intent", "slots", "ranking", "status", "prompt", "reply"]
    #expect(line.members?.map(\.name) == names)
    #expect(outcome.output.hasPrefix(#"{"text":"turn on the kitchen light","language":"en","intent":"#))
  }

  @Test func sentencesComeFromStandardInputLineByLine() throws {
    let sentences = "what time is it\nthe cat sat on the mat\n"
    let outcome = try Program.run(["understand", "-"], input: Array(sentences.utf8))
    let statuses = try outcome.objects.map { $0["status"]?.string }
    #expect(statuses == ["ready", "notUnderstood"])
  }
}
