import Platform

/// A YAML document that was rejected: what is wrong, and where. Ends a command with exit code 65.
public struct YAMLFault: Fault, Equatable {
  public let file: String
  public let position: SourcePosition
  public let problem: Problem

  public enum Problem: Error, Sendable, Equatable {
    case notYAML(reason: String)
    case notUTF8
    case empty
    case alias(name: String)
    case tag(name: String)
    case secondDocument
    case duplicateKey(key: String, firstLine: Int)
    case tooDeep(limit: Int)
    case tooManyNodes(limit: Int)
    case keyNotText
  }

  public var exitCode: ExitCode { .badData }

  public var message: String { "\(file):\(position.line):\(position.column): \(problem.message)" }
}

extension YAMLFault.Problem {
  /// What is wrong and what to do about it, without the place.
  public var message: String {
    switch self {
    case .notYAML(let reason): "not valid YAML: \(reason)"
    case .notUTF8: "not valid UTF-8; save the file as UTF-8 text"
    case .empty: "the file is empty"
    case .alias(let name): "the alias '*\(name)' is not supported; write the value out"
    case .tag(let name): "the tag '\(name)' is not supported; remove it"
    case .secondDocument: "a second document begins here; keep one document per file"
    case .duplicateKey(let key, let line):
      "duplicate key '\(key)', first used in line \(line); remove one of them"
    case .tooDeep(let limit): "nested deeper than \(limit) levels; flatten the structure"
    case .tooManyNodes(let limit): "more than \(limit) values in one file; split the file"
    case .keyNotText: "a key must be plain text; quote text that begins with '[' or '{'"
    }
  }
}
