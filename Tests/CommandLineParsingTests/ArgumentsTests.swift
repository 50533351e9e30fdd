import CommandLineParsing
import HotwordProgram
import Platform
import TestServers
import Testing

private let command = CommandDefinition(
  "mix", "mix things", operands: .atLeast(1, "INPUT"),
  options: [
    .value("--model", "M", repeats: true, "a model"), .value("--floor", "F", "a floor"),
    .flag("--fast", "hurry"),
  ],
  examples: [])

private func fault(_ words: [String], for command: CommandDefinition = command) -> UsageFault? {
  do {
    _ = try Arguments(words, for: command)
    return nil
  } catch {
    return error
  }
}

@Suite(.limited) struct ArgumentsTests {
  @Test func optionsAndOperandsComeInAnyOrder() throws {
    let arguments = try Arguments(["a.wav", "--model", "x", "-", "--model=y:0.7", "--fast"], for: command)
    #expect(arguments.operands == ["a.wav", "-"])
    #expect(arguments.all("--model") == ["x", "y:0.7"])
    #expect(arguments.has("--fast"))
    #expect(arguments.value("--floor") == nil)
  }

  @Test func emptyFilesFoldersAndModelsAreRefused() {
    #expect(fault([""])?.message == "mix: an operand must be a file, not ''")
    #expect(
      fault(["a.wav", "--model="])?.message.hasPrefix("mix: --model must be the name of a model") == true)
    #expect(fault(["a.wav", "--floor", ""]) == nil)
  }

  @Test func twoDashesEndTheOptions() throws {
    #expect(try Arguments(["--fast", "--", "--model"], for: command).operands == ["--model"])
  }

  @Test func anOptionalValueIsParsedInEveryForm() throws {
    let command = CommandDefinition(
      "say", "say it",
      options: [
        .optionalValue("--name", "NAME", default: "default", "a name"), .flag("--fast", "hurry"),
      ], examples: [])
    func name(_ words: [String]) throws -> String? { try Arguments(words, for: command).value("--name") }
    #expect(try name([]) == nil)
    #expect(try name(["--name"]) == "default")
    #expect(try name(["--name", "--fast"]) == "default")
    #expect(try name(["--name=ann", "--fast"]) == "ann")
    #expect(try name(["--name", "ann"]) == "ann")
    #expect(Help.text(for: command).contains("--name[=NAME]"))
  }

  @Test func anUnknownOptionIsReportedWithASuggestion() {
    #expect(
      fault(["--modle", "x", "a"]) == .unknownOption("--modle", command: "mix", suggestion: "--model"))
    #expect(fault(["--zebra", "a"]) == .unknownOption("--zebra", command: "mix", suggestion: nil))
  }

  @Test func aMissingOrUnexpectedValueIsReported() {
    #expect(fault(["a", "--floor"]) == .missingValue(option: "--floor", value: "F", command: "mix"))
    #expect(
      fault(["--floor", "--fast", "a"]) == .missingValue(option: "--floor", value: "F", command: "mix"))
    #expect(fault(["--fast=1", "a"]) == .unexpectedValue(option: "--fast", command: "mix"))
    #expect(fault(["--floor", "1", "--floor", "2", "a"]) == .repeatedOption("--floor", command: "mix"))
  }

  @Test func missingAndExtraOperandsAreReported() {
    #expect(fault([]) == .missingOperand("INPUT…", command: "mix"))
    #expect(fault(["more"], for: definition(of: "devices")) == .unexpectedOperand("more", command: "devices"))
    #expect(
      fault(["a.wav"], for: definition(of: "detect"))
        == .missingOption("--model", value: "M", command: "detect"))
  }

  @Test func numbersAreCheckedAgainstTheirRange() throws {
    let arguments = try Arguments(["--floor", "-0.5", "a"], for: command)
    #expect(try arguments.number("--floor", in: -1...1) == -0.5)
    #expect(throws: UsageFault.self) { try arguments.number("--floor", in: 0...1) }
    let word = try Arguments(["--floor", "high", "a"], for: command)
    #expect(throws: UsageFault.self) { try word.number("--floor", in: 0...1) }
    #expect(throws: UsageFault.self) { try word.choice("--floor", of: ["low", "middle"]) }
  }
}

@Suite(.limited) struct HelpTests {
  @Test(arguments: CommandList.definitions.map(\.name))
  func everyHelpTextHasExamplesAndFits80Columns(_ name: String) throws {
    let command = try #require(CommandList.definitions.first { $0.name == name })
    let text = Help.text(for: command)
    #expect(!command.examples.isEmpty)
    #expect(text.hasPrefix("Usage: hotword \(name)"))
    let examples = Set(command.examples.map { "  " + $0 })
    for line in text.split(separator: "\n") where !examples.contains(String(line)) {
      #expect(line.count <= 80, "\(line)")
    }
  }

  @Test(arguments: CommandList.definitions.map(\.name))
  func everyExampleParses(_ name: String) throws {
    let command = try #require(CommandList.definitions.first { $0.name == name })
    for example in command.examples {
      let tail = example.split(separator: "|").last!.split(separator: " ").map(String.init)
      #expect(tail.prefix(2) == ["hotword", name], "\(example)")
      let words = quoted(String(example.split(separator: "|").last!)).dropFirst(2)
      #expect(throws: Never.self, "\(example)") { try Arguments(Array(words), for: command) }
    }
  }

  /// Words as a shell splits them, with plain quotes only.
  private func quoted(_ line: String) -> [String] {
    var words: [String] = []
    var word = ""
    var quote: Character?
    for character in line {
      switch (character, quote) {
      case (let mark, let open?) where mark == open: quote = nil
      case ("\"", nil), ("'", nil): quote = character
      case (" ", nil):
        if !word.isEmpty { words.append(word) }
        word = ""
      default: word.append(character)
      }
    }
    return word.isEmpty ? words : words + [word]
  }
}

@Suite(.limited) struct SuggestionTests {
  @Test func onlySimilarNamesAreSuggested() {
    let names = ["detect", "devices", "train", "transcribe"]
    #expect(Suggestion.nearest(to: "detct", among: names) == "detect")
    #expect(Suggestion.nearest(to: "tarin", among: names) == "train")
    #expect(Suggestion.nearest(to: "trans", among: names) == "transcribe")
    #expect(Suggestion.nearest(to: "xylophone", among: names) == nil)
  }
}
