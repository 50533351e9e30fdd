extension ShellCompletions {
  /// A file `_hotword` for a folder of zsh's `$fpath`.
  static func zsh(_ commands: [CommandDefinition]) -> String {
    let list = commands.map { "    " + quoted("\($0.name):\(plain($0.summary))") }.joined(separator: "\n")
    return """
      #compdef hotword
      # Completions of hotword for zsh, made by 'hotword completions zsh'.

      _hotword_models() {
        local -a names
        names=(${(f)"$(hotword models 2>/dev/null | cut -f 1)"})
        _alternative "models:model:($names)" 'files:file:_files'
      }

      _hotword() {
        local -a commands
        commands=(
      \(list)
          'help:show the help of a command'
        )
        if ((CURRENT == 2)); then
          _describe -t commands 'hotword command' commands
          return
        fi
        shift words
        ((CURRENT -= 1))
        case $words[1] in
      \(commands.map(zshCase).joined(separator: "\n"))
          help) _describe -t commands 'hotword command' commands ;;
        esac
      }

      _hotword "$@"

      """
  }

  private static func zshCase(_ command: CommandDefinition) -> String {
    var specifications = command.options.map { option in
      let text = "[\(plain(option.help))]"
      let repeated = option.isRepeatable ? "*" : ""
      guard let value = option.value, let kind = option.kind else { return repeated + option.name + text }
      let colons = option.defaultValue == nil ? ":" : "::"
      return "\(repeated)\(option.name)=\(text)\(colons)\(plain(value)):\(zshAction(kind))"
    }
    specifications.append("--help[show the options and examples]")
    let places = ValueKind.places(of: command.operands)
    for (index, kind) in places.enumerated() {
      let isLast = index == places.count - 1 && command.operands.range.upperBound > places.count
      specifications.append("\(isLast ? "*" : String(index + 1)):\(zshName(kind)):\(zshAction(kind))")
    }
    let lines = specifications.map { "        " + quoted($0) }.joined(separator: " \\\n")
    return "    \(command.name))\n      _arguments \\\n\(lines)\n      ;;"
  }

  private static func zshName(_ kind: ValueKind) -> String {
    switch kind {
    case .choice: "what"
    case .model: "model"
    case .file: "file"
    case .folder: "folder"
    case .word: "text"
    }
  }

  private static func zshAction(_ kind: ValueKind) -> String {
    switch kind {
    case .choice(let words): "(\(words.joined(separator: " ")))"
    case .model: "_hotword_models"
    case .file: "_files"
    case .folder: "_files -/"
    case .word: " "
    }
  }

  /// `text` without the characters that `_arguments` interprets.
  private static func plain(_ text: String) -> String {
    let replacements: [Character: String] = ["[": "(", "]": ")", ":": "\\:", "\\": "\\\\"]
    return text.map { replacements[$0] ?? String($0) }.joined()
  }
}
