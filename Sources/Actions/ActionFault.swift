import Platform

/// What can go wrong when a handler carries out an intent.
public enum ActionFault: Fault, Equatable {
  /// The command could not be started at all.
  case cannotStart(SystemFault)
  /// The command outlived its time and was ended.
  case timedOut(command: String, seconds: Double)
  /// The command was cancelled by its caller and ended.
  case cancelled(command: String)
  /// The command ended with an exit status other than 0; `detail` is the last line of its standard error.
  case failed(command: String, status: Int32, detail: String?)
  /// The command was ended by a signal.
  case killed(command: String, signal: Int32, detail: String?)

  public var exitCode: ExitCode {
    switch self {
    case .cannotStart(let fault): fault.exitCode
    case .timedOut, .cancelled, .failed, .killed: .unavailable
    }
  }

  public var message: String {
    switch self {
    case .cannotStart(let fault): fault.message
    case .timedOut(let command, let seconds):
      "\(command): still ran after \(Self.words(seconds)) s and was ended; raise its time-out or make it faster"
    case .cancelled(let command): "\(command): cancelled"
    case .failed(let command, let status, let detail):
      "\(command): failed with status \(status)" + Self.words(detail)
    case .killed(let command, let signal, let detail):
      "\(command): ended by signal \(signal)" + Self.words(detail)
    }
  }

  private static func words(_ seconds: Double) -> String { JSON.rounded(seconds).description }

  private static func words(_ detail: String?) -> String { detail.map { ": \($0)" } ?? "" }
}
