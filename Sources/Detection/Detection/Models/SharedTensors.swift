import Glibc

/// The tensors of files that are decoded one after another.
///
/// One with the name, shape and bytes of an earlier one shares its memory.
/// All models have the same encoder, which is three quarters of each file.
public struct SharedTensors {
  private struct Known {
    let bytes: ArraySlice<UInt8>
    let tensor: NetworkWeights.Tensor
  }

  private var known: [String: Known] = [:]

  public init() {}

  /// The known tensor with this name, shape and bytes, or else that of `decode`, which is known from then on.
  mutating func tensor(
    _ name: String, _ shape: [Int], _ bytes: ArraySlice<UInt8>,
    decode: () throws(ModelDefect) -> NetworkWeights.Tensor
  ) throws(ModelDefect) -> NetworkWeights.Tensor {
    if let found = known[name], found.tensor.shape == shape, Self.areEqual(found.bytes, bytes) {
      return found.tensor
    }
    let tensor = try decode()
    if known[name] == nil { known[name] = Known(bytes: bytes, tensor: tensor) }
    return tensor
  }

  private static func areEqual(_ one: ArraySlice<UInt8>, _ other: ArraySlice<UInt8>) -> Bool {
    one.withUnsafeBytes { one in
      other.withUnsafeBytes { other in
        one.count == other.count
          && (one.isEmpty
            || memcmp(one.baseAddress.unsafelyUnwrapped, other.baseAddress.unsafelyUnwrapped, one.count) == 0)
      }
    }
  }
}
