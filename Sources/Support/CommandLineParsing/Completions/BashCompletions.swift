extension ShellCompletions {
  /// A function for bash; it does not need bash-completion.
  ///
  /// For each command it lists the options, the options with a value, the kind of each value, and the kinds of the operands. A
  /// kind is `@file`, `@folder`, `@model`, `@word`, or the words to choose from.
  static func bash(_ commands: [CommandDefinition]) -> String {
    let names = commands.map(\.name).joined(separator: " ")
    return """
      # Completions of hotword for bash, made by 'hotword completions bash'.

      _hotword() {
        local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}
        local options= valued= kind= index word place=0
        local -a operands=()
        COMPREPLY=()
        if ((COMP_CWORD == 1)); then
          COMPREPLY=($(compgen -W "\(names) help --help --version" -- "$cur"))
          return
        fi
        # In bash, --option=value is three words.
        if [[ $cur == "=" ]]; then
          cur=
        elif [[ $prev == "=" ]]; then
          prev=${COMP_WORDS[COMP_CWORD-2]}
        fi
        case ${COMP_WORDS[1]} in
      \(commands.map(bashCase).joined(separator: "\n"))
          help) operands=("\(names)") ;;
          *) return ;;
        esac
        if [[ -z $kind && $cur == -* ]]; then
          COMPREPLY=($(compgen -W "$options --help" -- "$cur"))
          return
        fi
        if [[ -z $kind ]]; then
          for ((index = 2; index < COMP_CWORD; index++)); do
            word=${COMP_WORDS[index]}
            if [[ $word != -?* ]]; then
              ((place += 1))
            elif [[ ${COMP_WORDS[index+1]} == "=" ]]; then
              ((index += 2))
            elif [[ " $valued " == *" $word "* ]]; then
              ((index += 1))
            fi
          done
          ((place < ${#operands[@]})) || place=$((${#operands[@]} - 1))
          ((place < 0)) || kind=${operands[place]}
        fi
        case $kind in
          "") COMPREPLY=($(compgen -W "$options --help" -- "$cur")) ;;
          @word) ;;
          @file) compopt -o default ;;
          @folder) compopt -o dirnames ;;
          @model)
            COMPREPLY=($(compgen -W "$("$1" models 2>/dev/null | cut -f 1)" -- "$cur"))
            compopt -o default
            ;;
          *) COMPREPLY=($(compgen -W "$kind" -- "$cur")) ;;
        esac
      }

      complete -F _hotword hotword

      """
  }

  private static func bashCase(_ command: CommandDefinition) -> String {
    let valued = command.options.filter { $0.value != nil && $0.defaultValue == nil }
    var lines = ["    \(command.name))"]
    if !command.options.isEmpty {
      lines.append("      options=\"\(command.options.map(\.name).joined(separator: " "))\"")
    }
    if !valued.isEmpty {
      lines.append("      valued=\"\(valued.map(\.name).joined(separator: " "))\"")
      lines.append("      case $prev in")
      lines += valued.map { "        \($0.name)) kind=\"\(bashKind($0.kind ?? .word))\" ;;" }
      lines.append("      esac")
    }
    let operands = ValueKind.places(of: command.operands).map { "\"\(bashKind($0))\"" }
    if !operands.isEmpty { lines.append("      operands=(\(operands.joined(separator: " ")))") }
    return (lines + ["      ;;"]).joined(separator: "\n")
  }

  private static func bashKind(_ kind: ValueKind) -> String {
    switch kind {
    case .choice(let words): words.joined(separator: " ")
    case .model: "@model"
    case .file: "@file"
    case .folder: "@folder"
    case .word: "@word"
    }
  }
}
