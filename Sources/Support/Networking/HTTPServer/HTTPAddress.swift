import Glibc

/// Where pages are served: `127.0.0.1:9464`, `[::1]:9464`, `localhost:9464`, or `9464` on the loopback interface.
public struct HTTPAddress: Sendable, Equatable, CustomStringConvertible {
  /// A numeric address.
  public let host: String
  /// 0 for any that is free.
  public let port: Int

  /// nil for anything else.
  public init?(_ text: String) {
    let colon = text.lastIndex(of: ":")
    let portText = colon.map { text[text.index(after: $0)...] } ?? text[...]
    guard portText.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = Int(portText),
      (0...65_535).contains(port)
    else { return nil }
    var host = colon.map { String(text[..<$0]) } ?? "127.0.0.1"
    if host == "localhost" { host = "127.0.0.1" }
    let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
    if isBracketed { host = String(host.dropFirst().dropLast()) }
    guard IPAddress.bytes(host, isBracketed ? AF_INET6 : AF_INET) != nil else { return nil }
    self.host = host
    self.port = port
  }

  private init(host: String, port: Int) {
    self.host = host
    self.port = port
  }

  package func with(port: Int) -> HTTPAddress { HTTPAddress(host: host, port: port) }

  /// Whether only this machine can reach it.
  public var isLoopback: Bool { host == "::1" || host.hasPrefix("127.") }

  /// The form in a URL.
  public var description: String { (host.contains(":") ? "[\(host)]" : host) + ":\(port)" }

  /// The values of ``init(_:)``, for messages.
  public static let expected = "ADDRESS:PORT, such as 127.0.0.1:9464"
}
