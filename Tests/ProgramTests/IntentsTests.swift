import Platform
import TestServers
import Testing

/// What `hotword intents list` prints.
@Suite(.limited, .needsProgram) struct IntentsTests {
  @Test func theStandardIntentsAreListedInEightyColumns() throws {
    let outcome = try Program.run(["intents", "list"])
    #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    #expect(outcome.lines.contains("TurnOn") && outcome.lines.contains("  “turn on kitchen light”"))
    #expect(outcome.lines.contains { $0.hasPrefix("    brightness: 0 to 100") })
    #expect(outcome.output.contains("To cancel, say “cancel”, “never mind”"))
    #expect(outcome.lines.allSatisfy { $0.count <= 80 })
  }

  @Test func requirementsAreListed() throws {
    let file = try Program.file(
      "door.yaml",
      Array(
        """
        language: en-GB
        intents:
          Open:
            data: [{sentences: ["open [the] {door}"]}]
            slots: {door: {required: true}}
            voice: [ann, bob]
            confirm: "Open the {door}?"
            context: {sets: opened}
          Close:
            data: [{sentences: [close it]}]
            voice: enrolled
            context: {requires: opened}
        lists: {door: {wildcard: true}}
        """.utf8))
    let text = try Program.run(["intents", "list", "--intents", file, "--language", "en"])
    for line in [
      "  “open <door>”", "    door:       any words; required", "    who:        ann, bob only",
      "    who:        enrolled voices only", "    when:       the context opened is open",
    ] { #expect(text.lines.contains(line), "\(line): \(text.output)\(text.errors)") }
    #expect(text.output.contains("    confirmation: “Open the {door}?”"))
    let json = try #require(
      try Program.run(["intents", "list", "--intents", file, "--all", "--json"]).objects.first)
    let intents = try #require(json["intents"]?.array)
    #expect(json["language"] == "en-GB" && json["done"] == ["I'm done"] && intents.count == 2)
    #expect(intents[0]["voice"] == ["ann", "bob"] && intents[1]["voice"] == "enrolled")
    #expect(intents[0]["confirm"] == ["Open the {door}?"] && intents[1]["requires"] == ["opened"])
    #expect(intents[1]["complete"] == true && intents[1]["sentences"] == ["close it"])
    #expect(
      intents[0]["slots"] == [["name": "door", "type": "words", "required": true, "many": false]])
  }

  @Test func aWrongWordOrLanguageIsAFault() throws {
    let word = try Program.run(["intents", "lst"])
    #expect(word.code == 64 && word.onlyError?.contains("did you mean list?") == true)
    let language = try Program.run(["intents", "list", "--language", "de"])
    #expect(language.code == 69 && language.onlyError?.contains("not in 'de'") == true)
  }

  @Test(.enabled(if: PythonServer.python(with: ["websockets"]) != nil, "needs python3 with websockets"))
  func theIntentsOfAHomeAreWritten() throws {
    let server = try PythonServer("home_assistant.py", ["answers"], modules: ["websockets"])
    let folder = Program.temporaryFolder()
    let key = try Program.file("key", Array("good\n".utf8))
    let fixtures = "\(Program.root)/Tests/HomeAssistantTests/Fixtures"
    let words = [
      "intents", "homeassistant", "--url", "http://127.0.0.1:\(server.port)", "--key", key, "--sentences",
      fixtures,
    ]
    let made = try Program.run(words + ["--output", "\(folder)/home.yaml"])
    #expect(made.code == 0 && made.errors.contains("2 intents for 4 entities, 2 areas and 0 floors"))
    let understood = try Program.run([
      "understand", "--intents", "\(folder)/home.yaml", "--area", "Kitchen", "turn on the lights",
    ])
    let slots = try understood.objects.first?["slots"]
    #expect(slots?["area"]?["value"] == "Kitchen")
    let printed = try Program.run(words)
    #expect(printed.output.hasPrefix("# The intents of the home at 127.0.0.1"))

    let bad = try Program.file("key", Array("bad\n".utf8))
    let refused = try Program.run(words.map { $0 == key ? bad : $0 } + ["--output", "\(folder)/none.yaml"])
    #expect(refused.code == 77 && refused.onlyError?.contains("long-lived access token") == true)
    #expect(!Files.exists("\(folder)/none.yaml"))
    let incomplete = try Program.run(["intents", "homeassistant", "--key", key])
    #expect(incomplete.code == 64 && incomplete.onlyError?.contains("--url URL is missing") == true)
  }
}
