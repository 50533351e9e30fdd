import CommandLineParsing
import HomeAssistant
import Networking
import Platform
import Understanding
import YAMLFormat

/// The intents of a home: the names of its rooms and devices from Home Assistant, joined with sentences.
struct HomeSentences: Sendable {
  let address: WebAddress
  private let key: Secret
  private let language: String
  private let package: String?
  private let own: String?

  static let options: [CommandDefinition.Option] = [
    .value("--key", "FILE", "with homeassistant: a file with a long-lived access token of an administrator"),
    .value(
      "--sentences", "DIR",
      "with homeassistant: the folder of the Python package home-assistant-intents (default: where Python installs packages)"
    ),
    .value("--custom-sentences", "DIR", "with homeassistant: a folder of your own sentences in YAML"),
  ]

  /// - Parameters:
  ///   - option: the one that names the address.
  ///   - command: the name of the command.
  init(_ arguments: Arguments, address option: String, command: String) throws {
    func required(_ option: String, _ value: String) throws -> String {
      guard let text = arguments.value(option) else {
        throw UsageFault.missingOption(option, value: value, command: command)
      }
      return text
    }
    address = try WebAddress(
      try required(option, "URL"), schemes: ["http", "https"], expected: "http://HOST:PORT")
    key = try Secret(file: try required("--key", "FILE"))
    language = arguments.value("--language") ?? "en"
    package = arguments.value("--sentences")
    own = arguments.value("--custom-sentences")
  }

  func connect() throws(HomeAssistantFault) -> HomeAssistantConnection {
    try HomeAssistantConnection(address, key: key)
  }

  /// The sentences on this machine, without names.
  func sentences() throws(HomeAssistantFault) -> SentenceSet {
    try SentenceSet(language: language, in: package, own: own)
  }

  /// The intents of a home, as text and checked.
  func intents(of house: House, name: String) throws -> HomeIntents {
    let text =
      "# The intents of the home at \(address.peer), written by hotword.\n"
      + YAMLWriter.text(of: HouseIntents.file(for: house, try sentences()))
    let file = try IntentFile(parsing: Array(text.utf8), name: name)
    _ = try Understander(file)
    return HomeIntents(
      text: text, file: file,
      summary:
        "\(file.intentNames.count) intents for \(house.entities.count) entities, \(house.areas.count) areas and \(house.floors.count) floors"
    )
  }
}

/// An intent file that was made from a home.
struct HomeIntents: Sendable {
  let text: String
  let file: IntentFile
  /// How much it holds, for messages.
  let summary: String
}
