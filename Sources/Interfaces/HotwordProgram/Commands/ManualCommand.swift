import CommandLineParsing
import Platform

/// `hotword manual`: writes the manual pages, one file each.
enum ManualCommand: Command {
  static let definition = CommandDefinition(
    "manual", "write the manual pages, for man",
    options: [
      .value("--section", "1|5", "1 for the commands, 5 for the intent file (default: 1)"),
      .value("--output", "DIR", required: true, "the folder to write to; it is created if it does not exist"),
    ],
    notes: [
      "Writes hotword.1 and one page per command, hotword-run.1 and so on; or hotword-intents.5. The Debian package installs them."
    ],
    examples: ["hotword manual --output ~/.local/share/man/man1"])

  static func run(_ arguments: Arguments) throws {
    let folder = arguments.value("--output") ?? "."
    try Files.createFolder(folder)
    if try arguments.choice("--section", of: ["1", "5"]) == "5" {
      let page = ManualPage.text(for: .intents, version: Program.version)
      try write(page, FileFormat.intents.name, section: 5, in: folder)
      return
    }
    let definitions = CommandList.definitions
    try write(ManualPage.overview(definitions, version: Program.version), "hotword", in: folder)
    for definition in definitions {
      let text = ManualPage.text(for: definition, version: Program.version)
      try write(text, "hotword-\(definition.name)", in: folder)
    }
  }

  private static func write(_ text: String, _ name: String, section: Int = 1, in folder: String)
    throws(SystemFault)
  {
    try Files.write(Array(text.utf8), to: "\(folder)/\(name).\(section)")
  }
}
