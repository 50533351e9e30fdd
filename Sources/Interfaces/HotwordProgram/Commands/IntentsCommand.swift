import CommandLineParsing
import Dialogue
import Platform
import Service
import Understanding

/// `hotword intents`: lists what can be said.
enum IntentsCommand: Command {
  static let definition = CommandDefinition(
    "intents", "list what can be said: the intents with example sentences and slots",
    operands: .exactly(1, "list"),
    options: [
      SharedOptions.intents,
      .value("--language", "L", "fail unless the intent file is in this language, such as en"),
      .flag(
        "--all",
        "list every sentence, up to \(IntentCatalogue.sentenceLimit) for each intent (default: a few)"
      ),
      .flag("--json", "print one JSON object"),
    ],
    notes: [
      """
      The sentences are made from the templates of the intent file: optional parts are left out where they fill no slot. \
      hotword understands more than is shown: other forms, fillers and words that sound alike. hotword-intents(5) \
      describes the file.
      """
    ],
    examples: [
      "hotword intents list", "hotword intents list --intents Examples/ride.yaml",
      "hotword intents list --all --json",
    ])

  static func run(_ arguments: Arguments) throws {
    let word = arguments.operands[0]
    guard word == "list" else {
      let suggestion = Suggestion.nearest(to: word, among: ["list"])
      throw UsageFault.unknownWord(word, expected: "list", suggestion, command: name)
    }
    let intents = try PlugIns.intents(arguments.value("--intents"))
    if let language = arguments.value("--language"), !intents.isIn(language) {
      throw IntentListingFault.otherLanguage(wanted: language, actual: intents.language)
    }
    let listing = IntentListing(try IntentCatalogue(intents, listsAll: arguments.has("--all")))
    if arguments.has("--json") { Output.line(listing.json) } else { Output.write(listing.text) }
  }
}

extension IntentFile {
  /// Whether the sentences are in `language`: `en` is the language of files in `en-GB` too.
  fileprivate func isIn(_ language: String) -> Bool {
    let (wanted, actual) = (language.lowercased(), self.language.lowercased())
    return actual == wanted || actual.hasPrefix(wanted + "-") || actual.hasPrefix(wanted + "_")
  }
}

/// Why the intents cannot be listed.
enum IntentListingFault: Fault, Equatable {
  case otherLanguage(wanted: String, actual: String)

  var exitCode: ExitCode { .unavailable }

  var message: String {
    switch self {
    case .otherLanguage(let wanted, let actual):
      "the intents are in '\(actual)', not in '\(wanted)'; give a file in that language with --intents"
    }
  }
}
