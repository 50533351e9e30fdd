import Synchronization

/// The packed weights of all streams that are created with them: one copy for many.
///
/// Only the packed weights are kept, and found again by a hash of 64 bits. Any thread may create streams with it.
public final class PackedNetworks: Sendable {
  private let networks = Mutex<[Key: PackedNetwork]>([:])
  private let embeddings = Mutex<[UInt64: PackedEmbedding]>([:])

  private struct Key: Hashable {
    let shape: NetworkShape
    let weights: UInt64
  }

  public init() {}

  /// The packed `weights`, created at the first call with them.
  func packed(_ weights: SpeechEmbedding) -> PackedEmbedding {
    let key = Self.hash(weights.tensors)
    return embeddings.withLock { known in
      if let found = known[key] { return found }
      let packed = PackedEmbedding(weights)
      known[key] = packed
      return packed
    }
  }

  /// The packed `weights`, created at the first call with them.
  package func packed(_ weights: NetworkWeights) -> PackedNetwork {
    let key = Key(shape: weights.shape, weights: Self.hash(weights.tensors))
    return networks.withLock { known in
      if let found = known[key] { return found }
      let packed = PackedNetwork(weights)
      known[key] = packed
      return packed
    }
  }

  /// A hash of all values: the FNV hash of words of 64 bits, with the high bits mixed into the low ones.
  private static func hash(_ tensors: [NetworkWeights.Tensor]) -> UInt64 {
    var hash: UInt64 = 14_695_981_039_346_656_037
    for tensor in tensors {
      hash = tensor.values.withUnsafeBytes { bytes in
        var hash = hash
        let words = bytes.count / 8
        for word in 0..<words {
          mix(bytes.loadUnaligned(fromByteOffset: 8 * word, as: UInt64.self), into: &hash)
        }
        for byte in bytes[(8 * words)...] { mix(UInt64(byte), into: &hash) }
        return hash
      }
    }
    return hash
  }

  private static func mix(_ word: UInt64, into hash: inout UInt64) {
    hash = (hash ^ word) &* 1_099_511_628_211
    hash ^= hash &>> 32
  }
}
