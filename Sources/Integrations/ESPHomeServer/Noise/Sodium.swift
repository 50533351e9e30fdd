import CSodium

/// libsodium's functions on arrays; call ``load()`` first.
public enum Sodium {
  /// Opens the library at the first call.
  ///
  /// - Throws: ``ESPHomeFault/missingSodium(reason:)``.
  public static func load() throws(ESPHomeFault) {
    if let reason = noise_load() { throw .missingSodium(reason: String(cString: reason)) }
  }

  static func random(_ count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      noise_random(buffer.baseAddress!, count)
      filled = count
    }
  }

  static func sha256(_ bytes: [UInt8]) -> [UInt8] { key { noise_sha256(bytes, bytes.count, $0) } }

  static func publicKey(of secret: [UInt8]) -> [UInt8] { key { noise_public_key(secret, $0) } }

  /// nil for a public key of low order.
  static func sharedSecret(_ secret: [UInt8], _ publicKey: [UInt8]) -> [UInt8]? {
    var isValid = false
    let shared = key { isValid = noise_shared_secret(secret, publicKey, $0) }
    return isValid ? shared : nil
  }

  /// Noise's HKDF: two or three keys of 32 bytes.
  static func derive(_ count: Int, from material: [UInt8], chain: [UInt8]) -> [[UInt8]] {
    let temporary = hmac(chain, material)
    var keys: [[UInt8]] = []
    for number in 1...count { keys.append(hmac(temporary, (keys.last ?? []) + [UInt8(number)])) }
    return keys
  }

  private static func hmac(_ secret: [UInt8], _ bytes: [UInt8]) -> [UInt8] {
    key { noise_hmac_sha256(secret, bytes, bytes.count, $0) }
  }

  private static func key(_ fill: (UnsafeMutablePointer<UInt8>) -> Void) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: Int(noise_key_size)) { buffer, filled in
      buffer.initialize(repeating: 0)
      fill(buffer.baseAddress!)
      filled = Int(noise_key_size)
    }
  }
}
