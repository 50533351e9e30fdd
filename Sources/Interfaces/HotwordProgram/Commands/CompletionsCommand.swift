import CommandLineParsing

/// `hotword completions`: prints a shell's completion script.
enum CompletionsCommand: Command {
  static let definition = CommandDefinition(
    "completions", "print a script that completes command lines in a shell",
    operands: .exactly(1, "bash|zsh|fish"),
    notes: [
      """
      Completes commands, options, values and installed models. The Debian package installs the scripts. Without it, write \
      the output to ~/.local/share/bash-completion/completions/hotword for bash, to \
      ~/.config/fish/completions/hotword.fish for fish, to _hotword in a folder of $fpath for zsh; or add this line to \
      ~/.bashrc: eval "$(hotword completions bash)"
      """
    ],
    examples: ["hotword completions bash", "hotword completions zsh"])

  static func run(_ arguments: Arguments) {
    let shell = arguments.operands[0]
    Output.write(ShellCompletions.text(for: shell, CommandList.definitions) ?? "")
  }
}
