import Glibc
import Platform

/// Faults of connections to other programs; `peer` is the host and port, or the path of the socket.
public enum NetworkFault: Fault, Equatable {
  /// libcurl could not be loaded; `reason` is the system loader's.
  case missingLibrary(reason: String)
  /// The same for libmosquitto.
  case missingMosquitto(reason: String)
  /// The same for libavahi-client.
  case missingAvahi(reason: String)
  /// The Avahi daemon is not running or not reachable.
  case cannotAnnounce(reason: String)
  /// The text is not an address of the form `expected`.
  case badAddress(String, expected: String)
  /// The host does not exist, or no program listens on the port.
  case unreachable(peer: String, reason: String)
  /// The peer's certificate is not trusted.
  case untrusted(peer: String, reason: String)
  case timedOut(peer: String, seconds: Double)
  case cancelled
  /// The peer sent more than `limit` bytes.
  case tooLarge(peer: String, limit: Int)
  /// The peer closed the connection without an answer.
  case closed(peer: String)
  /// The peer sent something that its protocol does not allow.
  case notUnderstood(peer: String, reason: String)
  /// Any other failure of a transfer.
  case failed(peer: String, reason: String)
  /// The file does not contain a key.
  case badSecret(file: String)
  /// There is no file `name` in the current folder, and the service manager has passed no such credential.
  case noCredentials(name: String)
  /// A server cannot listen on the address; `code` is the `errno`.
  case cannotListen(address: String, code: Int32)
  /// The process may open `limit` files and connections: none is left for clients.
  case tooFewDescriptors(limit: Int)
  /// The host name of a server's address does not exist; `reason` is the resolver's.
  case unknownHost(address: String, reason: String)
  case system(SystemFault)

  public var exitCode: ExitCode {
    switch self {
    case .badAddress, .badSecret, .noCredentials: .configuration
    case .tooLarge, .notUnderstood: .badData
    case .cannotListen(_, EACCES), .cannotListen(_, EPERM): .permission
    case .cannotListen, .unknownHost, .tooFewDescriptors, .missingLibrary, .missingMosquitto, .missingAvahi,
      .cannotAnnounce,
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
    case .badAddress(let text, let expected): "'\(text)' is not an address of the form \(expected)"
    case .unreachable(let peer, let reason): "\(peer): cannot be reached: \(reason)"
    case .untrusted(let peer, let reason): "\(peer): not trusted: \(reason)"
    case .timedOut(let peer, let seconds): "\(peer): no answer within \(JSON.rounded(seconds)) s"
    case .cancelled: "cancelled"
    case .tooLarge(let peer, let limit): "\(peer): answered with more than \(limit) bytes"
    case .closed(let peer): "\(peer): ended the connection without an answer"
    case .notUnderstood(let peer, let reason): "\(peer): \(reason)"
    case .failed(let peer, let reason): "\(peer): \(reason)"
    case .badSecret(let file): "\(file): does not contain a key; write one line of printable ASCII"
    case .noCredentials(let name):
      "no key '\(name)': it is neither a file in the current folder nor a credential of the service manager; use the path of the key's file"
    case .cannotListen(let address, EADDRINUSE):
      "\(address): already in use; stop the program that listens there, or choose another address"
    case .cannotListen(let address, EEXIST):
      "\(address): a file that is no socket has this name; remove it, or choose another address"
    case .cannotListen(let address, let code): "\(address): cannot listen here: \(systemReason(code))"
    case .tooFewDescriptors(let limit):
      "no clients can connect: this process may open only \(limit) files and connections; raise that with 'ulimit -n' or LimitNOFILE="
    case .unknownHost(let address, let reason): "\(address): \(PlainText.line(reason, limit: 200))"
    case .system(let fault): fault.message
    }
  }
}
