import CommandLineParsing
import Platform

/// `hotword manual`: the pages of the manual, a file for each.
enum ManualCommand {
  static func run(_ arguments: Arguments) throws {
    let folder = arguments.value("--output") ?? "."
    try Files.createFolder(folder)
    let commands = CommandTable.commands
    try write(ManualPage.overview(commands, version: Program.version), "hotword", in: folder)
    for command in commands {
      let text = ManualPage.text(for: command, version: Program.version)
      try write(text, "hotword-\(command.name)", in: folder)
    }
  }

  private static func write(_ text: String, _ name: String, in folder: String) throws(SystemFault) {
    try Files.write(Array(text.utf8), to: "\(folder)/\(name).1")
  }
}
