import CommandLineParsing
import Platform

/// `hotword manual`: writes the manual pages, one file each.
enum ManualCommand: Command {
  static let definition = CommandDefinition(
    "manual", "write the manual pages, for man",
    options: [
      .value("--output", "DIR", required: true, "the folder to write to; it is created if it does not exist")
    ],
    notes: [
      "Writes hotword.1 and one page per command: hotword-run.1 and so on. The Debian package installs them."
    ],
    examples: ["hotword manual --output ~/.local/share/man/man1"])

  static func run(_ arguments: Arguments) throws {
    let folder = arguments.value("--output") ?? "."
    try Files.createFolder(folder)
    let definitions = CommandList.definitions
    try write(ManualPage.overview(definitions, version: Program.version), "hotword", in: folder)
    for definition in definitions {
      let text = ManualPage.text(for: definition, version: Program.version)
      try write(text, "hotword-\(definition.name)", in: folder)
    }
  }

  private static func write(_ text: String, _ name: String, in folder: String) throws(SystemFault) {
    try Files.write(Array(text.utf8), to: "\(folder)/\(name).1")
  }
}
