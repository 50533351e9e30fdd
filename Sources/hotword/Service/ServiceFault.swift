import Platform

/// What can be wrong with the plug-ins that the settings name.
enum ServiceFault: Fault, Equatable {
  /// `name` is no recognizer or handler of ours; `expected` lists them.
  case unknownPlugIn(kind: String, name: String, expected: String)
  /// The shell finds no program of this name.
  case noProgram(String, plugIn: String)
  /// The folder for clips does not exist and cannot be made, or cannot be written to.
  case cannotKeep(folder: String)

  var exitCode: ExitCode {
    switch self {
    case .unknownPlugIn: .configuration
    case .noProgram: .unavailable
    case .cannotKeep: .permission
    }
  }

  var message: String {
    switch self {
    case .unknownPlugIn(let kind, let name, let expected):
      "unknown \(kind) '\(name)'; give \(expected)"
    case .noProgram(let program, let plugIn):
      "\(plugIn): there is no program '\(program)'; install it, or name it with its path"
    case .cannotKeep(let folder):
      "\(folder): cannot be written to; make it for the user that runs hotword"
    }
  }
}
