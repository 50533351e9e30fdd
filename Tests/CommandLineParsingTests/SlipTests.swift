import CommandLineParsing
import Platform
import TestServers
import Testing

/// Every single slip of the fingers: a letter left out, doubled, or swapped with the next.
private func slips(of word: String, from start: Int = 0) -> [String] {
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

@Suite(.limited) struct SlipTests {
  /// The fault of a command line that has nothing wrong but `words`.
  private func fault(_ words: [String], _ command: Command) -> UsageFault? {
    do {
      _ = try Arguments(words, for: command)
      return nil
    } catch {
      return error
    }
  }

  @Test func aMistypedOptionIsSuggestedByEveryCommand() {
    for command in CommandTable.commands {
      let names = command.options.map(\.name) + ["--help"]
      for name in names {
        // Two dashes stay; what is another option, or the end of the options, is no slip.
        for slip in slips(of: name, from: 2) where !names.contains(slip) && slip != "--" {
          // Of two that are as near, as --play and --player are to --playe, either will do.
          guard case .unknownOption(slip, command.name, _?) = fault([slip], command) else {
            Issue.record("\(command.name) \(slip): no suggestion")
            continue
          }
        }
      }
    }
  }

  @Test func aMistypedCommandIsSuggested() {
    let names = CommandTable.commands.map(\.name)
    for name in names {
      for slip in slips(of: name) where !names.contains(slip) {
        let suggestion = Suggestion.nearest(to: slip, among: names)
        #expect(
          suggestion != nil && names.contains { slips(of: $0).contains(slip) && $0 == suggestion }, "\(slip)")
      }
    }
  }

  @Test func aMistypedChoiceIsRefusedByEveryOptionWithTheChoices() {
    for command in CommandTable.commands {
      for option in command.options {
        guard case .choice(let choices)? = option.kind else { continue }
        for slip in choices.flatMap({ slips(of: $0) }) where !choices.contains(slip) {
          let message = fault([option.name, slip], command)?.message ?? ""
          #expect(choices.allSatisfy(message.contains), "\(command.name) \(option.name) \(slip): \(message)")
        }
      }
    }
  }

  @Test func aMistypedOperandIsRefusedWithASuggestion() {
    #expect(
      fault(["lsit"], CommandTable.models)?.message.contains("did you mean list?") == true)
    #expect(fault(["basch"], CommandTable.completions)?.message.contains("did you mean bash?") == true)
  }

  @Test func everyCommandTellsItsOptionsAndExamples() {
    for command in CommandTable.commands {
      #expect(!command.examples.isEmpty, "\(command.name)")
      let help = Help.text(for: command)
      #expect(command.options.allSatisfy { help.contains("  \($0.name)") }, "\(command.name)")
      #expect(command.examples.allSatisfy { help.contains($0) && $0.contains("hotword \(command.name)") })
    }
  }
}
