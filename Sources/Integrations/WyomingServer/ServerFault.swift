import Networking
import Platform

/// What can keep a server from serving.
public enum ServerFault: Fault, Equatable {
  /// None of the `folders` holds a model.
  case noModels(folders: [String])
  /// Standard input and output are one client, and others cannot be served beside it.
  case streamsAndSockets
  /// A satellite cannot be reached by standard input and output.
  case satelliteOverStreams
  /// `name` is no name that a service can be announced by.
  case badAnnouncedName(String)
  /// Nothing is served that others on the network could find.
  case nothingToAnnounce

  public var exitCode: ExitCode {
    switch self {
    case .noModels: .noInput
    case .streamsAndSockets, .satelliteOverStreams, .badAnnouncedName, .nothingToAnnounce: .usage
    }
  }

  public var message: String {
    switch self {
    case .noModels(let folders):
      "no models in \(folders.joined(separator: ", ")); name one with --model, or make one with 'hotword train'"
    case .satelliteOverStreams: "a satellite is connected to: --uri tcp://HOST:PORT or unix:///PATH"
    case .badAnnouncedName(let name):
      "--zeroconf takes a name of 1 to 63 bytes on one line, not '\(PlainText.line(name, limit: 100))'"
    case .nothingToAnnounce: "--zeroconf announces a port; add --uri tcp://HOST:PORT"
    case .streamsAndSockets: "stdio:// is served alone; leave out the other --uri"
    }
  }
}
