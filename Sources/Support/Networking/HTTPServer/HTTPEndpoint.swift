/// Where an ``HTTPListener`` listens: an address and port, or a local socket, `unix:///PATH`.
public enum HTTPEndpoint: Sendable, Equatable, CustomStringConvertible {
  case address(HTTPAddress)
  /// By its absolute path.
  case socket(path: String)

  /// nil for anything else.
  public init?(_ text: String) {
    if let address = HTTPAddress(text) {
      self = .address(address)
    } else if case .socket(let path)? = try? ListenAddress(text) {
      self = .socket(path: path)
    } else {
      return nil
    }
  }

  /// The address; nil for a local socket.
  public var address: HTTPAddress? {
    if case .address(let address) = self { address } else { nil }
  }

  /// Whether it is an address that only this machine can reach; a local socket is for a proxy that others can reach.
  public var isLoopback: Bool { address?.isLoopback ?? false }

  /// The form that ``init(_:)`` reads.
  public var description: String {
    switch self {
    case .address(let address): "\(address)"
    case .socket(let path): "unix://\(path)"
    }
  }

  /// What another one differs by, for messages.
  var kind: String { address == nil ? "path" : "port" }
}
