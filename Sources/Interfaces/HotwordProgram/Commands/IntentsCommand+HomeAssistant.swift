import CommandLineParsing
import HomeAssistant
import Networking
import Platform
import Understanding
import YAMLFormat

/// `hotword intents homeassistant`: the intents of a home.
extension IntentsCommand {
  static let homeOptions: [CommandDefinition.Option] = [
    .value("--url", "URL", "with homeassistant: its address, such as http://homeassistant.local:8123"),
    .value("--key", "FILE", "with homeassistant: a file with a long-lived access token of an administrator"),
    .value(
      "--sentences", "DIR",
      "with homeassistant: the folder of the Python package home-assistant-intents (default: where Python installs packages)"
    ),
    .value("--custom-sentences", "DIR", "with homeassistant: a folder of your own sentences in YAML"),
    .value("--output", "FILE", "with homeassistant: the intent file to write (default: standard output)"),
  ]

  static func writeHome(_ arguments: Arguments) throws {
    let url = try required("--url", "URL", arguments)
    let key = try required("--key", "FILE", arguments)
    let address = try WebAddress(url, schemes: ["http", "https"], expected: "http://HOST:PORT")
    let sentences = try SentenceSet(
      language: arguments.value("--language") ?? "en", in: arguments.value("--sentences"),
      own: arguments.value("--custom-sentences"))
    let house = try HomeAssistantConnection(address, key: Secret(file: key)).house()
    let text =
      "# The intents of the home at \(address.peer), written by 'hotword intents homeassistant'.\n"
      + YAMLWriter.text(of: HouseIntents.file(for: house, sentences))
    let bytes = Array(text.utf8)
    let file = try IntentFile(parsing: bytes, name: arguments.value("--output") ?? "the intents")
    _ = try Understander(file)
    guard let path = arguments.value("--output") else { return Output.write(text) }
    try Files.write(bytes, to: path)
    Log.note(
      "\(path): \(file.intentNames.count) intents for \(house.entities.count) entities, \(house.areas.count) areas and \(house.floors.count) floors"
    )
  }

  private static func required(_ option: String, _ value: String, _ arguments: Arguments) throws -> String {
    guard let text = arguments.value(option) else {
      throw UsageFault.missingOption(option, value: value, command: name)
    }
    return text
  }
}
