import Platform
import TextProcessing
import YAMLFormat

/// An intent file that was rejected. Ends a command with exit code 65, or with the code of the I/O error.
public enum IntentFileFault: Fault, Equatable {
  /// The file cannot be read.
  case unreadable(SystemFault)
  /// The content of `file` is invalid at `position`.
  case invalid(file: String, position: SourcePosition, problem: IntentFileProblem)

  public var exitCode: ExitCode {
    switch self {
    case .unreadable(let fault): fault.exitCode
    case .invalid: .badData
    }
  }

  /// The faults of the whole file as it is now; this one alone where the file is another one now, or was never on a disk.
  public func allOfInput() -> [any Fault] {
    guard case .invalid(let file, _, _) = self else { return [self] }
    let all = IntentFile.faults(reading: file)
    return all.contains(self) ? all : [self]
  }

  /// Where the fault is; the first character for a file that cannot be read.
  public var position: SourcePosition {
    switch self {
    case .unreadable: SourcePosition(line: 1, column: 1)
    case .invalid(_, let position, _): position
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

/// What is wrong at one position of an intent file.
public enum IntentFileProblem: Error, Sendable, Equatable {
  /// The file has no content.
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
  /// `kind` is "list", "slot" or "context".
  case unknownName(kind: String, name: String, suggestion: String?)
  case badReply(reason: ReplyReason)
  /// No sentence of the intent fills the slot.
  case unfilledSlot(name: String, intent: String, suggestion: String?)
  case badPronunciation(word: String, hint: String, defect: PronunciationDefect)
  /// No enrolled voice has this name; nil where no voice at all is enrolled.
  case notEnrolled(voice: String?, suggestion: String?)

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

  /// Why a number range is invalid.
  public enum RangeReason: Sendable, Equatable {
    case backwards, step, neither, tooLarge
  }

  /// Why a reply is invalid.
  public enum ReplyReason: Sendable, Equatable {
    case unclosed, emptyName, jinja
  }
}

extension IntentFileProblem {
  /// What is wrong and how to fix it, in one line without the position.
  public var message: String {
    switch self {
    case .empty: "the file is empty; an intent file begins with 'language: en' and 'intents:'"
    case .yaml(let problem): problem.message
    case .unknownKey(let key, let within, let suggestion):
      "unknown key '\(key)' in \(within)" + Self.hint(suggestion)
    case .missingKey(let key, let within): "missing key '\(key)' in \(within); add it"
    case .wrongShape(let what, let expected): "\(what) must be \(expected)"
    case .notOneOf(let what, let value, let choices, let suggestion):
      "\(what) is '\(value)' but must be one of \(choices.joined(separator: ", "))" + Self.hint(suggestion)
    case .listKind(let list):
      "the list '\(list)' must have one of 'values', 'range', 'type' and 'wildcard: true'"
    case .badRange(let list, let reason): "the range of '\(list)' \(Self.words(reason))"
    case .unknownResponse(let key, let intent, let suggestion):
      "no response '\(key)' for the intent '\(intent)'"
        + Self.hint(suggestion, else: "; add it under 'responses'")
    case .unknownName(let kind, let name, let suggestion):
      "no \(kind) '\(name)'" + Self.hint(suggestion, else: "; define it or remove the reference")
    case .badReply(let reason): Self.words(reason)
    case .unfilledSlot(let name, let intent, let suggestion):
      "no sentence of the intent '\(intent)' fills the slot '\(name)'"
        + Self.hint(suggestion, else: "; use '{list:\(name)}' in a sentence, or remove the slot")
    case .badPronunciation(let word, let hint, let defect): Self.words(defect, word: word, hint: hint)
    case .notEnrolled(let voice, let suggestion):
      "no voice \(voice.map { "'\($0)' " } ?? "")is enrolled"
        + Self.hint(
          suggestion, else: "; enroll it with 'hotword enroll \(voice ?? "NAME") --phrase M CLIP…'")
    case .template(let problem): problem.message
    case .example(let problem): problem.message
    case .unknownRule(let name, let suggestion):
      "no expansion rule '<\(name)>'" + Self.hint(suggestion, else: "; add it under 'expansion_rules'")
    case .unknownList(let name, let suggestion):
      "no list '{\(name)}'" + Self.hint(suggestion, else: "; add it under 'lists'")
    case .recursion(let path):
      "circular reference: \(path.joined(separator: " → ")); remove one of the references"
    case .rulesTooDeep(let limit): "rules and groups nest deeper than \(limit) levels; use fewer levels"
    case .traitKind(let trait):
      "the trait '\(trait)' must have one of 'language: true', 'keywords' and 'classes'"
    case .tooFewClasses(let trait): "the trait '\(trait)' needs at least two classes, each with sentences"
    case .tooManyExamples(let limit): "more than \(limit) examples in one file; remove some"
    case .tooManyLearned(let limit):
      "more than \(limit) intents and groups of sentences to train on; use fewer"
    case .tooManySlots(let limit):
      "the examples of one intent fill more than \(limit) slots; split the intent"
    case .tooComplex(let limit):
      "the templates of the file have more than \(limit) parts; simplify them or use lists"
    }
  }

  private static func hint(_ suggestion: String?, else other: String = "") -> String {
    suggestion.map { "; did you mean '\($0)'?" } ?? other
  }

  private static func words(_ reason: RangeReason) -> String {
    switch reason {
    case .backwards: "ends before it begins; swap 'from' and 'to'"
    case .step: "has an invalid 'step'; use 1 or more"
    case .neither: "allows neither digits nor words; set one of them to true"
    case .tooLarge: "is too large; stay within ±1000000000"
    }
  }

  private static func words(_ defect: PronunciationDefect, word: String, hint: String) -> String {
    switch defect {
    case .unknownPhone(let phone, _, let suggestion):
      "'\(phone)' in the pronunciation of '\(word)' is not a phone of ARPAbet"
        + Self.hint(suggestion, else: "; write an English spelling in lower case")
    case .unknownSymbol(let symbol, _):
      "'\(symbol)' in the pronunciation of '\(word)' is not a sound of English; use the nearest one"
    case .unknownForm:
      "'\(hint)' is not a pronunciation of '\(word)'; use ARPAbet (K AE F EY), /IPA/ or an English spelling"
    }
  }

  private static func words(_ reason: ReplyReason) -> String {
    switch reason {
    case .unclosed: "a '{' of the reply is not closed; write '{slot}'"
    case .emptyName: "a '{}' of the reply has no slot; write '{slot}'"
    case .jinja: "Jinja is not supported in replies; write '{slot}' for the text of a slot"
    }
  }
}

/// The most similar name; names longer than 64 bytes are not compared, which bounds the time.
func nearestName(to name: String, among candidates: some Sequence<String>) -> String? {
  guard name.utf8.count <= 64 else { return nil }
  return Suggestion.nearest(to: name, among: candidates.filter { $0.utf8.count <= 64 }.sorted())
}
