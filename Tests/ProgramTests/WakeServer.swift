import Glibc
import Platform
import TestServers

/// A server of ours, `hotword serve` unless another is named, for as long as this value lives.
final class WakeServer {
  let program: RunningProgram
  /// The first address that it listens at.
  let uri: String

  static let hasClient = PythonServer.python(with: ["wyoming"]) != nil

  struct DidNotStart: Error {
    let log: String
  }

  /// - Parameters:
  ///   - words: options besides `--uri`, which is a free port unless there is one among them.
  ///   - environment: `NAME=VALUE`, for it alone.
  ///   - before: a command of the shell that starts it.
  ///   - tracer: words before the program's path.
  ///   - isFed: whether its standard input is what the test writes.
  init(
    _ words: [String] = [], command: String = "serve", environment: String = "", before: String = "true",
    tracer: [String] = [], isFed: Bool = false
  ) throws {
    let uri = words.contains("--uri") ? [] : ["--uri", "tcp://127.0.0.1:0"]
    let program = try RunningProgram(
      [command] + uri + words, environment: environment, before: before, tracer: tracer, isFed: isFed)
    var found: String?
    _ = Waiting.until {
      found = Self.address(in: program.errors)
      return found != nil
    }
    guard let found else { throw DidNotStart(log: program.errors) }
    self.program = program
    self.uri = found
  }

  var process: pid_t { program.process }

  /// Its messages so far.
  var messages: String { program.errors }

  /// Sends SIGTERM; the exit code, or nil where it does not end.
  func terminate() -> Int32? { try? program.end(by: SIGTERM).code }

  /// As of its program.
  var footprint: (descriptors: Int, threads: Int, kilobytes: Int) { program.footprint }
  var processorTime: Double { program.processorTime }

  private static func address(in log: String) -> String? {
    guard let mark = log.firstRange(of: " at "), let end = log[mark.upperBound...].firstIndex(of: "\n") else {
      return nil
    }
    return log[mark.upperBound..<end].split(separator: ",").first.map(String.init)
  }

  /// Runs a script of `TestServers` as a client of `uri`; the lines of JSON that it prints.
  static func client(
    _ script: String, _ arguments: [String], input: String = "", timeout: Double = 240
  ) throws -> [JSON] {
    let python = PythonServer.python(with: ["wyoming"]) ?? "python3"
    let path = "\(Program.root)/Tests/TestServers/Scripts/\(script)"
    let line = ([python, "-W", "ignore", path] + arguments).map(Program.quoted).joined(separator: " ")
    let outcome = try Program.shell(line, input: Array(input.utf8), timeout: timeout)
    guard outcome.code == 0 else { throw DidNotStart(log: outcome.errors) }
    return try outcome.objects
  }

  /// Runs `steps` with the real client; returns the events that the server sent meanwhile.
  func events(_ steps: [JSON], at uri: String? = nil) throws -> [JSON] {
    try Self.client("wyoming_wake_client.py", [uri ?? self.uri], input: JSON.array(steps).description)
  }
}
