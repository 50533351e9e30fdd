import Glibc

/// Whether a request's `Host` names this machine.
///
/// A web page can have its own name resolved to an address in the local network, and then read what a server there answers (DNS
/// rebinding). Its requests have the name of that page.
package enum RequestHost {
  /// Endings of names that only a local network resolves: RFC 6762, RFC 8375, and those that routers use.
  private static let localEndings = [".local", ".home.arpa", ".internal", ".lan", ".home", ".localhost"]

  /// The names that are accepted, for messages.
  package static let expected = "the machine's address, its name, or a name in the local network"

  /// - Parameters:
  ///   - header: the value of `Host`; nil for a request without, as of HTTP/1.0, which no browser sends.
  ///   - machine: the machine's name.
  package static func isTrusted(_ header: String?, machine: String = machineName) -> Bool {
    guard let header else { return true }
    let host = name(in: header)
    if host.hasPrefix("["), host.hasSuffix("]") { return isAddress(header) }
    if !host.contains(".") || isAddress(header) { return true }
    let own = machine.lowercased()
    if host == own || host.hasPrefix("\(own.prefix { $0 != "." }).") { return true }
    return localEndings.contains { host.hasSuffix($0) }
  }

  /// Whether the `Host` names the loopback interface, at any port: another port may be forwarded to the server's.
  package static func isLoopback(_ header: String) -> Bool {
    let host = name(in: header)
    return host == "localhost" || host == "[::1]" || (host.hasPrefix("127.") && isAddress(host, AF_INET))
  }

  /// Whether the `Host` is an IP address, at any port.
  package static func isAddress(_ header: String) -> Bool {
    let host = name(in: header)
    guard host.hasPrefix("["), host.hasSuffix("]") else { return isAddress(host, AF_INET) }
    return isAddress(String(host.dropFirst().dropLast()), AF_INET6)
  }

  /// The host in lowercase, without the port and the dot at the end.
  package static func name(in header: String) -> String {
    var host = header.lowercased()
    if let colon = host.lastIndex(of: ":"), host[colon...].dropFirst().allSatisfy(\.isNumber),
      !host.hasSuffix("]")
    {
      host = String(host[..<colon])
    }
    if host.hasSuffix(".") { host.removeLast() }
    return host
  }

  private static func isAddress(_ text: String, _ family: Int32) -> Bool {
    IPAddress.bytes(String(text.prefix { $0 != "%" }), family) != nil
  }

  package static var machineName: String {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, name.count - 1) == 0 else { return "localhost" }
    let text = name.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    return text.isEmpty ? "localhost" : text
  }
}
