import Glibc

/// Faults of files, processes and JSON, with the operating system's reason.
public enum SystemFault: Fault, Equatable {
  /// `path` could not be opened or read; `code` is its `errno`.
  case cannotRead(path: String, code: Int32)
  /// `path` could not be written; `code` is its `errno`.
  case cannotWrite(path: String, code: Int32)
  /// The file at `path` is larger than `limit` bytes.
  case tooLarge(path: String, limit: Int)
  /// `command` could not be started; `code` is its `errno`.
  case cannotStart(command: String, code: Int32)
  /// The bytes of `what` are not JSON that this program accepts.
  case notJSON(what: String, defect: JSONDefect)

  public var exitCode: ExitCode {
    switch self {
    case .cannotRead(_, EACCES), .cannotWrite(_, EACCES), .cannotStart(_, EACCES): .permission
    case .cannotRead(_, ENOENT), .cannotRead(_, EISDIR): .noInput
    case .cannotRead, .cannotWrite: .inputOutput
    case .tooLarge, .notJSON: .badData
    case .cannotStart: .unavailable
    }
  }

  public var message: String {
    switch self {
    case .cannotRead(let path, let code): "\(path): cannot be read: \(systemReason(code))"
    case .cannotWrite(let path, let code): "\(path): cannot be written: \(systemReason(code))"
    case .tooLarge(let path, let limit): "\(path): larger than the \(Self.size(limit)) allowed here"
    case .cannotStart(let command, let code): "\(command): cannot be started: \(systemReason(code))"
    case .notJSON(let what, let defect):
      "\(what):\(defect.line):\(defect.column): \(Self.description(of: defect.kind))"
    }
  }

  private static func size(_ bytes: Int) -> String {
    bytes >= 1 << 20 ? "\(bytes >> 20) MiB" : bytes >= 1 << 10 ? "\(bytes >> 10) KiB" : "\(bytes) bytes"
  }

  private static func description(of kind: JSONDefect.Kind) -> String {
    switch kind {
    case .syntax: "not valid JSON"
    case .tooDeep(let limit): "JSON nested more than \(limit) levels deep"
    case .duplicateName(let name): "the name \(JSON.string(name)) occurs twice in one JSON object"
    }
  }
}

/// The operating system's message for an `errno` value, with a lowercase first letter.
public func systemReason(_ code: Int32) -> String {
  let text = String(cString: strerror(code))
  return text.prefix(1).lowercased() + text.dropFirst()
}
