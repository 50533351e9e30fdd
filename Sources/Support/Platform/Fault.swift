/// What a process tells its caller when it ends, after BSD's `sysexits.h`.
public enum ExitCode: Int32, Sendable {
  case success = 0
  case usage = 64
  case badData = 65
  case noInput = 66
  case unavailable = 69
  case bug = 70
  case operatingSystem = 71
  case inputOutput = 74
  case permission = 77
  case configuration = 78
}

/// An error that a user may meet: a fact with its exit code and its one line of wording.
///
/// Each module has one enumeration of its faults; the cases carry what happened and where, and
/// `message` is the only place that words them: it names the thing at fault and, where it can, the mend.
public protocol Fault: Error, Sendable, CustomStringConvertible {
  /// The process's exit code when this fault ends it.
  var exitCode: ExitCode { get }
  /// One line, no trailing full stop, fit for "hotword: MESSAGE" on standard error.
  var message: String { get }
}

extension Fault {
  public var description: String { message }
}
