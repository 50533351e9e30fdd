extension CommandTable {
  public static let completions = CommandDefinition(
    "completions", "print what completes command lines in a shell",
    operands: .exactly(1, "bash|zsh|fish"),
    notes: [
      """
      Commands, options, values and installed models are completed. The Debian package brings them. Without it, write \
      them to ~/.local/share/bash-completion/completions/hotword for bash, to ~/.config/fish/completions/hotword.fish \
      for fish, to _hotword in a folder of $fpath for zsh; or have ~/.bashrc say: eval "$(hotword completions bash)"
      """
    ],
    examples: ["hotword completions bash", "hotword completions zsh"])
}
