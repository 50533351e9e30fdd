import Platform

/// The faults of an HTTP server; `purpose` is what it serves, such as `metrics`.
public enum HTTPServerFault: Fault, Equatable {
  /// libmicrohttpd cannot be loaded; `reason` is the loader's.
  case noLibrary(purpose: String, reason: String)
  /// The server cannot listen on the address; `reason` is the system's.
  case cannotListen(HTTPAddress, purpose: String, reason: String)

  public var exitCode: ExitCode { .unavailable }

  public var message: String {
    switch self {
    case .noLibrary(let purpose, let reason):
      "\(purpose): libmicrohttpd cannot be loaded (\(reason)); install libmicrohttpd12"
    case .cannotListen(let address, let purpose, let reason):
      "\(purpose): cannot listen on \(address): \(reason.prefix(1).lowercased() + reason.dropFirst()); choose another port"
    }
  }
}
