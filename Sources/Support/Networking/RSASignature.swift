import CNetwork

/// RSA signatures over SHA-256 (RS256 of RFC 7518), by libcrypto.
public enum RSASignature {
  /// The signature of `bytes`; nil if `key` is not a private RSA key in PEM, or has a password.
  public static func make(_ bytes: [UInt8], key: Secret) throws(NetworkFault) -> [UInt8]? {
    try NetworkLibrary.load()
    let pem = Array(key.text.utf8)
    let signature = [UInt8](unsafeUninitializedCapacity: Int(net_signature_size)) { buffer, made in
      made = net_sign_rsa_sha256(pem, pem.count, bytes, bytes.count, buffer.baseAddress!)
    }
    return signature.isEmpty ? nil : signature
  }
}
