import CNetwork

/// Digests for handshakes and signatures, by libcrypto.
public enum Digest {
  public static func sha1(_ bytes: [UInt8]) throws(NetworkFault) -> [UInt8] {
    try NetworkLibrary.load()
    return make(20) { net_sha1(bytes, bytes.count, $0) }
  }

  public static func sha256(_ bytes: [UInt8]) throws(NetworkFault) -> [UInt8] {
    try NetworkLibrary.load()
    return make(32) { net_sha256(bytes, bytes.count, $0) }
  }

  public static func hmacSHA256(key: [UInt8], _ bytes: [UInt8]) throws(NetworkFault) -> [UInt8] {
    try NetworkLibrary.load()
    return make(32) { net_hmac_sha256(key, key.count, bytes, bytes.count, $0) }
  }

  /// The bytes as lowercase hexadecimal digits.
  public static func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  private static func make(_ count: Int, _ fill: (UnsafeMutablePointer<UInt8>) -> Void) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, made in
      fill(buffer.baseAddress!)
      made = count
    }
  }
}
