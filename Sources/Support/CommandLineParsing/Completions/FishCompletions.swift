extension ShellCompletions {
  /// A file `hotword.fish` for one of fish's completion folders.
  static func fish(_ commands: [CommandDefinition]) -> String {
    var lines = [
      "# Completions of hotword for fish, made by 'hotword completions fish'.", "",
      "complete -c hotword -f",
      "complete -c hotword -n __fish_use_subcommand -l help -d 'show the commands'",
      "complete -c hotword -n __fish_use_subcommand -l version -d 'show the version'",
    ]
    for command in commands {
      lines.append(
        "complete -c hotword -n __fish_use_subcommand -a \(command.name) -d \(fishQuoted(command.summary))")
      let start = "complete -c hotword -n '__fish_seen_subcommand_from \(command.name)'"
      for option in command.options {
        lines.append(
          "\(start) -l \(option.name.dropFirst(2))\(fishValue(option)) -d \(fishQuoted(option.help))")
      }
      lines.append("\(start) -l help -d 'show the options and examples'")
      lines += operands(of: command)
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func fishValue(_ option: CommandDefinition.Option) -> String {
    guard let kind = option.kind else { return "" }
    if option.defaultValue != nil { return "" }
    return switch kind {
    case .choice, .folder, .word: " -x" + fishArguments(kind)
    case .model, .file: " -r -F" + fishArguments(kind)
    }
  }

  private static func operands(of command: CommandDefinition) -> [String] {
    let places = ValueKind.places(of: command.operands)
    var condition = "__fish_seen_subcommand_from \(command.name)"
    var lines: [String] = []
    for kind in places where kind != .word {
      var here = condition
      if case .choice(let words) = kind {
        let chosen = "__fish_seen_subcommand_from \(words.joined(separator: " "))"
        here += "; and not \(chosen)"
        condition += "; and \(chosen)"
      }
      let files = kind == .file || kind == .model ? " -F" : ""
      lines.append("complete -c hotword -n '\(here)'\(files)\(fishArguments(kind))")
    }
    return lines
  }

  private static func fishArguments(_ kind: ValueKind) -> String {
    switch kind {
    case .choice(let words): " -a '\(words.joined(separator: " "))'"
    // A tab separates a name from its description.
    case .model: " -a '(hotword models 2>/dev/null)'"
    case .folder: " -a '(__fish_complete_directories)'"
    case .file, .word: ""
    }
  }

  /// `text` as one word of fish, where a backslash escapes inside quotes.
  private static func fishQuoted(_ text: String) -> String {
    "'" + text.map { $0 == "'" || $0 == "\\" ? "\\\($0)" : String($0) }.joined() + "'"
  }
}
