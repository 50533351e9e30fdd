import CNetwork

/// Signatures by RSA over SHA-256 (RS256 of RFC 7518), by libcrypto.
public enum RSASignature {
  /// The signature of `bytes`; nil where `key` is no private key of RSA in PEM, or one with a password.
  public static func make(_ bytes: [UInt8], key: Secret) throws(NetworkFault) -> [UInt8]? {
    try NetworkLibrary.load()
    let pem = Array(key.text.utf8)
    let signature = [UInt8](unsafeUninitializedCapacity: Int(net_signature_size)) { buffer, made in
      made = net_sign_rsa_sha256(pem, pem.count, bytes, bytes.count, buffer.baseAddress!)
    }
    return signature.isEmpty ? nil : signature
  }
}
