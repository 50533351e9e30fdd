import CSodium

/// The responder's side of the handshake `Noise_NNpsk0_25519_ChaChaPoly_SHA256` (noiseprotocol.org, revision 34): two messages,
/// then a cipher for each direction. A value type without I/O.
struct NoiseHandshake: Sendable {
  /// The size of each message without a payload: a public key and a tag.
  static let messageSize = Int(noise_key_size + noise_tag_size)
  private static let name = "Noise_NNpsk0_25519_ChaChaPoly_SHA256"

  private var chain: [UInt8]
  private var hash: [UInt8]
  private var cipher: NoiseCipher
  private let secret: [UInt8]

  /// - Parameters:
  ///   - key: the key that both sides have, 32 bytes.
  ///   - prologue: what both sides have sent before.
  ///   - secret: the secret key of this handshake, 32 random bytes.
  init(key: [UInt8], prologue: [UInt8], secret: [UInt8] = Sodium.random(Int(noise_key_size))) {
    self.secret = secret
    hash = Sodium.sha256(Array(Self.name.utf8))
    chain = hash
    cipher = NoiseCipher(key: key)
    mix(hash: prologue)
    let keys = Sodium.derive(3, from: key, chain: chain)
    chain = keys[0]
    mix(hash: keys[1])
    cipher = NoiseCipher(key: keys[2])
  }

  /// Reads the initiator's message and answers it.
  ///
  /// - Returns: the answer, and the ciphers to receive and to send with; nil if the initiator has another key, or the message is
  ///   invalid.
  mutating func answer(_ message: ArraySlice<UInt8>) -> (
    message: [UInt8], receive: NoiseCipher, send: NoiseCipher
  )? {
    guard message.count >= Self.messageSize else { return nil }
    let theirs = Array(message.prefix(Int(noise_key_size)))
    mix(hash: theirs)
    mix(key: theirs)
    let sealed = message.dropFirst(theirs.count)
    guard cipher.open(sealed, associated: hash) != nil else { return nil }
    mix(hash: Array(sealed))

    let ours = Sodium.publicKey(of: secret)
    mix(hash: ours)
    mix(key: ours)
    guard let shared = Sodium.sharedSecret(secret, theirs) else { return nil }
    mix(key: shared)
    let tag = cipher.seal([], associated: hash)
    let keys = Sodium.derive(2, from: [], chain: chain)
    return (ours + tag, NoiseCipher(key: keys[0]), NoiseCipher(key: keys[1]))
  }

  private mutating func mix(hash bytes: [UInt8]) { hash = Sodium.sha256(hash + bytes) }

  private mutating func mix(key bytes: [UInt8]) {
    let keys = Sodium.derive(2, from: bytes, chain: chain)
    chain = keys[0]
    cipher = NoiseCipher(key: keys[1])
  }
}
