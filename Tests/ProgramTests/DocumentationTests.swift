import Assistant
import Clips
import Configuration
import Platform
import TestServers
import Testing
import TextProcessing

/// The manual has every command, option and key that the program has, and no other.
@Suite(.limited, .needsProgram) struct DocumentationTests {
  /// The options of a command's help; the value says whether one takes a value.
  private static func options(of help: String) -> [String: Bool] {
    var options: [String: Bool] = [:]
    for line in help.split(separator: "\n") where line.hasPrefix("  --") {
      let words = line.split(separator: " ")
      let name = words[0].prefix { $0 != "[" }
      options[String(name)] =
        words.count > 1 && line.hasPrefix("  \(words[0]) \(words[1])") && !words[0].contains("[")
    }
    return options
  }

  private static func commands() throws -> [String: [String: Bool]] {
    let overview = try Program.run(["--help"]).lines
    let names = overview.filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }
      .compactMap { $0.split(separator: " ").first.map(String.init) }
    #expect(names.count > 15)
    var commands: [String: [String: Bool]] = [:]
    for name in names { commands[name] = options(of: try Program.run([name, "--help"]).output) }
    return commands
  }

  /// The words of the `hotword` commands in a line of shell, without the program's name.
  private static func invocations(in line: String) -> [[String]] {
    var words: [String] = []
    var found: [[String]] = []
    var word: String?
    var quote: Character?
    func take() {
      if let text = word { words.append(text) }
      word = nil
    }
    func end() {
      take()
      if words.first == "hotword" { found.append(Array(words.dropFirst())) }
      words = []
    }
    for character in line {
      if let open = quote {
        if character == open { quote = nil } else { word?.append(character) }
      } else if character == "'" || character == "\"" {
        quote = character
        word = word ?? ""
      } else if character == " " {
        take()
      } else if "|&;".contains(character) {
        end()
      } else if character == "#", word == nil {
        break
      } else {
        word = (word ?? "") + String(character)
      }
    }
    end()
    return found
  }

  /// The pages, and the READMEs beside the sources.
  private static func everyPage() throws -> [MarkdownPage] {
    let listed = try Program.shell("find Sources Examples Benchmarks -name '*.md' | sort").lines
    #expect(listed.count > 5)
    return try MarkdownPage.all() + listed.map { try MarkdownPage($0) }
  }

  @Test func everyCommandLineShownIsValid() throws {
    let commands = try Self.commands()
    var count = 0
    for page in try MarkdownPage.all() {
      for line in page.commands.map(\.line) {
        for words in Self.invocations(in: line) {
          count += 1
          let name = try #require(words.first, "\(page.path): \(line)")
          let options = try #require(commands[name], "\(page.path): \(line)")
          var rest = words.dropFirst()
          while let word = rest.popFirst(), word != "--" {
            guard word.hasPrefix("--") else { continue }
            let takesValue = options[String(word.prefix { $0 != "=" })]
            #expect(takesValue != nil, "\(page.path): \(line): \(word)")
            if takesValue == true, !word.contains("=") {
              #expect(rest.popFirst() != nil, "\(page.path): \(line): \(word)")
            }
          }
        }
      }
    }
    #expect(count > 60)
  }

  @Test func everyLineShownIsOneThatAShellUnderstands() throws {
    for page in try MarkdownPage.all() {
      for line in page.commands.map(\.line) {
        let outcome = try Subprocess(["bash", "-n", "-c", line]).run(timeout: 10)
        #expect(outcome.ending == .exited(0), "\(page.path): \(line)")
      }
    }
  }

  @Test func everyOptionIsInItsPageOfTheManual() throws {
    let pages = try MarkdownPage.all().filter { $0.path != "Documentation/commands.md" }
    for (command, options) in try Self.commands() {
      let about = pages.filter { page in page.lines.contains { $0.contains("hotword \(command)") } }
      #expect(!about.isEmpty, "no page has 'hotword \(command)'")
      for option in options.keys where option != "--help" {
        #expect(
          about.contains { page in
            page.rows.contains { row in
              row.contains { $0.contains("`\(option)`") || $0.contains("`\(option) ") }
            }
          }, "no page about 'hotword \(command)' has a table with \(option)")
      }
    }
  }

  @Test func everyOptionInATableExists() throws {
    let known = Set(try Self.commands().values.flatMap(\.keys))
    for page in try MarkdownPage.all() {
      for name in page.rows.compactMap(\.first) where name.hasPrefix("`--") {
        for option in name.split(separator: "`") where option.hasPrefix("--") {
          let word = String(option.prefix { $0 != " " && $0 != "=" && $0 != "[" })
          #expect(known.contains(word), "\(page.path): \(word)")
        }
      }
    }
  }

  @Test func everyTestThatTheManualNamesExists() throws {
    let sources = try Files.list(below: "\(Program.root)/Tests").filter { $0.hasSuffix("Tests.swift") }
    var count = 0
    for cell in try MarkdownPage("Documentation/robustness.md").rows.flatMap({ $0 }) {
      let parts = cell.filter { $0 != "`" }.split(separator: ".")
      guard cell.hasPrefix("`"), parts.count == 2, parts[0].hasSuffix("Tests") else { continue }
      count += 1
      let hasTest = try sources.contains { path in
        guard path.hasSuffix("/\(parts[0]).swift") else { return false }
        return String(decoding: try Files.read(path), as: UTF8.self).contains("func \(parts[1])(")
      }
      #expect(hasTest, "\(cell)")
    }
    #expect(count > 25)
  }

  @Test func theListOfCommandsIsMadeFromTheProgram() throws {
    let made = try Program.shell("Documentation/commands")
    #expect(made.code == 0, "\(made.errors)")
    let kept = String(decoding: try Files.read("\(Program.root)/Documentation/commands.md"), as: UTF8.self)
    #expect(made.output == kept, "the help texts have changed; run 'make docs'")
  }

  @Test func everyExitCodeIsListed() throws {
    let cells = Set(try MarkdownPage("Documentation/commands.md").rows.flatMap { $0 })
    for code in 0...255 where ExitCode(rawValue: Int32(code)) != nil { #expect(cells.contains("\(code)")) }
  }

  @Test func theKeysAreTheServices() throws {
    func keys(_ lines: [String]) -> [String] {
      lines.compactMap { line in
        let text = line.hasPrefix("# ") ? line.dropFirst(2) : line[...]
        guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix(": ") else { return nil }
        let key = text[..<colon]
        return key.allSatisfy { $0.isLowercase || $0 == "-" } ? String(key) : nil
      }.sorted()
    }
    let page = try MarkdownPage("Documentation/configuration.md")
    let known = ServiceSettings.keys.sorted()
    #expect(keys(try #require(page.blocks("yaml").first).lines) == known)
    #expect(keys(try MarkdownPage("Packaging/config.yaml").lines) == known)
    let listed = page.rows.compactMap(\.first).filter { $0.hasPrefix("`") }.map { $0.filter { $0 != "`" } }
    #expect(listed.sorted() == known)
  }

  @Test func everyPlugInIsListed() throws {
    // A name that does not exist makes the program list those that do.
    let kinds = [
      ("recognize", "transcribe --recognizer nonsense \(Program.recording)"),
      ("understand", "understand --understanding nonsense:http://localhost text"),
      ("act-and-speak", "run --check --handler nonsense --input \(Program.recording)"),
    ]
    let others: Set = ["give", "use", "each", "with", "or", "one", "of", "and"]
    for (name, line) in kinds {
      let message = try Program.shell("hotword \(line)").errors
      let list = try #require(message.split(separator: ";").last { $0.contains("HOST") }, "\(message)")
      let words = list.split { !($0.isLowercase && $0.isASCII) }.map(String.init).filter {
        !others.contains($0)
      }
      let cells = try MarkdownPage("Documentation/\(name).md").rows.compactMap(\.first).joined(separator: " ")
      #expect(words.count > 4, "\(message)")
      for word in words { #expect(cells.contains(word), "\(name).md has no \(word)") }
    }
  }

  @Test func everyTypeLabelAndReasonIsListed() throws {
    func cells(_ page: String) throws -> String {
      try MarkdownPage("Documentation/\(page).md").rows.flatMap { $0 }.joined(separator: " ")
    }
    let understand = try cells("understand")
    for kind in EntityKind.allCases { #expect(understand.contains("`\(kind.rawValue)`")) }
    let improve = try cells("improve")
    for label in Label.allCases { #expect(improve.contains("\(label.rawValue)`")) }
    let listen = try cells("listen")
    for reason in AssistantEvent.IdleReason.allCases { #expect(listen.contains("`\(reason.rawValue)`")) }
  }

  @Test func everyMetricIsListed() throws {
    let service = try Program.shell(
      """
      hotword run --input \(Program.recording) --pace --metrics 127.0.0.1:0 >/dev/null 2>$HOME/log & pid=$!
      for attempt in $(seq 100); do
        address=$(sed -n 's/.*\\(http:[^ ]*metrics\\).*/\\1/p' $HOME/log)
        [ -z "$address" ] || break
        sleep 0.1
      done
      curl -s $address; kill $pid; wait
      """)
    let names = service.lines.filter { $0.hasPrefix("# TYPE ") }.map { $0.split(separator: " ")[2] }
    #expect(names.count > 10, "\(service.errors)")
    let cells = try MarkdownPage("Documentation/operation.md").rows.compactMap(\.first)
    for name in names { #expect(cells.contains { $0.contains("`\(name)`") }, "\(name)") }
  }

  @Test func everyModuleIsListed() throws {
    let groups = try Files.names(in: "\(Program.root)/Sources").filter { $0 != "CLibraries" }
    let modules = try groups.flatMap { try Files.names(in: "\(Program.root)/Sources/\($0)") }
    let listed = try MarkdownPage("Documentation/architecture.md").rows.compactMap(\.first)
    #expect(modules.count > 25)
    for module in modules { #expect(listed.contains("`\(module)`"), "\(module)") }
    for group in groups { #expect(listed.contains("**\(group)**"), "\(group)") }
  }

  @Test func linksLeadSomewhere() throws {
    let pages = try Self.everyPage()
    for page in pages {
      let folder = page.path.split(separator: "/").dropLast().joined(separator: "/")
      for link in page.links where !link.contains("://") {
        let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(
          String.init)
        let path = parts[0].isEmpty ? page.path : folder.isEmpty ? parts[0] : "\(folder)/\(parts[0])"
        #expect(Files.exists("\(Program.root)/\(path)"), "\(page.path): \(link)")
        guard parts.count > 1, Files.exists("\(Program.root)/\(path)") else { continue }
        #expect(try MarkdownPage(path).anchors.contains(parts[1]), "\(page.path): \(link)")
      }
    }
    let manual = try MarkdownPage("Documentation/README.md")
    for page in pages where page.path.hasPrefix("Documentation/") && page.path != manual.path {
      #expect(manual.links.contains(String(page.path.dropFirst("Documentation/".count))), "\(page.path)")
    }
  }

  @Test func everyPageOpensWithAnExample() throws {
    let reference = ["README", "commands", "glossary", "architecture"].map { "Documentation/\($0).md" }
    for page in try MarkdownPage.all() where !reference.contains(page.path) && page.path != "README.md" {
      let example = page.lines.firstIndex { $0.hasPrefix("```") } ?? Int.max
      #expect(example < 5, "\(page.path)")
    }
  }

  @Test func theWordsAreTheGlossarys() throws {
    // Patterns that do not match themselves, so that a search for the words finds none.
    let avoided = try [
      "h[e]ed(s|ed|ing)?", "m[e]nd(s|ed)?", "after[g]low", "fore[t]ell", "told [a]part", "for [g]ood",
      "stands [io]n",
      "second [l]ook", "forth and [b]ack", "kept [a]side", "learned [f]rom", "no[b]ody",
    ].map { try Regex("\\b(\($0))\\b").ignoresCase() }
    for page in try MarkdownPage.all() where page.path != "Documentation/commands.md" {
      for (number, line) in page.lines.enumerated() {
        for word in avoided {
          #expect(line.firstMatch(of: word) == nil, "\(page.path):\(number + 1): \(line)")
        }
      }
    }
    let glossary = try MarkdownPage("Documentation/glossary.md")
    #expect(glossary.rows.count > 40)
    let terms = glossary.rows.dropFirst().compactMap(\.first)
    #expect(terms == terms.sorted { $0.lowercased() < $1.lowercased() })
  }
}
