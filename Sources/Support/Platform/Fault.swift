/// Exit codes of BSD's `sysexits.h`.
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

/// An error that is reported to the user, with its exit code and its message.
///
/// Each module has one enumeration of its faults. The cases carry what happened and where; `message` is the only place that
/// words them, and states what is wrong, where, and the suggested fix if there is one.
public protocol Fault: Error, Sendable, CustomStringConvertible {
  /// The process's exit code for this fault.
  var exitCode: ExitCode { get }
  /// One line without a trailing full stop, as in "hotword: MESSAGE" on standard error.
  var message: String { get }
  /// All faults of the input that this one was found in, in their order; by default this one alone.
  func allOfInput() -> [any Fault]
}

extension Fault {
  public var description: String { message }
  public func allOfInput() -> [any Fault] { [self] }
}

/// Logs all `faults` but the last and throws that, so that a command tells all in their order; returns if there are none.
public func throwAll(_ faults: [any Fault]) throws {
  guard let last = faults.last else { return }
  for fault in faults.dropLast() { Log.error(fault.message) }
  throw last
}

/// The fault that `body` throws; nil if it throws none.
///
/// - Precondition: `body` throws only faults.
public func fault(of body: () throws -> Void) -> (any Fault)? {
  do {
    try body()
    return nil
  } catch let fault as any Fault {
    return fault
  } catch {
    preconditionFailure("not a fault: \(error)")
  }
}

/// Any fault as a value: equal to another one with the same message and exit code.
public struct AnyFault: Fault, Equatable {
  public let underlying: any Fault

  public init(_ underlying: any Fault) { self.underlying = underlying }

  public var exitCode: ExitCode { underlying.exitCode }
  public var message: String { underlying.message }
  public func allOfInput() -> [any Fault] { underlying.allOfInput() }

  public static func == (one: AnyFault, other: AnyFault) -> Bool {
    one.exitCode == other.exitCode && one.message == other.message
  }
}
