import CommandLineParsing

/// `hotword completions`: what completes command lines in a shell.
enum CompletionsCommand {
  static func run(_ arguments: Arguments) {
    let shell = arguments.operands[0]
    Output.write(ShellCompletions.text(for: shell, CommandTable.commands) ?? "")
  }
}
