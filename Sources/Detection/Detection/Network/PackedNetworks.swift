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

  /// A hash of all values: four FNV hashes of words of 64 bits side by side, with the high bits mixed into the low ones.
  private static func hash(_ tensors: [NetworkWeights.Tensor]) -> UInt64 {
    let start: UInt64 = 14_695_981_039_346_656_037
    var lanes = (start, start, start, start)
    for tensor in tensors {
      let values = tensor.values
      values.withUnsafeBytes { bytes in
        bytes.withMemoryRebound(to: UInt64.self) { words in
          var index = 0
          while index + 4 <= words.count {
            lanes.0 = mixed(lanes.0, words[index])
            lanes.1 = mixed(lanes.1, words[index + 1])
            lanes.2 = mixed(lanes.2, words[index + 2])
            lanes.3 = mixed(lanes.3, words[index + 3])
            index += 4
          }
          for word in words[index...] { lanes.0 = mixed(lanes.0, word) }
        }
      }
      if values.count % 2 == 1 { lanes.0 = mixed(lanes.0, UInt64(values[values.count - 1].bitPattern)) }
    }
    return mixed(mixed(mixed(lanes.0, lanes.1), lanes.2), lanes.3)
  }

  private static func mixed(_ hash: UInt64, _ word: UInt64) -> UInt64 {
    let product = (hash ^ word) &* 1_099_511_628_211
    return product ^ product &>> 32
  }
}
