import Platform

/// Where a server is: `scheme://host[:port][/path][?query]`, in ASCII, without a user name.
public struct WebAddress: Sendable, Hashable {
  /// In small letters.
  public let scheme: String
  /// A name or an IP address, the sixth version's in brackets.
  public let host: String
  /// 1…65535; nil for the scheme's own.
  public let port: Int?
  /// From the first slash on, the query included; empty when nothing follows the host.
  public let target: String

  /// - Parameters:
  ///   - text: the address.
  ///   - schemes: the schemes that it may have.
  ///   - expected: shown in the fault.
  public init(_ text: String, schemes: [String], expected: String) throws(NetworkFault) {
    guard let address = Self.parse(text), schemes.contains(address.scheme) else {
      throw .badAddress(Self.withoutUser(text), expected: expected)
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
    let isSixth = host.hasPrefix("[") && host.hasSuffix("]")
    let name = isSixth ? host.dropFirst().dropLast() : host
    let isName = name.utf8.allSatisfy {
      switch $0 {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
      case 0x3A, 0x25: isSixth
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

  /// What is shown of an address that is none: a password in it must not be.
  private static func withoutUser(_ text: String) -> String {
    guard let at = text.lastIndex(of: "@") else { return PlainText.line(text, limit: 200) }
    return "…" + PlainText.line(String(text[at...]), limit: 200)
  }

  /// The whole address.
  public var text: String { "\(scheme)://\(peer)\(target)" }

  /// Host and port, for messages.
  public var peer: String { host + (port.map { ":\($0)" } ?? "") }

  /// The same with `path` (beginning with a slash) after its own, which loses a slash at its end.
  public func appending(_ path: String) -> WebAddress {
    var base = target
    while base.hasSuffix("/") { base.removeLast() }
    return WebAddress(scheme: scheme, host: host, port: port, target: base + path)
  }

  /// The same with these names and values as its query.
  public func appending(query: [(name: String, value: String)]) -> WebAddress {
    guard !query.isEmpty else { return self }
    let pairs = query.map { "\(PercentEncoding.encode($0.name))=\(PercentEncoding.encode($0.value))" }
    let mark = target.contains("?") ? "&" : "?"
    let path = target.isEmpty ? "/" : target
    return WebAddress(
      scheme: scheme, host: host, port: port, target: path + mark + pairs.joined(separator: "&"))
  }

  /// The same host under another scheme and port.
  func speaking(_ scheme: String, port: Int?) -> WebAddress {
    WebAddress(scheme: scheme, host: host, port: port, target: target)
  }
}

/// Percent-encoding after RFC 3986: everything but letters, digits and `-._~`.
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
