import CSodium

/// One direction of an encrypted connection: ChaCha20-Poly1305 with a key and a counter (Noise's CipherState).
public struct NoiseCipher: Sendable, Equatable {
  private let key: [UInt8]
  private var nonce: UInt64 = 0

  /// - Parameter key: 32 bytes.
  init(key: [UInt8]) {
    precondition(key.count == Int(noise_key_size))
    self.key = key
  }

  /// Encrypts the next message; the result is 16 bytes longer.
  mutating func seal(_ bytes: [UInt8], associated: [UInt8] = []) -> [UInt8] {
    defer { nonce += 1 }
    return [UInt8](unsafeUninitializedCapacity: bytes.count + Int(noise_tag_size)) { buffer, count in
      noise_seal(key, nonce, associated, associated.count, bytes, bytes.count, buffer.baseAddress!)
      count = bytes.count + Int(noise_tag_size)
    }
  }

  /// Decrypts the next message; nil if it was not encrypted with the same key, or was changed.
  mutating func open(_ sealed: ArraySlice<UInt8>, associated: [UInt8] = []) -> [UInt8]? {
    guard sealed.count >= Int(noise_tag_size) else { return nil }
    let size = sealed.count - Int(noise_tag_size)
    var isGenuine = false
    let bytes = [UInt8](unsafeUninitializedCapacity: max(1, size)) { buffer, count in
      isGenuine = sealed.withUnsafeBufferPointer {
        noise_unseal(key, nonce, associated, associated.count, $0.baseAddress!, $0.count, buffer.baseAddress!)
      }
      count = isGenuine ? size : 0
    }
    guard isGenuine else { return nil }
    nonce += 1
    return bytes
  }

  /// The frame of an encrypted message.
  mutating func frame(_ message: APIFrame) -> [UInt8] {
    let type = message.type
    let size = message.body.count
    let header = [type >> 8, type & 0xFF, size >> 8, size & 0xFF].map { UInt8($0) }
    return NoiseFrameDecoder.frame(seal(header + message.body))
  }
}
