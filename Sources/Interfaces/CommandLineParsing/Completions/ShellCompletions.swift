/// What completes command lines in a shell, rendered from the command table.
public enum ShellCompletions {
  /// - Parameter shell: bash, zsh or fish; nil is returned for another.
  public static func text(for shell: String, _ commands: [Command]) -> String? {
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
