import CommandLineParsing
import Platform

/// `hotword intents homeassistant`: the intents of a home.
extension IntentsCommand {
  static let homeOptions: [CommandDefinition.Option] =
    [.value("--url", "URL", "with homeassistant: its address, such as http://homeassistant.local:8123")]
    + HomeSource.options
    + [.value("--output", "FILE", "with homeassistant: the intent file to write (default: standard output)")]

  static func writeHome(_ arguments: Arguments) throws {
    let source = try HomeSource(arguments, address: "--url", command: name)
    // Before the home, because a missing package is the first fault to mend.
    let sentences = try source.sentences()
    let intents = try source.intents(
      of: source.connect().home(), sentences, name: arguments.value("--output") ?? "the intents")
    guard let path = arguments.value("--output") else { return Output.write(intents.text) }
    try Files.write(Array(intents.text.utf8), to: path)
    Log.note("\(path): \(intents.summary)")
  }
}
