import Platform

/// The manual pages, rendered from the command definitions.
public enum ManualPage {
  /// hotword(1): every command with its summary, files, environment and exit codes.
  public static func overview(_ commands: [CommandDefinition], version: String) -> String {
    var page = Roff(title: "HOTWORD", section: 1, source: "hotword \(version)")
    page.section("NAME")
    page.line("hotword \\- detect a hotword, understand the command, and act on it")
    page.section("SYNOPSIS")
    page.line("\(Roff.bold("hotword")) \(Roff.italic("COMMAND")) [options]")
    page.section("DESCRIPTION")
    page.paragraph(
      "Detects a hotword (wake word), transcribes the command that follows, finds its intent, and acts on it. "
        + "Everything happens on this machine.")
    page.paragraph("Each command has its own page.")
    page.section("COMMANDS")
    for command in commands { page.entry(reference(command), command.summary + ".") }
    page.section("OPTIONS")
    page.entry(Roff.bold("--help"), "Show the list of commands; after a command, its options and examples.")
    page.entry(Roff.bold("--version"), "Show the version.")
    page.section("EXIT STATUS")
    page.paragraph("Results go to standard output, everything else to standard error.")
    for (code, meaning) in exits { page.entry(Roff.bold(String(code.rawValue)), meaning) }
    page.section("ENVIRONMENT")
    for (name, meaning) in environment { page.entry(Roff.bold(name), meaning) }
    page.section("FILES")
    for (name, meaning) in files { page.entry(Roff.italic(name), meaning) }
    page.section("SEE ALSO")
    page.line(commands.map(reference).joined(separator: ",\n"))
    return page.text
  }

  /// hotword-COMMAND(1): the content of `hotword COMMAND --help`.
  public static func text(for command: CommandDefinition, version: String) -> String {
    let name = "hotword-\(command.name)"
    var page = Roff(title: name.uppercased(), section: 1, source: "hotword \(version)")
    page.section("NAME")
    page.line(Roff.escaped(name) + " \\- " + Roff.escaped(command.summary))
    page.section("SYNOPSIS")
    page.line(synopsis(of: command))
    if !command.notes.isEmpty {
      page.section("DESCRIPTION")
      for note in command.notes { page.paragraph(note) }
    }
    page.section("OPTIONS")
    for option in command.options { page.entry(term(option), option.help + ".") }
    page.entry(Roff.bold("--help"), "Show the options and examples.")
    page.section("EXAMPLES")
    page.literal(command.examples)
    page.section("SEE ALSO")
    page.line("\(Roff.bold("hotword"))(1)")
    return page.text
  }

  /// A page of section 5: the keys of a file, in groups.
  public static func text(for file: FileFormat, version: String) -> String {
    var page = Roff(title: file.name.uppercased(), section: 5, source: "hotword \(version)")
    page.section("NAME")
    page.line(Roff.escaped(file.name) + " \\- " + Roff.escaped(file.summary))
    page.section("DESCRIPTION")
    for paragraph in file.description { page.paragraph(paragraph) }
    for group in file.groups {
      page.section(group.title)
      page.paragraph(group.place + ".")
      for (key, meaning) in group.keys { page.entry(Roff.bold(key), meaning + ".") }
    }
    page.section("EXAMPLES")
    page.literal(file.example)
    page.section("SEE ALSO")
    page.line(file.commands.map { "\(Roff.bold($0))(1)" }.joined(separator: ",\n"))
    return page.text
  }

  private static func reference(_ command: CommandDefinition) -> String {
    "\(Roff.bold("hotword-\(command.name)"))(1)"
  }

  private static func synopsis(of command: CommandDefinition) -> String {
    var words = [Roff.bold("hotword \(command.name)")]
    words += command.options.filter(\.isRequired).map { term($0) + ($0.isRepeatable ? "\\|.\\|.\\|." : "") }
    if command.options.contains(where: { !$0.isRequired }) { words.append("[options]") }
    if !command.operands.usage.isEmpty { words.append(Roff.italic(command.operands.usage)) }
    return words.joined(separator: " ")
  }

  private static func term(_ option: CommandDefinition.Option) -> String {
    let name = Roff.bold(option.name)
    guard let value = option.value else { return name }
    return option.defaultValue == nil ? "\(name) \(Roff.italic(value))" : "\(name)[=\(Roff.italic(value))]"
  }

  private static let exits: [(ExitCode, String)] = [
    (.success, "Success."), (.usage, "Wrong usage."), (.badData, "Invalid data."),
    (.noInput, "No such input."),
    (.unavailable, "A device or program is not available."), (.bug, "A bug in hotword."),
    (.operatingSystem, "An operating system error."), (.inputOutput, "Input or output failed."),
    (.permission, "Permission denied."), (.configuration, "Invalid configuration."),
  ]

  private static let environment = [
    ("XDG_CONFIG_HOME", "In its folder hotword are the settings (default: ~/.config)."),
    ("XDG_DATA_HOME", "In its folder hotword is what the commands write (default: ~/.local/share)."),
  ]

  private static let files = [
    (
      "~/.config/hotword/config.yaml, /etc/hotword/config.yaml",
      "The settings of 'hotword run'."
    ),
    (
      "~/.config/hotword/satellite.yaml, /etc/hotword/satellite.yaml",
      "The settings of 'hotword satellite'."
    ),
    (
      "./Models, ~/.local/share/hotword/models, /var/lib/hotword/models, /usr/local/share/hotword/models, "
        + "/usr/share/hotword/models",
      "The folders of models, searched in this order."
    ),
    ("~/.local/share/hotword/voices", "Enrolled voices."),
    ("~/.local/share/hotword/clips", "Clips that 'hotword run --keep' writes."),
    ("~/.local/share/hotword/phrases", "Phrases that are taught on the page of 'hotword web'."),
    ("~/.local/share/hotword/homes", "The names of a home, from Home Assistant."),
    ("~/.local/share/hotword/web.token, ~/.local/share/hotword/esphome.key", "Secrets."),
    ("/usr/share/doc/hotword", "The README and examples."),
  ]
}
