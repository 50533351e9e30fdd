import Platform
import YAMLFormat

/// The faults of a configuration file.
package enum ConfigurationFault: Fault, Equatable {
  /// The file has an unknown key.
  case unknownKey(String, file: String, at: SourcePosition, suggestion: String?)
  /// A key's value is invalid; `expected` describes the valid ones.
  case badValue(key: String, file: String, at: SourcePosition, expected: String)
  /// The file is not valid YAML.
  case notYAML(YAMLFault)
  /// The file is not a mapping of keys to values.
  case notSettings(file: String)

  package var exitCode: ExitCode { .configuration }

  package var message: String {
    switch self {
    case .unknownKey(let key, let file, let position, let suggestion):
      "\(file):\(position.line):\(position.column): unknown key '\(key)'\(Suggestion.question(suggestion))"
    case .badValue(let key, let file, let position, let expected):
      "\(file):\(position.line):\(position.column): \(key) takes \(expected)"
    case .notYAML(let fault): fault.message
    case .notSettings(let file):
      "\(file): has no settings; write lines of the form 'key: value'"
    }
  }
}
