import CommandLineParsing
import HotwordProgram
import Platform
import TestServers
import Testing

/// Every single typing error: a letter left out, doubled, or swapped with the next.
private func typos(of word: String, from start: Int = 0) -> [String] {
  let letters = Array(word)
  return letters.indices.dropFirst(start).flatMap { index -> [String] in
    var shorter = letters
    shorter.remove(at: index)
    var longer = letters
    longer.insert(letters[index], at: index)
    var swapped = letters
    if index + 1 < letters.count { swapped.swapAt(index, index + 1) }
    return [shorter, longer, swapped].map { String($0) }
  }
}

@Suite(.limited) struct TypingErrorTests {
  /// The fault of a command line that is wrong only in `words`.
  private func fault(_ words: [String], _ command: CommandDefinition) -> UsageFault? {
    do {
      _ = try Arguments(words, for: command)
      return nil
    } catch {
      return error
    }
  }

  @Test func aMistypedOptionIsSuggestedByEveryCommand() {
    for command in CommandList.definitions {
      let names = command.options.map(\.name) + ["--help"]
      for name in names {
        // The two dashes stay. A result that is another option or `--` is not an error.
        for typo in typos(of: name, from: 2) where !names.contains(typo) && typo != "--" {
          // Of two equally similar options, as --play and --player for --playe, either is right.
          guard case .unknownOption(typo, command.name, _?) = fault([typo], command) else {
            Issue.record("\(command.name) \(typo): no suggestion")
            continue
          }
        }
      }
    }
  }

  @Test func aMistypedCommandIsSuggested() {
    let names = CommandList.definitions.map(\.name)
    for name in names {
      for typo in typos(of: name) where !names.contains(typo) {
        let suggestion = Suggestion.nearest(to: typo, among: names)
        #expect(
          suggestion != nil && names.contains { typos(of: $0).contains(typo) && $0 == suggestion }, "\(typo)")
      }
    }
  }

  @Test func aMistypedChoiceIsRejectedWithTheChoices() {
    for command in CommandList.definitions {
      for option in command.options {
        guard case .choice(let choices)? = option.kind else { continue }
        for typo in choices.flatMap({ typos(of: $0) }) where !choices.contains(typo) {
          let message = fault([option.name, typo], command)?.message ?? ""
          #expect(choices.allSatisfy(message.contains), "\(command.name) \(option.name) \(typo): \(message)")
        }
      }
    }
  }

  @Test func aMistypedOperandIsRejectedWithASuggestion() {
    #expect(
      fault(["lsit"], definition(of: "models"))?.message.contains("did you mean list?") == true)
    #expect(fault(["basch"], definition(of: "completions"))?.message.contains("did you mean bash?") == true)
  }

  @Test func everyHelpTextHasItsOptionsAndExamples() {
    for command in CommandList.definitions {
      #expect(!command.examples.isEmpty, "\(command.name)")
      let help = Help.text(for: command)
      #expect(command.options.allSatisfy { help.contains("  \($0.name)") }, "\(command.name)")
      #expect(command.examples.allSatisfy { help.contains($0) && $0.contains("hotword \(command.name)") })
    }
  }
}
