import Glibc
import Platform

/// What every command of every program shares: signals, help, error messages and exit codes.
public enum Program {
  /// The version that `hotword --version` prints and model files state.
  public static let version = "\(Version.text)"

  /// Runs the command that `words` name and ends the process with its exit code.
  ///
  /// Signals that would end a service by accident are ignored first. A fault becomes one line on standard error.
  /// `--help`, `COMMAND --help` and `--version` are answered here.
  ///
  /// - Parameter words: the process's arguments, including the program's name.
  public static func run(_ words: [String], commands: [any Command.Type]) -> Never {
    signal(SIGPIPE, SIG_IGN)
    // A write above the limit of a file's size then fails with a reason.
    signal(SIGXFSZ, SIG_IGN)
    // A parent may have left it ignored; the ends of subprocesses would then go unnoticed.
    signal(SIGCHLD, SIG_DFL)
    do {
      try dispatch(Array(words.dropFirst()), commands)
      exit(ExitCode.success.rawValue)
    } catch let fault as any Fault {
      for fault in fault.allOfInput() { Log.error(fault.message) }
      exit(fault.exitCode.rawValue)
    } catch {
      Log.error("unexpected error: \(error)")
      exit(ExitCode.bug.rawValue)
    }
  }

  /// The arguments of a process that runs under the name `hotword-COMMAND`, as those of `hotword COMMAND`.
  ///
  /// - Parameter command: the name of the command that may be linked in this way.
  public static func words(_ arguments: [String], linkedAs command: String) -> [String] {
    let path = arguments.first ?? ""
    let name = path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...]
    guard name == "hotword-\(command)" else { return arguments }
    return ["hotword", command] + arguments.dropFirst()
  }

  private static func dispatch(_ words: [String], _ commands: [any Command.Type]) throws {
    let definitions = commands.map { $0.definition }
    guard let name = words.first, !["--help", "-h", "help"].contains(name) else {
      if words.count > 1, let definition = definitions.first(where: { $0.name == words[1] }) {
        return Output.write(Help.text(for: definition))
      }
      return Output.write(Help.overview(definitions))
    }
    if name == "--version" { return Output.write("hotword \(version)\n") }
    guard let command = commands.first(where: { $0.name == name }) else {
      let suggestion = Suggestion.nearest(to: name, among: definitions.map(\.name))
      throw UsageFault.unknownCommand(name, suggestion: suggestion)
    }
    let rest = Array(words.dropFirst())
    let options = rest.prefix { $0 != "--" }
    if options.contains("--help") || options.contains("-h") {
      return Output.write(Help.text(for: command.definition))
    }
    try command.run(Arguments(rest, for: command.definition))
  }
}

/// Results on standard output.
///
/// If the reader has gone away, the process ends quietly; on a full disk it ends with an error.
public enum Output {
  public static func write(_ text: String) {
    guard !writeAll(Array(text.utf8), to: STDOUT_FILENO) else { return }
    if errno == EPIPE { exit(ExitCode.success.rawValue) }
    Log.error("standard output: cannot be written: \(systemReason(errno))")
    exit(ExitCode.inputOutput.rawValue)
  }

  /// Writes one JSON object as one line.
  public static func line(_ value: JSON) { write("\(value)\n") }
}
