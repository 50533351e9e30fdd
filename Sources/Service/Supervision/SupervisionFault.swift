import Platform

/// What can keep a status page from being served.
package enum SupervisionFault: Fault, Equatable {
  /// libmicrohttpd cannot be opened; `reason` is the loader's.
  case noLibrary(reason: String)
  /// The address cannot be listened at; `reason` is the system's.
  case cannotListen(StatusAddress, reason: String)

  package var exitCode: ExitCode { .unavailable }

  package var message: String {
    switch self {
    case .noLibrary(let reason):
      "metrics: libmicrohttpd cannot be opened (\(reason)); install libmicrohttpd12"
    case .cannotListen(let address, let reason):
      "metrics: \(address) cannot be listened at: \(reason.prefix(1).lowercased() + reason.dropFirst()); name another port"
    }
  }
}
