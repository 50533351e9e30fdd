import Platform

/// The address of a server: `tcp://HOST:PORT`, `unix:///PATH` or `stdio://`.
public enum ListenAddress: Sendable, Equatable, CustomStringConvertible {
  /// A name or an IP address without brackets; port 0 means any free port.
  case host(String, port: Int)
  /// A local socket, by its absolute path.
  case socket(path: String)
  /// Standard input and output: one client.
  case standardStreams

  /// The accepted forms, for messages.
  public static let expected = "tcp://HOST:PORT, unix:///PATH or stdio://"

  /// - Throws: ``NetworkFault/badAddress(_:expected:)``.
  public init(_ text: String) throws(NetworkFault) {
    guard let address = Self.parse(text) else {
      throw .badAddress(PlainText.line(text, limit: 200), expected: Self.expected)
    }
    self = address
  }

  private static func parse(_ text: String) -> ListenAddress? {
    if text == "stdio://" { return .standardStreams }
    if text.hasPrefix("unix:///"), text.utf8.count > 8, !text.utf8.contains(0) {
      return .socket(path: String(text.dropFirst("unix://".count)))
    }
    guard text.hasPrefix("tcp://") else { return nil }
    var rest = text.dropFirst("tcp://".count)
    if rest.hasSuffix("/") { rest.removeLast() }
    guard let colon = rest.lastIndex(of: ":") else { return nil }
    let digits = rest[rest.index(after: colon)...]
    var host = rest[..<colon]
    let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
    if isBracketed { host = host.dropFirst().dropLast() }
    guard !host.isEmpty, isBracketed || !host.contains(":"),
      host.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "@") }),
      digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = Int(digits),
      (0...65_535).contains(port)
    else { return nil }
    return .host(String(host), port: port)
  }

  /// Whether only programs on this machine can connect.
  public var isLocal: Bool {
    guard case .host(let host, _) = self else { return true }
    return Self.isLocal(host: host)
  }

  /// Whether a host, as an address without brackets or a name, is this machine's loopback interface.
  package static func isLocal(host: String) -> Bool {
    host == "localhost" || host == "::1" || host.hasPrefix("127.")
  }

  /// The address as users write it.
  public var description: String {
    switch self {
    case .host(let host, let port): host.contains(":") ? "tcp://[\(host)]:\(port)" : "tcp://\(host):\(port)"
    case .socket(let path): "unix://\(path)"
    case .standardStreams: "stdio://"
    }
  }
}
