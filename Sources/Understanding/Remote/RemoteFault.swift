import Network
import Platform

/// Why a service did not tell what a text means.
public enum RemoteFault: Fault, Equatable {
  /// It was not reached, or broke off, or its key cannot be read.
  case network(NetworkFault, service: String)
  /// It answered with another status than success.
  case refused(service: String, status: Int)
  /// What it answered is not of the shape that its documentation shows.
  case wrongShape(service: String)

  public var exitCode: ExitCode {
    switch self {
    case .network(let fault, _): fault.exitCode
    case .refused: .unavailable
    case .wrongShape: .badData
    }
  }

  public var message: String {
    switch self {
    case .network(let fault, let service): "\(service): \(fault.message)"
    case .refused(let service, let status) where status == 401 || status == 403:
      "\(service): refused with status \(status); look at its key"
    case .refused(let service, let status): "\(service): refused with status \(status)"
    case .wrongShape(let service): "\(service): answered what it should not"
    }
  }
}
