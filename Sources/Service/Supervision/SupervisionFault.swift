import Platform

/// The faults of the status server.
package enum SupervisionFault: Fault, Equatable {
  /// libmicrohttpd cannot be loaded; `reason` is the loader's.
  case noLibrary(reason: String)
  /// The server cannot listen on the address; `reason` is the system's.
  case cannotListen(StatusAddress, reason: String)

  package var exitCode: ExitCode { .unavailable }

  package var message: String {
    switch self {
    case .noLibrary(let reason):
      "metrics: libmicrohttpd cannot be loaded (\(reason)); install libmicrohttpd12"
    case .cannotListen(let address, let reason):
      "metrics: cannot listen on \(address): \(reason.prefix(1).lowercased() + reason.dropFirst()); choose another port"
    }
  }
}
