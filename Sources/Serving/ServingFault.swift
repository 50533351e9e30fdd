import Platform

/// What can keep a server from serving.
public enum ServingFault: Fault, Equatable {
  /// None of the `folders` holds a model.
  case noModels(folders: [String])
  /// Standard input and output are one client, and others cannot be served beside it.
  case streamsAndSockets

  public var exitCode: ExitCode {
    switch self {
    case .noModels: .noInput
    case .streamsAndSockets: .usage
    }
  }

  public var message: String {
    switch self {
    case .noModels(let folders):
      "no models in \(folders.joined(separator: ", ")); name one with --model, or make one with 'hotword train'"
    case .streamsAndSockets: "stdio:// is served alone; leave out the other --uri"
    }
  }
}
