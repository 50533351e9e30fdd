import CommandLineParsing
import HotwordProgram
import TestServers
import Testing

/// The completions that bash offers for the last of `words`.
private func offers(_ words: [String], _ commands: [CommandDefinition] = SmallTable.commands) throws
  -> [String]
{
  let quoted = words.map { "'\($0)'" }.joined(separator: " ")
  // Outside a completion there is no compopt; this one prints its arguments.
  let line = """
    bash -c '. ./script; compopt() { echo "files: $*"; }; hotword() { printf "computer\\tx\\njarvis\\ty\\n"; }
    COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _hotword hotword; printf "%s\\n" "${COMPREPLY[@]}"' bash \(quoted)
    """
  let files = ["script": ShellCompletions.text(for: "bash", commands) ?? ""]
  return try SmallTable.shell(line, files: files).output.split(separator: "\n").map(String.init)
}

@Suite(.limited) struct CompletionsTests {
  @Test(arguments: ["bash", "zsh", "fish"])
  func aScriptMatchesItsFixture(_ shell: String) throws {
    let script = try #require(ShellCompletions.text(for: shell, SmallTable.commands))
    #expect(try script == SmallTable.fixture("completions.\(shell)"))
  }

  @Test(arguments: ["bash", "zsh", "fish"].filter(SmallTable.has))
  func theShellParsesTheScript(_ shell: String) throws {
    let script = try #require(ShellCompletions.text(for: shell, CommandList.definitions))
    let checked = try SmallTable.shell("\(shell) -n script", files: ["script": script])
    #expect(checked.code == 0 && checked.output.isEmpty, "\(checked.output)")
  }

  @Test func anUnknownShellHasNoScript() {
    #expect(ShellCompletions.text(for: "tcsh", SmallTable.commands) == nil)
  }

  @Test func bashOffersCommandsAndOptions() throws {
    #expect(try offers(["hotword", "m"]) == ["mix"])
    #expect(try offers(["hotword", "mix", "--f"]) == ["--form", "--floor", "--fast"])
    #expect(try offers(["hotword", "help", "l"]) == ["look"])
    #expect(try offers(["hotword", "nothing", ""]).isEmpty)
  }

  @Test func bashOffersValues() throws {
    #expect(try offers(["hotword", "mix", "--form", ""]) == ["json", "text"])
    #expect(try offers(["hotword", "mix", "--form", "=", "j"]) == ["json"])
    #expect(try offers(["hotword", "mix", "--form", "="]) == ["json", "text"])
    #expect(try offers(["hotword", "mix", "--model", "c"]) == ["files: -o default", "computer"])
    #expect(try offers(["hotword", "mix", "--output", ""]) == ["files: -o default"])
    #expect(try offers(["hotword", "keep", "--into", ""]) == ["files: -o dirnames"])
    #expect(try offers(["hotword", "mix", "--floor", ""]).isEmpty)
  }

  @Test func bashOffersOperandsByTheirPosition() throws {
    #expect(try offers(["hotword", "look", ""]) == ["list", "show"])
    #expect(try offers(["hotword", "look", "show", "j"]) == ["files: -o default", "jarvis"])
    #expect(try offers(["hotword", "mix", "--floor", "1", "--fast", ""]).isEmpty)
    #expect(try offers(["hotword", "mix", "ann", ""]) == ["files: -o default"])
    #expect(
      try offers(["hotword", "mix", "--form", "=", "json", "ann", "a.wav", ""]) == ["files: -o default"])
  }

  @Test func bashOffersEveryOptionOfEveryCommand() throws {
    for command in CommandList.definitions where !command.options.isEmpty {
      let offered = try offers(["hotword", command.name, "--"], CommandList.definitions)
      #expect(offered == command.options.map(\.name) + ["--help"], "\(command.name)")
    }
  }

  @Test(.enabled(if: SmallTable.has("fish"), "needs fish"))
  func fishOffersTheSameAsBash() throws {
    func offers(_ line: String) throws -> [String] {
      let shell = "HOME=$PWD fish -c 'source script; complete -C \"\(line)\"' | cut -f 1"
      let files = ["script": ShellCompletions.text(for: "fish", SmallTable.commands) ?? ""]
      return try SmallTable.shell(shell, files: files).output.split(separator: "\n").map(String.init)
    }
    #expect(try offers("hotword m") == ["mix"])
    #expect(try offers("hotword mix --form ").sorted() == ["json", "text"])
    #expect(try offers("hotword look ").sorted() == ["list", "show"])
    #expect(try offers("hotword mix --fl") == ["--floor"])
  }
}
