import Platform

/// What can be wrong with a command line.
public enum UsageFault: Fault, Equatable {
  case unknownCommand(String, suggestion: String?)
  case unknownOption(String, command: String, suggestion: String?)
  /// `option` is last or followed by another option.
  case missingValue(option: String, value: String, command: String)
  /// A flag has a value: `--flag=value`.
  case unexpectedValue(option: String, command: String)
  case repeatedOption(String, command: String)
  case missingOption(String, value: String, command: String)
  case missingOperand(String, command: String)
  case unexpectedOperand(String, command: String)
  /// `word` is not one of the accepted words.
  case unknownWord(String, expected: String, String?, command: String)
  /// `text` is not what `option` accepts; `expected` describes what it accepts.
  case badValue(option: String, text: String, expected: String, command: String)
  /// Both are given, but they exclude each other.
  case conflict(String, String, reason: String, command: String)
  /// `option` has no effect without one of `others`.
  case incomplete(option: String, others: [String], command: String)

  public var exitCode: ExitCode { .usage }

  public var message: String {
    switch self {
    case .unknownCommand(let name, let suggestion):
      "unknown command '\(name)'\(Suggestion.question(suggestion)); 'hotword --help' lists the commands"
    case .unknownOption(let name, let command, let suggestion):
      "\(command): unknown option '\(name)'\(Suggestion.question(suggestion))\(Self.help(command))"
    case .missingValue(let option, let value, let command):
      "\(command): \(option) needs a value: \(option) \(value)"
    case .unexpectedValue(let option, let command):
      "\(command): \(option) takes no value; remove '=' and what follows"
    case .repeatedOption(let option, let command):
      "\(command): \(option) is given twice; give it once"
    case .missingOption(let option, let value, let command):
      "\(command): \(option) \(value) is missing\(Self.help(command))"
    case .missingOperand(let operand, let command):
      "\(command): \(operand) is missing\(Self.help(command))"
    case .unexpectedOperand(let operand, let command):
      "\(command): unexpected '\(operand)'; several words that are one argument need quotes\(Self.help(command))"
    case .unknownWord(let word, let expected, let suggestion, let command):
      "\(command): expected \(expected), not '\(word)'\(Suggestion.question(suggestion))"
    case .badValue(let option, let text, let expected, let command):
      "\(command): \(option) must be \(expected), not '\(text)'"
    case .conflict(let one, let other, let reason, let command):
      "\(command): give \(one) or \(other), not both: \(reason)"
    case .incomplete(let option, let others, let command):
      "\(command): \(option) needs \(others.joined(separator: " or "))\(Self.help(command))"
    }
  }

  private static func help(_ command: String) -> String {
    "; 'hotword \(command) --help' shows the options"
  }
}
