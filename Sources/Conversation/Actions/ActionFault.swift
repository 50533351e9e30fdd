import Platform

/// Faults of handlers.
public enum ActionFault: Fault, Equatable {
  /// The command could not be started.
  case cannotStart(SystemFault)
  /// The command exceeded its timeout and was stopped.
  case timedOut(command: String, seconds: Double)
  /// The command was cancelled and stopped.
  case cancelled(command: String)
  /// The command ended with an exit status other than 0; `detail` is the last line of its standard error.
  case failed(command: String, status: Int32, detail: String?)
  /// A signal ended the command.
  case killed(command: String, signal: Int32, detail: String?)
  /// A server could not be reached, or closed the connection.
  case remote(AnyFault)
  /// A server answered with an error status; `attempts` is the number of requests.
  case refused(peer: String, status: Int, attempts: Int)
  /// A server's answer is not valid JSON although its type says so.
  case noReply(peer: String)
  /// The command printed invalid JSON, or JSON with neither a reply nor actions.
  case noAnswer(command: String)
  /// A handler's action lacks a field, or has one out of range.
  case incomplete(action: String)
  /// The configured topic, or the one made of the intent's name, is not a valid MQTT topic.
  case badTopic(String)

  public var exitCode: ExitCode {
    switch self {
    case .cannotStart(let fault): fault.exitCode
    case .timedOut, .cancelled, .failed, .killed, .refused: .unavailable
    case .remote(let fault): fault.exitCode
    case .noReply, .noAnswer, .incomplete: .badData
    case .badTopic: .configuration
    }
  }

  public var message: String {
    switch self {
    case .cannotStart(let fault): fault.message
    case .timedOut(let command, let seconds):
      "\(command): stopped after \(JSON.rounded(seconds)) s; make it faster, or raise handler-timeout"
    case .cancelled(let command): "\(command): cancelled"
    case .failed(let command, let status, let detail):
      "\(command): failed with status \(status)" + Self.suffix(detail)
    case .killed(let command, let signal, let detail):
      "\(command): ended by signal \(signal)" + Self.suffix(detail)
    case .remote(let fault): fault.message
    case .refused(let peer, let status, 1): "\(peer): answered with status \(status)"
    case .refused(let peer, let status, let attempts):
      "\(peer): answered with status \(status), \(attempts) times"
    case .noReply(let peer): "\(peer): the answer is not valid JSON"
    case .noAnswer(let command):
      "\(command): printed neither text nor JSON with a reply; print {\"reply\": \"…\"}"
    case .incomplete(let action):
      "the handler's action \(action) is not carried out: a field is missing or out of range"
    case .badTopic(let topic):
      "'\(topic)' is not a valid MQTT topic; use 1 to 1,000 bytes without +, # and control characters"
    }
  }

  private static func suffix(_ detail: String?) -> String { detail.map { ": \($0)" } ?? "" }
}
