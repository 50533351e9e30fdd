import Networking
import Platform

/// Why a service did not tell what a text means.
public enum RemoteFault: Fault, Equatable {
  /// It was not reached, or broke off, or its key cannot be read.
  case network(NetworkFault, service: String)
  /// Its key is missing or not of the form that it has.
  case badKey(service: String, form: String)
  /// `file` holds no key of a service account, or one that cannot sign.
  case badAccount(service: String, file: String)
  /// For its service account `peer` gives no access token.
  case noToken(service: String, peer: String, status: Int)
  /// It answered with another status than success.
  case refused(service: String, status: Int)
  /// What it answered is not of the shape that its documentation shows.
  case wrongShape(service: String)

  public var exitCode: ExitCode {
    switch self {
    case .network(let fault, _): fault.exitCode
    case .badKey, .badAccount: .configuration
    case .noToken, .refused: .unavailable
    case .wrongShape: .badData
    }
  }

  public var message: String {
    switch self {
    case .network(let fault, let service): "\(service): \(fault.message)"
    case .badKey(let service, let form):
      "\(service): needs a key of the form \(form); write it into a file and name that with ,key=FILE"
    case .badAccount(let service, let file):
      "\(service): \(file): holds no key of a service account; it takes the JSON file that the console makes for one"
    case .noToken(let service, let peer, let status):
      "\(service): \(peer) gives no access token, but status \(status); look at the account's key and the clock"
    case .refused(let service, let status) where status == 401 || status == 403:
      "\(service): refused with status \(status); look at its key"
    case .refused(let service, let status): "\(service): refused with status \(status)"
    case .wrongShape(let service): "\(service): answered what it should not"
    }
  }
}
