import Platform
import YAMLFormat

/// What can be wrong with a configuration file.
package enum ConfigurationFault: Fault, Equatable {
  /// The file holds a key that is none of ours.
  case unknownKey(String, file: String, at: SourcePosition, suggestion: String?)
  /// A key's value is not what it takes; `expected` says what that is.
  case badValue(key: String, file: String, at: SourcePosition, expected: String)
  /// The file is not readable as YAML.
  case notYAML(YAMLFault)
  /// The file holds no mapping of keys to values.
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
      "\(file): holds no settings; write lines of the form 'key: value'"
    }
  }
}
