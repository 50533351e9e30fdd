import Networking
import Platform

/// Faults of the options of a server.
public enum ServerFault: Fault, Equatable {
  /// None of the `folders` contains a model.
  case noModels(folders: [String])
  /// Standard input and output cannot be combined with other addresses.
  case streamsAndSockets
  /// A satellite cannot use standard input and output.
  case satelliteOverStreams
  /// A service cannot be announced under this name.
  case badAnnouncedName(String)
  /// No address can be reached over the network.
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
      "no models in \(folders.joined(separator: ", ")); name one with --model, or train one with 'hotword train'"
    case .satelliteOverStreams:
      "a satellite needs an address to connect to; use --uri tcp://HOST:PORT or unix:///PATH"
    case .badAnnouncedName(let name):
      "--zeroconf takes a name of 1 to 63 bytes on one line, not '\(PlainText.line(name, limit: 100))'"
    case .nothingToAnnounce:
      "--zeroconf announces a port that other machines can reach; add --uri tcp://0.0.0.0:PORT"
    case .streamsAndSockets: "stdio:// cannot be combined with other addresses; remove the other --uri"
    }
  }
}
