import Glibc
import Platform

/// What can go wrong between us and another program; `peer` is its host and port, or its socket's path.
public enum NetworkFault: Fault, Equatable {
  /// libcurl could not be opened; `reason` is the loader's.
  case missingLibrary(reason: String)
  /// The same of libmosquitto.
  case missingMosquitto(reason: String)
  /// The same of libavahi-client.
  case missingAvahi(reason: String)
  /// The Avahi daemon does not run, or cannot be reached.
  case cannotAnnounce(reason: String)
  /// `text` is no address of the kind that `expected` shows.
  case badAddress(String, expected: String)
  /// There is no such host, or nobody answers at its port.
  case unreachable(peer: String, reason: String)
  /// The certificate that the peer shows is not to be trusted.
  case untrusted(peer: String, reason: String)
  case timedOut(peer: String, seconds: Double)
  case cancelled
  /// The peer sent more than `limit` bytes.
  case tooLarge(peer: String, limit: Int)
  /// The peer ended the connection before it had answered.
  case closed(peer: String)
  /// What the peer sent is not its protocol.
  case notUnderstood(peer: String, reason: String)
  /// The transfer failed otherwise.
  case failed(peer: String, reason: String)
  /// The file of a key holds none.
  case badSecret(file: String)
  /// A key is wanted by the name of a credential, and the service manager has given none.
  case noCredentials(name: String)
  /// A server cannot have the address; `code` is the `errno`.
  case cannotListen(address: String, code: Int32)
  /// A server's address has a name that there is not; `reason` is the resolver's.
  case unknownHost(address: String, reason: String)
  case system(SystemFault)

  public var exitCode: ExitCode {
    switch self {
    case .badAddress, .badSecret, .noCredentials: .configuration
    case .tooLarge, .notUnderstood: .badData
    case .cannotListen(_, EACCES), .cannotListen(_, EPERM): .permission
    case .cannotListen, .unknownHost, .missingLibrary, .missingMosquitto, .missingAvahi, .cannotAnnounce,
      .unreachable, .untrusted, .timedOut,
      .cancelled, .closed,
      .failed:
      .unavailable
    case .system(let fault): fault.exitCode
    }
  }

  public var message: String {
    switch self {
    case .missingLibrary(let reason):
      "libcurl cannot be loaded: \(reason); install it with: apt install libcurl4"
    case .missingMosquitto(let reason):
      "libmosquitto cannot be loaded: \(reason); install it with: apt install libmosquitto1"
    case .missingAvahi(let reason):
      "libavahi-client cannot be loaded: \(reason); install it with: apt install libavahi-client3"
    case .cannotAnnounce(let reason):
      "Avahi: \(reason); install and start it with: apt install avahi-daemon, or leave out --zeroconf"
    case .badAddress(let text, let expected): "'\(text)' is no address of the form \(expected)"
    case .unreachable(let peer, let reason): "\(peer): not reached: \(reason)"
    case .untrusted(let peer, let reason): "\(peer): not trusted: \(reason)"
    case .timedOut(let peer, let seconds): "\(peer): no answer within \(JSON.rounded(seconds)) s"
    case .cancelled: "cancelled"
    case .tooLarge(let peer, let limit): "\(peer): answered with more than \(limit) bytes"
    case .closed(let peer): "\(peer): ended the connection without an answer"
    case .notUnderstood(let peer, let reason): "\(peer): \(reason)"
    case .failed(let peer, let reason): "\(peer): \(reason)"
    case .badSecret(let file): "\(file): holds no key; it takes one line of printable ASCII"
    case .noCredentials(let name):
      "no credential '\(name)': the service manager has given none; write the path of the key's file instead"
    case .cannotListen(let address, EADDRINUSE):
      "\(address): already in use; end the program that listens there, or choose another with --uri"
    case .cannotListen(let address, let code): "\(address): cannot be listened at: \(systemReason(code))"
    case .unknownHost(let address, let reason): "\(address): \(PlainText.line(reason, limit: 200))"
    case .system(let fault): fault.message
    }
  }
}
