import Platform

/// The faults of an HTTP server; `purpose` is what it serves, such as `metrics`.
public enum HTTPServerFault: Fault, Equatable {
  /// libmicrohttpd cannot be loaded; `reason` is the loader's.
  case noLibrary(purpose: String, reason: String)
  /// libmicrohttpd was built without GnuTLS.
  case noEncryption(purpose: String)
  /// The certificate and the key cannot be used; `reason` is libmicrohttpd's.
  case badIdentity(certificate: String, key: String, reason: String)
  /// The server cannot listen there; `reason` is the system's.
  case cannotListen(HTTPEndpoint, purpose: String, reason: String)
  case network(NetworkFault)

  public var exitCode: ExitCode {
    switch self {
    case .noLibrary, .noEncryption, .cannotListen: .unavailable
    case .badIdentity: .configuration
    case .network(let fault): fault.exitCode
    }
  }

  public var message: String {
    switch self {
    case .noLibrary(let purpose, let reason):
      "\(purpose): libmicrohttpd cannot be loaded (\(reason)); install libmicrohttpd12"
    case .noEncryption(let purpose):
      "\(purpose): this libmicrohttpd has no TLS; install Debian's libmicrohttpd12, or use a unix:///PATH behind a proxy"
    case .badIdentity(let certificate, let key, let reason):
      "\(certificate), \(key): not a certificate and its key in PEM (\(reason)); name a matching pair"
    case .cannotListen(let endpoint, let purpose, let reason):
      "\(purpose): cannot listen on \(endpoint): \(reason.prefix(1).lowercased() + reason.dropFirst()); choose another \(endpoint.kind)"
    case .network(let fault): fault.message
    }
  }
}
