import CommandLineParsing
import Dialogue
import Platform
import Service
import Understanding

/// `hotword intents`: lists what can be said.
enum IntentsCommand: Command {
  static let definition = CommandDefinition(
    "intents", "list what can be said, or make the intents of a home in Home Assistant",
    operands: .exactly(1, "list|homeassistant"),
    options: [
      SharedOptions.intents,
      .value(
        "--language", "L",
        "with list: fail unless the intent file is in this language; with homeassistant: the language of the sentences (en)"
      ),
      .flag(
        "--all",
        "list every sentence, up to \(IntentCatalogue.sentenceLimit) for each intent (default: a few)"
      ),
      .flag("--json", "print one JSON object"),
    ] + homeOptions,
    notes: [
      """
      The sentences are made from the templates of the intent file: optional parts are left out where they fill no slot. \
      hotword understands more than is shown: other forms, fillers and words that sound alike. hotword-intents(5) \
      describes the file.
      """,
      """
      'homeassistant' reads the names of areas, floors and exposed entities from Home Assistant, joins them with the sentences of the \
      Python package home-assistant-intents in the language of --language (en), and writes the intent file. Of --custom-sentences, \
      every .yaml file is added.
      """,
    ],
    examples: [
      "hotword intents list", "hotword intents list --intents Examples/ride.yaml",
      "hotword intents list --all --json",
      "hotword intents homeassistant --url http://homeassistant.local:8123 --key key.txt --output home.yaml",
    ])

  static func run(_ arguments: Arguments) throws {
    let word = arguments.operands[0]
    switch word {
    case "list": try list(arguments)
    case "homeassistant": try writeHome(arguments)
    default:
      let suggestion = Suggestion.nearest(to: word, among: ["list", "homeassistant"])
      throw UsageFault.unknownWord(word, expected: "list or homeassistant", suggestion, command: name)
    }
  }

  private static func list(_ arguments: Arguments) throws {
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
