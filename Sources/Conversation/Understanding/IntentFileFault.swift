import Platform
import YAMLFormat

/// What can be wrong with an intent file; every case ends the process with 65 or the file's own I/O code.
public enum IntentFileFault: Fault, Equatable {
  /// The file could not be read at all.
  case unreadable(SystemFault)
  /// `file` was read and is wrong at `position`.
  case invalid(file: String, position: SourcePosition, problem: IntentFileProblem)

  public var exitCode: ExitCode {
    switch self {
    case .unreadable(let fault): fault.exitCode
    case .invalid: .badData
    }
  }

  public var message: String {
    switch self {
    case .unreadable(let fault): fault.message
    case .invalid(let file, let position, let problem):
      "\(file):\(position.line):\(position.column): \(problem.message)"
    }
  }
}

/// The fault at one place of an intent file.
public enum IntentFileProblem: Error, Sendable, Equatable {
  /// The file holds nothing.
  case empty
  case yaml(YAMLFault.Problem)

  // Shape
  case unknownKey(key: String, within: String, suggestion: String?)
  case missingKey(key: String, within: String)
  case wrongShape(what: String, expected: String)
  case notOneOf(what: String, value: String, choices: [String], suggestion: String?)
  case listKind(list: String)
  case badRange(list: String, reason: RangeReason)
  case unknownResponse(key: String, intent: String, suggestion: String?)
  /// `kind` is list, slot or context.
  case unknownName(kind: String, name: String, suggestion: String?)
  case badReply(reason: ReplyReason)

  // Sentences
  case template(TemplateProblem)
  case example(ExampleProblem)
  case unknownRule(name: String, suggestion: String?)
  case unknownList(name: String, suggestion: String?)
  case recursion(path: [String])
  case rulesTooDeep(limit: Int)
  case tooComplex(limit: Int)
  case tooManyExamples(limit: Int)
  case traitKind(trait: String)
  case tooFewClasses(trait: String)
  case tooManyLearned(limit: Int)
  case tooManySlots(limit: Int)

  /// Why a number range cannot be used.
  public enum RangeReason: Sendable, Equatable {
    case backwards, step, neither, tooLarge
  }

  /// Why a reply cannot be used.
  public enum ReplyReason: Sendable, Equatable {
    case unclosed, emptyName, jinja
  }
}

extension IntentFileProblem {
  /// The fault and its mend in one line.
  public var message: String {
    switch self {
    case .empty: "the file is empty; an intent file begins with 'language: en' and 'intents:'"
    case .yaml(let problem): problem.message
    case .unknownKey(let key, let within, let suggestion):
      "unknown key '\(key)' in \(within)" + Self.hint(suggestion)
    case .missingKey(let key, let within): "\(within) lacks the key '\(key)'"
    case .wrongShape(let what, let expected): "\(what) must be \(expected)"
    case .notOneOf(let what, let value, let choices, let suggestion):
      "\(what) is '\(value)' but must be one of \(choices.joined(separator: ", "))" + Self.hint(suggestion)
    case .listKind(let list):
      "the list '\(list)' must have one of 'values', 'range', 'type' and 'wildcard: true'"
    case .badRange(let list, let reason): "the range of '\(list)' \(Self.words(reason))"
    case .unknownResponse(let key, let intent, let suggestion):
      "no response '\(key)' for the intent '\(intent)'" + Self.hint(suggestion)
    case .unknownName(let kind, let name, let suggestion):
      "no \(kind) '\(name)'" + Self.hint(suggestion)
    case .badReply(let reason): Self.words(reason)
    case .template(let problem): problem.message
    case .example(let problem): problem.message
    case .unknownRule(let name, let suggestion):
      "no expansion rule '<\(name)>'" + Self.hint(suggestion, else: "; add it under 'expansion_rules'")
    case .unknownList(let name, let suggestion):
      "no list '{\(name)}'" + Self.hint(suggestion, else: "; add it under 'lists'")
    case .recursion(let path): "refers to itself: \(path.joined(separator: " → ")); break the circle"
    case .rulesTooDeep(let limit): "rules and groups nest deeper than \(limit) levels"
    case .traitKind(let trait):
      "the trait '\(trait)' must have one of 'language: true', 'keywords' and 'classes'"
    case .tooFewClasses(let trait): "the trait '\(trait)' needs two classes or more, each with sentences"
    case .tooManyExamples(let limit): "more than \(limit) examples in one file"
    case .tooManyLearned(let limit): "more than \(limit) intents and groups of sentences to learn from"
    case .tooManySlots(let limit): "the examples of one intent fill more than \(limit) slots"
    case .tooComplex(let limit): "the templates of the file have more than \(limit) parts"
    }
  }

  private static func hint(_ suggestion: String?, else other: String = "") -> String {
    suggestion.map { "; did you mean '\($0)'?" } ?? other
  }

  private static func words(_ reason: RangeReason) -> String {
    switch reason {
    case .backwards: "ends before it begins; swap 'from' and 'to'"
    case .step: "needs a 'step' of 1 or more"
    case .neither: "allows neither digits nor words; set one of them to true"
    case .tooLarge: "goes beyond ±1000000000"
    }
  }

  private static func words(_ reason: ReplyReason) -> String {
    switch reason {
    case .unclosed: "a '{' of the reply is not closed; write '{slot}'"
    case .emptyName: "a '{}' of the reply names no slot"
    case .jinja: "Jinja is not understood in replies; write '{slot}' where a slot's text belongs"
    }
  }
}

/// The name that was probably meant; names too long to be typed are not compared.
func nearestName(to name: String, among candidates: some Sequence<String>) -> String? {
  guard name.utf8.count <= 64 else { return nil }
  return Suggestion.nearest(to: name, among: candidates.filter { $0.utf8.count <= 64 }.sorted())
}
