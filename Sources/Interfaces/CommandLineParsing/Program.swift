import Glibc
import Platform

/// The frame around every command: signals, help, faults and exit codes.
public enum Program {
  /// Runs `body` with the parsed command line and ends the process with its exit code.
  ///
  /// Signals that would kill a service by accident are ignored first. A fault becomes one line on standard
  /// error. `hotword --help`, `COMMAND --help` and `hotword --version` are answered here.
  ///
  /// - Parameters:
  ///   - words: the process's arguments, the program's name included.
  ///   - commands: what may follow it.
  ///   - body: performs the command; throws a `Fault` to end with its code.
  public static func run(
    _ words: [String], commands: [Command], body: (Command, [String]) throws -> Void
  ) -> Never {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGHUP, SIG_IGN)
    do {
      try dispatch(Array(words.dropFirst()), commands: commands, body: body)
      exit(ExitCode.success.rawValue)
    } catch let fault as any Fault {
      Log.error(fault.message)
      exit(fault.exitCode.rawValue)
    } catch {
      Log.error("unexpected fault: \(error)")
      exit(ExitCode.bug.rawValue)
    }
  }

  /// The arguments of a process that was run under the name `hotword-COMMAND`, as `hotword COMMAND` has them.
  public static func words(_ arguments: [String]) -> [String] {
    let name =
      arguments.first.map { $0[($0.lastIndex(of: "/").map($0.index(after:)) ?? $0.startIndex)...] } ?? ""
    guard name == "hotword-\(CommandTable.engine.name)" else { return arguments }
    return ["hotword", CommandTable.engine.name] + arguments.dropFirst()
  }

  private static func dispatch(
    _ words: [String], commands: [Command], body: (Command, [String]) throws -> Void
  ) throws {
    guard let name = words.first, !["--help", "-h", "help"].contains(name) else {
      if words.count > 1, let command = commands.first(where: { $0.name == words[1] }) {
        return Output.write(Help.text(for: command))
      }
      return Output.write(Help.overview(commands))
    }
    if name == "--version" { return Output.write("hotword \(version)\n") }
    guard let command = commands.first(where: { $0.name == name }) else {
      let suggestion = Suggestion.nearest(to: name, among: commands.map(\.name))
      throw UsageFault.unknownCommand(name, suggestion: suggestion)
    }
    let rest = Array(words.dropFirst())
    let options = rest.prefix { $0 != "--" }
    if options.contains("--help") || options.contains("-h") { return Output.write(Help.text(for: command)) }
    try body(command, rest)
  }

  /// The version that `hotword --version` tells and model files name.
  public static let version = "\(Version.text)"
}

/// Results on standard output; a reader that went away ends the process quietly, a full disk with a fault.
public enum Output {
  public static func write(_ text: String) {
    guard !writeAll(Array(text.utf8), to: STDOUT_FILENO) else { return }
    if errno == EPIPE { exit(ExitCode.success.rawValue) }
    Log.error("standard output: cannot be written: \(systemReason(errno))")
    exit(ExitCode.inputOutput.rawValue)
  }

  /// One JSON object as one line.
  public static func line(_ value: JSON) { write("\(value)\n") }
}
