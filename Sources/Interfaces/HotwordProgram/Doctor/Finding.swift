import Platform

/// The result of one check, with a suggested fix if it found a problem.
struct Finding {
  enum State: String {
    case ok
    case warning
    case fault
  }

  let check: String
  let state: State
  let message: String
  /// The exit code of the process if this is the first fault.
  let exitCode: ExitCode
  /// The measured values, for JSON.
  let figures: [JSON.Member]

  private init(
    _ check: String, _ state: State, _ message: String, exitCode: ExitCode = .success,
    figures: [JSON.Member] = []
  ) {
    self.check = check
    self.state = state
    self.message = message
    self.exitCode = exitCode
    self.figures = figures
  }

  /// Ok with this message, or the fault that `body` throws.
  init(_ check: String, _ message: String, _ body: () throws -> Void) {
    do {
      try body()
      self = .ok(check, message)
    } catch {
      self = .fault(check, error)
    }
  }

  static func ok(_ check: String, _ message: String, _ figures: [JSON.Member] = []) -> Finding {
    Finding(check, .ok, message, figures: figures)
  }

  static func warning(_ check: String, _ message: String, _ figures: [JSON.Member] = []) -> Finding {
    Finding(check, .warning, message, figures: figures)
  }

  static func fault(_ check: String, _ message: String, _ exitCode: ExitCode) -> Finding {
    Finding(check, .fault, message, exitCode: exitCode)
  }

  static func fault(_ check: String, _ error: any Error) -> Finding {
    guard let fault = error as? any Fault else { return .fault(check, "\(error)", .bug) }
    return .fault(check, fault.message, fault.exitCode)
  }

  var text: String { Self.padded(state.rawValue, 9) + Self.padded(check, 12) + message + "\n" }

  var json: JSON {
    .object(
      [
        JSON.Member("check", .string(check)), JSON.Member("state", .string(state.rawValue)),
        JSON.Member("message", .string(message)),
      ] + figures)
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.count))
  }
}
