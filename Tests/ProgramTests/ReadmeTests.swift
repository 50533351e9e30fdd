import Platform
import TestServers
import Testing

/// What the README and the manual show is what the program accepts and prints.
@Suite(.limited, .needsProgram) struct ReadmeTests {
  /// The line with each number replaced: times and scores depend on the model.
  private static func masked(_ line: String) -> String {
    var text = ""
    for character in line {
      if character.isNumber || character == "." && text.hasSuffix("#") {
        if !text.hasSuffix("#") { text.append("#") }
      } else {
        text.append(character)
      }
    }
    return text
  }

  @Test func theReadmeIsShortAndOpensWithTheSetUp() throws {
    let readme = try MarkdownPage("README.md")
    #expect(readme.lines.count <= 201, "the last line is empty")
    let first = try #require(readme.blocks.first)
    #expect(first.lines.first?.hasPrefix("$ make run") == true)
    #expect(first.lines.contains { $0.hasPrefix("$ make test") })
    #expect(readme.lines.firstIndex { $0.hasPrefix("```") }! < 10)
  }

  @Test func theShownOutputIsWhatTheProgramPrints() throws {
    var count = 0
    for page in try MarkdownPage.all() where page.path != "Documentation/commands.md" {
      for command in page.commands where !command.shown.isEmpty {
        count += 1
        // Unpaced, so that a machine busy with tests has the time it needs.
        let outcome = try Program.shell(command.line.replacing(" --pace", with: ""))
        #expect(outcome.code == 0, "\(page.path): \(command.line): \(outcome.errors)")
        #expect(
          outcome.lines.map(Self.masked) == command.shown.map(Self.masked), "\(page.path): \(command.line)")
      }
    }
    #expect(count >= 5)
  }

  @Test func theConfigurationShownIsValid() throws {
    let page = try MarkdownPage("Documentation/configuration.md")
    var settings = try #require(page.blocks("yaml").first).lines
      .map { $0.hasPrefix("# ") ? String($0.dropFirst(2)) : $0 }
    settings[0] = "input: \(Program.recording)"
    let elsewhere = ["intents:", "keep:", "understanding:", "metrics:", "hermes:"]
    settings.removeAll { line in elsewhere.contains { line.hasPrefix($0) } }
    let text = settings.joined(separator: "\n") + "\n"
    let outcome = try Program.run(["run", "--config", try Program.file("all.yaml", Array(text.utf8))])
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("wake"))
  }

  @Test func theIntentFilesShownAreValid() throws {
    func understand(_ page: String, _ words: String, _ texts: [String]) throws -> JSON? {
      let blocks = try MarkdownPage("Documentation/\(page).md").blocks("yaml")
      let block = try #require(blocks.first { $0.text.hasPrefix("language: ") && $0.text.contains(words) })
      let path = try Program.file("intents.yaml", Array(block.text.utf8))
      let outcome = try Program.run(["understand", "--intents", path, "--dialogue"] + texts)
      #expect(outcome.code == 0, "\(page): \(outcome.errors)")
      return try outcome.objects.last
    }
    let coffee = try understand("understand", "MakeCoffee", ["brew me a large coffee please"])
    #expect(coffee?["slots"]?["size"]?["value"]?.string == "large")
    #expect(coffee?["reply"]?.string == "A large coffee is on its way.")
    let list = try understand("understand", "ChangeList", ["I need some milk"])
    #expect(list?["intent"]?["name"]?.string == "ChangeList")
    let ride = try understand(
      "dialogue", "BookRide", ["book me a limo from home", "to the airport", "no, to the hotel", "yes"])
    #expect(ride?["status"]?.string == "ready")
    #expect(ride?["slots"]?["to"]?["value"]?.string == "hotel")
  }
}
