/// Completion scripts for shells, rendered from the command definitions.
public enum ShellCompletions {
  /// - Parameter shell: bash, zsh or fish; for any other the result is nil.
  public static func text(for shell: String, _ commands: [CommandDefinition]) -> String? {
    switch shell {
    case "bash": bash(commands)
    case "zsh": zsh(commands)
    case "fish": fish(commands)
    default: nil
    }
  }

  /// `text` as one word of a shell.
  static func quoted(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
  }
}
