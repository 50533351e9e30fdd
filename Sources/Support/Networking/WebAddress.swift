import Platform

/// The address of a server: `scheme://host[:port][/path][?query]`, in ASCII, without a user name.
public struct WebAddress: Sendable, Hashable {
  /// In lowercase.
  public let scheme: String
  /// A name or an IP address; IPv6 in brackets.
  public let host: String
  /// 1…65535; nil for the default of the scheme.
  public let port: Int?
  /// Path and query, from the first slash on; empty if nothing follows the host.
  public let target: String

  /// - Parameters:
  ///   - text: the address.
  ///   - schemes: the allowed schemes.
  ///   - expected: the accepted form, for the fault.
  public init(_ text: String, schemes: [String], expected: String) throws(NetworkFault) {
    guard let address = Self.parse(text), schemes.contains(address.scheme) else {
      throw .badAddress(Self.withoutKeys(text), expected: expected)
    }
    self = address
  }

  private init(scheme: String, host: String, port: Int?, target: String) {
    self.scheme = scheme
    self.host = host
    self.port = port
    self.target = target
  }

  private static func parse(_ text: String) -> WebAddress? {
    guard text.utf8.count <= 2_000,
      text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x5C && $0 != 0x22 })
    else { return nil }
    guard let mark = text.firstRange(of: "://") else { return nil }
    let scheme = text[..<mark.lowerBound].lowercased()
    let rest = text[mark.upperBound...]
    let end = rest.firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? rest.endIndex
    let target = rest[end...]
    guard !target.contains("#"), !target.hasPrefix("?") else { return nil }
    guard let (host, port) = split(rest[..<end]) else { return nil }
    return WebAddress(scheme: scheme, host: host, port: port, target: String(target))
  }

  private static func split(_ authority: Substring) -> (host: String, port: Int?)? {
    var host = authority
    var digits: Substring?
    let afterBracket = authority.lastIndex(of: "]").map { authority.index(after: $0) } ?? authority.startIndex
    if let colon = authority[afterBracket...].firstIndex(of: ":") {
      host = authority[..<colon]
      digits = authority[authority.index(after: colon)...]
    }
    let isIPv6 = host.hasPrefix("[") && host.hasSuffix("]")
    let name = isIPv6 ? host.dropFirst().dropLast() : host
    let isName = name.utf8.allSatisfy {
      switch $0 {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
      case 0x3A, 0x25: isIPv6
      default: false
      }
    }
    guard !name.isEmpty, isName else { return nil }
    guard let digits else { return (String(host), nil) }
    guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = Int(digits),
      (1...65_535).contains(port)
    else { return nil }
    return (String(host), port)
  }

  /// The part of an invalid address that a message may show: no user name, password and query.
  private static func withoutKeys(_ text: String) -> String {
    let text = String(text.prefix { $0 != "?" })
    guard let at = text.lastIndex(of: "@") else { return PlainText.line(text, limit: 200) }
    return "…" + PlainText.line(String(text[at...]), limit: 200)
  }

  /// The whole address.
  public var text: String { "\(scheme)://\(peer)\(target)" }

  /// Host and port, for messages.
  public var peer: String { host + (port.map { ":\($0)" } ?? "") }

  /// The address with `path`, which begins with a slash, appended to its own path.
  public func appending(_ path: String) -> WebAddress {
    var base = target
    while base.hasSuffix("/") { base.removeLast() }
    return WebAddress(scheme: scheme, host: host, port: port, target: base + path)
  }

  /// The address with these names and values added to its query.
  public func appending(query: [(name: String, value: String)]) -> WebAddress {
    guard !query.isEmpty else { return self }
    let pairs = query.map { "\(PercentEncoding.encode($0.name))=\(PercentEncoding.encode($0.value))" }
    let mark = target.contains("?") ? "&" : "?"
    let path = target.isEmpty ? "/" : target
    return WebAddress(
      scheme: scheme, host: host, port: port, target: path + mark + pairs.joined(separator: "&"))
  }
}

/// Percent-encoding (RFC 3986) of all bytes except letters, digits and `-._~`.
public enum PercentEncoding {
  public static func encode(_ text: String) -> String {
    var encoded = ""
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E:
        encoded.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        encoded += byte < 16 ? "%0" : "%"
        encoded += String(byte, radix: 16, uppercase: true)
      }
    }
    return encoded
  }
}
