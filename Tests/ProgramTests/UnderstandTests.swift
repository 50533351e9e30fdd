import Glibc
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

  @Test func inTwoHoursIsAlsoRightWhereDaylightSavingTimeBeginsBetween() throws {
    let file = try Program.file(
      "time.yaml", Array(#"{language: en, intents: {A: {data: [{sentences: ["{time:x}"]}]}}}"#.utf8))
    var now = time(nil) + 3_600
    var change = tm()
    gmtime_r(&now, &change)
    // One hour from now the clocks go from UTC to an hour ahead of it.
    let zone = "AAA0BBB,\(change.tm_yday)/\(change.tm_hour):\(change.tm_min),\((change.tm_yday + 180) % 365)"
    let outcome = try Program.shell(
      """
      date -u -d '3 hours' +%H:%M
      TZ='\(zone)' hotword understand --intents \(file) 'in two hours'
      date -u -d '3 hours' +%H:%M
      """)
    let lines = outcome.lines
    try #require(lines.count == 3, "\(outcome)")
    let said = try JSON(parsing: Array(lines[1].utf8), what: "a line")["slots"]?["x"]?["value"]?.string
    #expect(said == lines[0] || said == lines[2], "\(outcome.output)")
  }

  @Test func sentencesComeFromStandardInputLineByLine() throws {
    let sentences = "what time is it\nthe cat sat on the mat\n"
    let outcome = try Program.run(["understand", "-"], input: Array(sentences.utf8))
    let statuses = try outcome.objects.map { $0["status"]?.string }
    #expect(statuses == ["ready", "notUnderstood"])
  }
}
