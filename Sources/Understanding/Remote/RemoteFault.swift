import Network
import Platform

/// Why a service did not tell what a text means.
public enum RemoteFault: Fault, Equatable {
  /// It was not reached, or broke off, or its key cannot be read.
  case network(NetworkFault, service: String)
  /// Its key is missing or not of the form that it has.
  case badKey(service: String, form: String)
  /// It answered with another status than success.
  case refused(service: String, status: Int)
  /// What it answered is not of the shape that its documentation shows.
  case wrongShape(service: String)

  public var exitCode: ExitCode {
    switch self {
    case .network(let fault, _): fault.exitCode
    case .badKey: .configuration
    case .refused: .unavailable
    case .wrongShape: .badData
    }
  }

  public var message: String {
    switch self {
    case .network(let fault, let service): "\(service): \(fault.message)"
    case .badKey(let service, let form):
      "\(service): needs a key of the form \(form); write it into a file and name that with ,key=FILE"
    case .refused(let service, let status) where status == 401 || status == 403:
      "\(service): refused with status \(status); look at its key"
    case .refused(let service, let status): "\(service): refused with status \(status)"
    case .wrongShape(let service): "\(service): answered what it should not"
    }
  }
}
