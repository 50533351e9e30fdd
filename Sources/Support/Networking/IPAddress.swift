import Glibc

/// Numeric IP addresses in texts.
enum IPAddress {
  /// The bytes of an address of a family, `AF_INET` (4 bytes) or `AF_INET6` (16); nil for any other text.
  static func bytes(_ text: String, _ family: Int32) -> [UInt8]? {
    // The system would read up to a zero byte only.
    guard !text.utf8.contains(0) else { return nil }
    var address = in6_addr()
    guard inet_pton(family, text, &address) == 1 else { return nil }
    return withUnsafeBytes(of: address) { Array($0.prefix(family == AF_INET ? 4 : 16)) }
  }
}
