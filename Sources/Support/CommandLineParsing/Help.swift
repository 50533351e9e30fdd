/// Help texts, rendered from the command definitions for a terminal of 80 columns.
public enum Help {
  static let width = 80

  /// The help of one command.
  public static func text(for command: CommandDefinition) -> String {
    let words = (["hotword", command.name] + command.options.filter { $0.isRequired }.map(\.usage))
    let optional = command.options.contains { !$0.isRequired } ? ["[options]"] : []
    let operands = command.operands.usage.isEmpty ? [] : [command.operands.usage]
    var lines = ["Usage: " + (words + optional + operands).joined(separator: " "), ""]
    lines += wrap(command.summary + ".", indent: 0)
    if !command.options.isEmpty {
      lines += ["", "Options:"]
      lines += columns(
        command.options.map { option in
          let value = option.value.map { option.defaultValue == nil ? " \($0)" : "[=\($0)]" } ?? " "
          return (option.name + value, option.help)
        }
          + [("--help", "show this help")])
    }
    for note in command.notes { lines += [""] + wrap(note, indent: 0) }
    lines += ["", "Examples:"] + command.examples.map { "  " + $0 }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The help of the whole program: every command with its summary.
  public static func overview(_ commands: [CommandDefinition]) -> String {
    var lines = ["Usage: hotword COMMAND [options]", ""]
    lines += ["Detect a hotword, understand the command, and act on it, all on this machine.", ""]
    lines += ["Commands:"] + columns(commands.map { ($0.name, $0.summary) })
    lines += ["", "'hotword COMMAND --help' shows a command's options and examples."]
    return lines.joined(separator: "\n") + "\n"
  }

  /// Two columns; a term too long for the first column has a line of its own.
  static func columns(_ rows: [(term: String, text: String)]) -> [String] {
    let gap = min(rows.map(\.term.count).max() ?? 0, 24) + 4
    return rows.flatMap { row -> [String] in
      let text = wrap(row.text, indent: gap)
      let term = "  " + row.term
      guard term.count + 2 <= gap, let first = text.first else { return [term] + text }
      let pad = String(repeating: " ", count: gap - term.count)
      return [term + pad + first.dropFirst(gap)] + text.dropFirst()
    }
  }

  /// `text` broken at spaces into lines of at most ``width`` columns.
  static func wrap(_ text: String, indent: Int) -> [String] {
    let margin = String(repeating: " ", count: indent)
    var lines: [String] = []
    var line = margin
    for word in text.split(separator: " ") {
      if line.count > indent, line.count + 1 + word.count > width {
        lines.append(line)
        line = margin
      }
      line += (line.count > indent ? " " : "") + word
    }
    return lines + [line]
  }
}
