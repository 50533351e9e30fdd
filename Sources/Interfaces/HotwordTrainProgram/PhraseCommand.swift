import CommandLineParsing
import Detection
import Platform
import Training

/// `hotword-train phrase`: describes how a phrase will be trained; the page for browsers runs it.
enum PhraseCommand: Command {
  static let definition = CommandDefinition(
    "phrase", "print a phrase's pronunciations, voices and warnings as one JSON object",
    operands: .exactly(1, "PHRASE"), options: PhraseOptions.all,
    examples: ["hotword-train phrase \"hello house\""])

  static func run(_ arguments: Arguments) throws {
    Output.line(try PhraseDescription(PhraseOptions.settings(arguments), in: .standard()).json)
  }
}

/// The options of the commands about a phrase.
enum PhraseOptions {
  static let all: [CommandDefinition.Option] = [
    .value("--language", "CODE", "the phrase's language (default: en)"),
    .value("--pronunciation", "P", repeats: true, "the pronunciation, as for 'train'"),
  ]

  static func settings(_ arguments: Arguments) -> TrainingSettings {
    var settings = TrainingSettings(phrase: arguments.operands[0])
    if let language = arguments.value("--language") { settings.language = language }
    settings.pronunciations = arguments.all("--pronunciation")
    return settings
  }
}
