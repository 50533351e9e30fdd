import Platform
import YAMLFormat

/// The faults of a configuration file.
package enum ConfigurationFault: Fault, Equatable {
  /// The file has an unknown key.
  case unknownKey(String, file: String, at: SourcePosition, suggestion: String?)
  /// A key's value is invalid; `expected` describes the valid ones.
  case badValue(key: String, file: String, at: SourcePosition, expected: String)
  /// The site of the MQTT broker is empty; `place` is nil for the option of the command line.
  case emptySite(place: Place?)
  /// The file is not valid YAML.
  case notYAML(YAMLFault)
  /// The file is not a mapping of keys to values.
  case notSettings(file: String)

  /// A position in a file.
  package struct Place: Sendable, Equatable {
    package let file: String
    package let position: SourcePosition
  }

  package var exitCode: ExitCode { .configuration }

  package var message: String {
    switch self {
    case .unknownKey(let key, let file, let position, let suggestion):
      "\(file):\(position.line):\(position.column): unknown key '\(key)'\(Suggestion.question(suggestion))"
    case .badValue(let key, let file, let position, let expected):
      "\(file):\(position.line):\(position.column): \(key) takes \(expected)"
    case .emptySite(let place):
      (place.map { "\($0.file):\($0.position.line):\($0.position.column)" } ?? "--hermes")
        + ": the site of the broker is empty; write ',site=NAME', or leave it out for 'default'"
    case .notYAML(let fault): fault.message
    case .notSettings(let file):
      "\(file): has no settings; write lines of the form 'key: value'"
    }
  }
}
