import Platform

/// The faults of the plug-ins that the settings name, and of the service's outputs.
package enum ServiceFault: Fault, Equatable {
  /// `name` is not a plug-in of this `kind`; `expected` lists those that are.
  case unknownPlugIn(kind: String, name: String, expected: String)
  /// The shell does not find the program.
  case noProgram(String, plugIn: String)
  /// The file of a command may not be executed.
  case notExecutable(String, plugIn: String)
  /// The folder for clips cannot be created or written to.
  case cannotKeep(folder: String)

  /// `site` is not a valid name of a site on a broker.
  case badSite(String)
  /// `name` is not a valid choice of the dialogue manager.
  case badDialogueManager(String)
  /// Standard output cannot be written to; `code` is the value of `errno`.
  case cannotWriteOutput(code: Int32)
  /// The input is a broker's audio, and the settings name no broker.
  case noBroker

  package var exitCode: ExitCode {
    switch self {
    case .unknownPlugIn, .badSite, .badDialogueManager, .noBroker: .configuration
    case .noProgram, .notExecutable: .unavailable
    case .cannotWriteOutput: .inputOutput
    case .cannotKeep: .permission
    }
  }

  package var message: String {
    switch self {
    case .unknownPlugIn(let kind, let name, let expected):
      // What follows the kind may contain keys.
      "unknown \(kind) '\(name.prefix { $0 != ":" })'; give \(expected)"
    case .badSite(let site):
      "'\(site)' is not a name of a site; use letters other than /, + and #"
    case .badDialogueManager(let name):
      "'\(name)' is not a dialogue manager; give dialogue=here or dialogue=elsewhere"
    case .noBroker:
      "the input 'hermes' needs a broker; add --hermes mqtt://HOST, or write ./hermes for a file"
    case .cannotWriteOutput(let code): "standard output: cannot be written: \(systemReason(code))"
    case .notExecutable(let program, let plugIn):
      "\(plugIn): '\(program)' may not be executed; run 'chmod +x \(program)'"
    case .noProgram(let program, let plugIn):
      "\(plugIn): no program '\(program)' is installed; install it, or give its path"
    case .cannotKeep(let folder):
      Files.exists(folder) && !Files.isDirectory(folder)
        ? "\(folder): is no folder; name a folder for the clips"
        : "\(folder): cannot be written to; create it for the user that runs hotword"
    }
  }
}
