import CommandLineParsing
import HomeAssistant
import Networking
import Platform
import Understanding
import YAMLFormat

/// Where the intents of a home come from: the address and the key of its Home Assistant, and sentences on this machine.
struct HomeSource: Sendable {
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

  /// An intent file that was made from a home.
  struct Intents: Sendable {
    let text: String
    let file: IntentFile
    /// How much it holds, for messages.
    let summary: String
  }

  /// Joins the names of a home with sentences, and checks the result.
  ///
  /// - Parameter name: that of the intent file, for messages.
  func intents(of home: Home, _ sentences: SentenceSet, name: String) throws -> Intents {
    let text =
      "# The intents of the home at \(address.peer), written by hotword.\n"
      + YAMLWriter.text(of: HomeIntents.file(for: home, sentences))
    let file = try IntentFile(parsing: Array(text.utf8), name: name)
    _ = try Understander(file)
    return Intents(
      text: text, file: file,
      summary:
        "\(file.intentNames.count) intents for \(home.entities.count) entities, \(home.areas.count) areas and \(home.floors.count) floors"
    )
  }
}
