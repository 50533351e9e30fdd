import Networking
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
  /// A server was not reached, or broke off.
  case network(NetworkFault)
  /// A server answered with a status of failure; `attempts` is how often it was asked.
  case refused(peer: String, status: Int, attempts: Int)
  /// A server answered with what it calls JSON and is none.
  case noReply(peer: String)
  /// The command printed what begins as JSON does and is none, or has neither a reply nor actions.
  case noAnswer(command: String)
  /// The intent's name, or the configured text, is no topic of MQTT.
  case badTopic(String)

  public var exitCode: ExitCode {
    switch self {
    case .cannotStart(let fault): fault.exitCode
    case .timedOut, .cancelled, .failed, .killed, .refused: .unavailable
    case .network(let fault): fault.exitCode
    case .noReply, .noAnswer: .badData
    case .badTopic: .configuration
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
    case .network(let fault): fault.message
    case .refused(let peer, let status, 1): "\(peer): answered with status \(status)"
    case .refused(let peer, let status, let attempts):
      "\(peer): answered with status \(status), \(attempts) times"
    case .noReply(let peer): "\(peer): answered what is no JSON"
    case .noAnswer(let command):
      "\(command): printed what is neither words nor JSON with a reply; print {\"reply\": \"…\"}"
    case .badTopic(let topic):
      "'\(topic)' is no MQTT topic; it takes no +, #, control characters or emptiness"
    }
  }

  private static func words(_ seconds: Double) -> String { JSON.rounded(seconds).description }

  private static func words(_ detail: String?) -> String { detail.map { ": \($0)" } ?? "" }
}
