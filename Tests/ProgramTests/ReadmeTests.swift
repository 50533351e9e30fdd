import Platform
import TestServers
import Testing

/// Everything that the README shows works.
@Suite(.limited, .needsProgram) struct ReadmeTests {
  /// The indented blocks' lines, without their indent.
  private static let lines: [String] = {
    let bytes = (try? Files.read("\(Program.root)/README.md")) ?? []
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.hasPrefix("    ") ? String($0.dropFirst(4)) : "" }
  }()

  /// Each command with the lines shown below it.
  private static let commands: [(line: String, shown: [String])] = lines.indices
    .filter { lines[$0].hasPrefix("$ ") }
    .map { index in
      let shown = lines[(index + 1)...].prefix { !$0.isEmpty && !$0.hasPrefix("$ ") }
      return (String(lines[index].dropFirst(2)), Array(shown))
    }

  /// The line with each number replaced: times and scores belong to the model.
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

  @Test func itBeginsWithTheSetUp() {
    #expect(Self.lines.first { !$0.isEmpty }?.hasPrefix("make run") == true)
    #expect(Self.lines.contains { $0.hasPrefix("make test") })
  }

  @Test func shownOutputMatchesTheProgram() throws {
    let shown = Self.commands.filter { !$0.shown.isEmpty }
    #expect(shown.count >= 3)
    for (line, lines) in shown {
      // Unpaced, so that a machine busy with tests has the time it needs.
      let outcome = try Program.shell(line.replacing(" --pace", with: ""))
      #expect(outcome.code == 0, "\(line): \(outcome.errors)")
      #expect(outcome.lines.map(Self.masked) == lines.map(Self.masked), "\(line)")
    }
  }

  @Test func everyShownOptionExists() throws {
    #expect(Self.commands.count >= 10)
    for (line, _) in Self.commands {
      let words = line.split(separator: " ").map(String.init).drop { $0 != "hotword" }
      let name = try #require(words.dropFirst().first, "\(line)")
      let help = try Program.run([name, "--help"])
      #expect(help.code == 0, "\(line)")
      for option in words where option.hasPrefix("--") {
        let name = option.prefix { $0 != "=" }
        #expect(help.output.contains("  \(name)"), "\(line): \(option)")
      }
    }
  }

  @Test func theShownConfigurationIsAccepted() throws {
    let start = try #require(Self.lines.firstIndex { $0.hasPrefix("input: ") })
    var settings = Array(Self.lines[start...].prefix { !$0.isEmpty })
    settings = settings.map { $0.hasPrefix("# ") ? String($0.dropFirst(2)) : $0 }
    let shipped = try String(decoding: Files.read("\(Program.root)/Packaging/config.yaml"), as: UTF8.self)
    let keys = Self.keys(settings)
    #expect(keys.count >= 29)
    #expect(keys == Self.keys(shipped.split(separator: "\n").map(String.init)))
    settings[0] = "input: \(Program.recording)"
    let elsewhere = ["intents:", "keep:", "understanding:", "metrics:", "hermes:"]
    settings.removeAll { line in elsewhere.contains { line.hasPrefix($0) } }
    let text = settings.joined(separator: "\n") + "\n"
    let outcome = try Program.run(["run", "--config", try Program.file("all.yaml", Array(text.utf8))])
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("wake"))
  }

  /// The keys of a configuration, those that are commented out too, sorted.
  private static func keys(_ lines: [String]) -> [String] {
    lines.compactMap { line in
      let text = line.hasPrefix("# ") ? line.dropFirst(2) : line[...]
      guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix(": ") else { return nil }
      let key = text[..<colon]
      return key.allSatisfy { $0.isLowercase || $0 == "-" } ? String(key) : nil
    }.sorted()
  }

  @Test func theShownIntentFileIsAccepted() throws {
    let start = try #require(Self.lines.firstIndex { $0.hasPrefix("language: ") })
    let text = Self.lines[start...].prefix { !$0.isEmpty }.joined(separator: "\n") + "\n"
    let path = try Program.file("coffee.yaml", Array(text.utf8))
    let outcome = try Program.run(["understand", "--intents", path, "brew me a large coffee please"])
    #expect(try outcome.objects.first?["slots"]?["size"]?["value"]?.string == "large")
  }
}
