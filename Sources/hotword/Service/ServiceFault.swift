import Platform
import Understanding

/// What can be wrong with the service's configuration.
enum ServiceFault: Fault, Equatable {
  /// The configuration holds a key that is none of ours.
  case unknownKey(String, file: String, at: SourcePosition, suggestion: String?)
  /// A key's value is not what it takes; `expected` says what that is.
  case badValue(key: String, file: String, at: SourcePosition, expected: String)
  /// The file is not readable as YAML.
  case notYAML(UnderstandingFault)
  /// The file holds no mapping of keys to values.
  case notSettings(file: String)
  /// `name` is no recognizer or handler of ours; `expected` lists them.
  case unknownPlugIn(kind: String, name: String, expected: String)

  var exitCode: ExitCode { .configuration }

  var message: String {
    switch self {
    case .unknownKey(let key, let file, let position, let suggestion):
      "\(file):\(position.line):\(position.column): unknown key '\(key)'\(Suggestion.question(suggestion))"
    case .badValue(let key, let file, let position, let expected):
      "\(file):\(position.line):\(position.column): \(key) takes \(expected)"
    case .notYAML(let fault): fault.message
    case .notSettings(let file):
      "\(file): holds no settings; write lines of the form 'key: value'"
    case .unknownPlugIn(let kind, let name, let expected):
      "unknown \(kind) '\(name)'; give \(expected)"
    }
  }
}
