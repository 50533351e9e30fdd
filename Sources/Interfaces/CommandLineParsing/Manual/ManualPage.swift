import Platform

/// The pages of the manual, rendered from the command table.
public enum ManualPage {
  /// hotword(1): every command with its summary, files, environment and exit codes.
  public static func overview(_ commands: [Command], version: String) -> String {
    var page = Roff(title: "HOTWORD", section: 1, source: "hotword \(version)")
    page.section("NAME")
    page.line("hotword \\- hear a hotword, understand what follows, act on it")
    page.section("SYNOPSIS")
    page.line("\(Roff.bold("hotword")) \(Roff.italic("COMMAND")) [options]")
    page.section("DESCRIPTION")
    page.paragraph(
      "Hears a word that calls it, writes down what is said next, finds out what is meant, and has it done. "
        + "All of it happens on this machine.")
    page.paragraph("Each command has a page of its own.")
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

  /// hotword-COMMAND(1): what `hotword COMMAND --help` tells, and where more is told.
  public static func text(for command: Command, version: String) -> String {
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

  private static func reference(_ command: Command) -> String {
    "\(Roff.bold("hotword-\(command.name)"))(1)"
  }

  private static func synopsis(of command: Command) -> String {
    var words = [Roff.bold("hotword \(command.name)")]
    words += command.options.filter(\.isRequired).map { term($0) + ($0.isRepeatable ? "\\|.\\|.\\|." : "") }
    if command.options.contains(where: { !$0.isRequired }) { words.append("[options]") }
    if !command.operands.usage.isEmpty { words.append(Roff.italic(command.operands.usage)) }
    return words.joined(separator: " ")
  }

  private static func term(_ option: Command.Option) -> String {
    let name = Roff.bold(option.name)
    guard let value = option.value else { return name }
    return option.standing == nil ? "\(name) \(Roff.italic(value))" : "\(name)[=\(Roff.italic(value))]"
  }

  private static let exits: [(ExitCode, String)] = [
    (.success, "Done."), (.usage, "Wrong usage."), (.badData, "Unusable data."), (.noInput, "No such input."),
    (.unavailable, "A device or program is not available."), (.bug, "A bug of hotword's."),
    (.operatingSystem, "The operating system refused."), (.inputOutput, "Input or output failed."),
    (.permission, "Not permitted."), (.configuration, "Wrong configuration."),
  ]

  private static let environment = [
    ("XDG_CONFIG_HOME", "Where hotword/config.yaml lies (default: ~/.config)."),
    ("XDG_DATA_HOME", "Where hotword/models, voices and clips lie (default: ~/.local/share)."),
  ]

  private static let files = [
    (
      "~/.config/hotword/config.yaml, /etc/hotword/config.yaml",
      "The settings of 'hotword run', each explained."
    ),
    (
      "./Models, ~/.local/share/hotword/models, /var/lib/hotword/models, /usr/local/share/hotword/models, "
        + "/usr/share/hotword/models",
      "Where models are looked for, in this order."
    ),
    ("~/.local/share/hotword/voices", "Enrolled voices."),
    ("/usr/share/doc/hotword", "The README, and examples."),
  ]
}
