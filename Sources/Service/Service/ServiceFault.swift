import Platform

/// What can be wrong with the plug-ins that the settings name.
package enum ServiceFault: Fault, Equatable {
  /// `name` is no recognizer or handler of ours; `expected` lists them.
  case unknownPlugIn(kind: String, name: String, expected: String)
  /// The shell finds no program of this name.
  case noProgram(String, plugIn: String)
  /// The folder for clips does not exist and cannot be made, or cannot be written to.
  case cannotKeep(folder: String)

  /// `site` is no name of a room on a broker.
  case badSite(String)
  /// `name` does not say who leads the dialogues.
  case badLeader(String)
  /// Audio is to come over a broker, and there is none.
  case noBroker

  package var exitCode: ExitCode {
    switch self {
    case .unknownPlugIn, .badSite, .badLeader, .noBroker: .configuration
    case .noProgram: .unavailable
    case .cannotKeep: .permission
    }
  }

  package var message: String {
    switch self {
    case .unknownPlugIn(let kind, let name, let expected):
      "unknown \(kind) '\(name)'; give \(expected)"
    case .badSite(let site):
      "'\(site)' is no name of a site; it takes letters without /, + and #"
    case .badLeader(let name): "'\(name)' does not lead dialogues; give dialogue=here or dialogue=elsewhere"
    case .noBroker:
      "the input 'hermes' needs a broker; add --hermes mqtt://HOST, or write ./hermes for a file"
    case .noProgram(let program, let plugIn):
      "\(plugIn): there is no program '\(program)'; install it, or name it with its path"
    case .cannotKeep(let folder):
      "\(folder): cannot be written to; make it for the user that runs hotword"
    }
  }
}
