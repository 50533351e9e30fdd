import Platform

/// Runs a shell command for each intent, with the event's JSON on its standard input and the answer on its standard output.
///
/// The command runs in a process group of its own; after the timeout it receives SIGTERM and then SIGKILL.
public struct CommandHandler: Handler {
  /// The default timeout in seconds.
  public static let standardTimeout = 10.0

  /// The command line for `/bin/sh -c`.
  public let command: String
  /// Seconds until the command is stopped.
  public let timeout: Double
  private let intents: Set<String>?
  private let isCancelled: @Sendable () -> Bool

  /// - Parameters:
  ///   - intents: the intents to run for; nil for all.
  ///   - isCancelled: called every 50 ms while the command runs.
  public init(
    _ command: String, timeout: Double = standardTimeout, intents: Set<String>? = nil,
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) {
    self.command = command
    self.timeout = timeout
    self.intents = intents
    self.isCancelled = isCancelled
  }

  /// Runs the command.
  ///
  /// - Returns: the parsed output, see ``Answer/init(output:)``; nil if it is empty.
  /// - Throws: ``ActionFault`` if the command cannot start, fails, or exceeds the timeout.
  public func handle(_ event: IntentEvent) throws(ActionFault) -> Answer? {
    guard event.interpretation.status == .ready, let name = event.interpretation.intent?.name else {
      return nil
    }
    if let intents, !intents.contains(name) { return nil }
    let input = Array((event.json.description + "\n").utf8)
    let result: Subprocess.Result
    do throws(SystemFault) {
      result = try Subprocess(shell: command).run(
        input: input, timeout: timeout, keepsErrors: true, cancelled: isCancelled)
    } catch {
      throw .cannotStart(error)
    }
    let program = Subprocess.name(ofShell: command)
    switch result.ending {
    case .exited(0): return try answer(result.output)
    case .exited(let status):
      throw .failed(command: program, status: status, detail: result.lastErrorLine)
    case .killed(let signal):
      throw .killed(command: program, signal: signal, detail: result.lastErrorLine)
    case .timedOut: throw .timedOut(command: program, seconds: timeout)
    case .cancelled: throw .cancelled(command: program)
    }
  }

  private func answer(_ output: [UInt8]) throws(ActionFault) -> Answer? {
    do throws(Answer.Malformed) {
      return try Answer(output: output)
    } catch {
      throw .noAnswer(command: Subprocess.name(ofShell: command))
    }
  }
}
