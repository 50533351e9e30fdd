import Glibc

/// The hosts that may connect to a server: addresses and networks. This machine always may.
public struct AllowedPeers: Sendable, Equatable {
  /// A network: an address and the number of its leading bits that must be the same.
  private struct Network: Sendable, Equatable {
    let address: [UInt8]
    let bits: Int
  }

  public static let anyone = AllowedPeers(networks: nil)

  /// Nil for anyone.
  private let networks: [Network]?

  private init(networks: [Network]?) { self.networks = networks }

  /// The accepted forms, for messages.
  public static let expected = "an IP address, a network such as 192.168.1.0/24, or any"

  /// - Parameter texts: `any`, addresses, and networks as `ADDRESS/BITS`.
  /// - Throws: ``NetworkFault/badAddress(_:expected:)``.
  public init(_ texts: [String]) throws(NetworkFault) {
    var networks: [Network] = []
    for text in texts where text != "any" {
      guard let network = Self.network(text) else { throw .badAddress(text, expected: Self.expected) }
      networks.append(network)
    }
    self.networks = texts.contains("any") ? nil : networks
  }

  private static func network(_ text: String) -> Network? {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), let address = bytes(of: String(parts[0])) else { return nil }
    guard parts.count == 2 else { return Network(address: address, bits: 8 * address.count) }
    guard let bits = Int(parts[1]), (0...8 * address.count).contains(bits) else { return nil }
    return Network(address: address, bits: bits)
  }

  /// The bytes of an IP address; an IPv4 address that is written as IPv6 (`::ffff:1.2.3.4`) has four.
  private static func bytes(of text: String) -> [UInt8]? {
    if let four = IPAddress.bytes(text, AF_INET) { return four }
    guard let bytes = IPAddress.bytes(text, AF_INET6) else { return nil }
    let isMapped = bytes[..<10].allSatisfy { $0 == 0 } && bytes[10...11].allSatisfy { $0 == 255 }
    return isMapped ? Array(bytes[12...]) : bytes
  }

  /// Whether `host` may connect: an IP address, or the name of anything else, such as a local socket, which may.
  public func contains(_ host: String) -> Bool {
    guard let networks else { return true }
    // A link-local address ends with `%` and the name of an interface.
    let text = host.prefix { $0 != "%" }
    guard let address = Self.bytes(of: String(text)) else { return true }
    let isLoopback =
      address.count == 4 ? address[0] == 127 : address == [UInt8](repeating: 0, count: 15) + [1]
    return isLoopback || networks.contains { Self.isInside(address, $0) }
  }

  private static func isInside(_ address: [UInt8], _ network: Network) -> Bool {
    guard address.count == network.address.count else { return false }
    return (0..<network.bits).allSatisfy { bit in
      (address[bit / 8] ^ network.address[bit / 8]) & (0x80 >> UInt8(bit % 8)) == 0
    }
  }
}
