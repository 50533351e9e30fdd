import Synchronization

/// A network's weights in the layouts of the kernels, for any number of ``StreamingNetwork``s on any threads.
///
/// Channels are padded with zeros to a multiple of 16. Nothing changes after `init`.
public final class PackedNetwork: @unchecked Sendable {
  public let shape: NetworkShape
  let paddedChannels: Int
  let stemWeight: UnsafeMutablePointer<Float>
  let stemBias: UnsafeMutablePointer<Float>
  let headWeight: UnsafeMutablePointer<Float>
  let headBias: UnsafeMutablePointer<Float>
  let layers: [Layer]
  private let memory: UnsafeMutableBufferPointer<Float>

  /// One block's arrays.
  struct Layer {
    let depthwise: UnsafeMutablePointer<Float>
    let depthwiseBias: UnsafeMutablePointer<Float>
    /// [input][output]: the file's matrix transposed.
    let pointwise: UnsafeMutablePointer<Float>
    let pointwiseBias: UnsafeMutablePointer<Float>
  }

  /// Packs `weights`. Allocates once.
  public init(_ weights: NetworkWeights) {
    shape = weights.shape
    let shape = weights.shape
    let padded = (shape.channels + 15) / 16 * 16
    paddedChannels = padded
    let stemInputs = shape.stemKernel * shape.inputs
    memory = .allocate(
      capacity: (stemInputs + 1) * padded + shape.blocks * (shape.kernel + padded + 2) * padded
        + shape.outputs * (padded + 1))
    memory.initialize(repeating: 0)
    var arena = FloatArena(next: memory.baseAddress.unsafelyUnwrapped)
    stemWeight = arena.matrix(transposing: weights.stemWeight, rows: shape.channels, columns: padded)
    stemBias = arena.rows(weights.stemBias, of: shape.channels, padded: padded)
    var layers: [Layer] = []
    for block in weights.blocks {
      layers.append(
        Layer(
          depthwise: arena.rows(block.depthwise, of: shape.channels, padded: padded),
          depthwiseBias: arena.rows(block.depthwiseBias, of: shape.channels, padded: padded),
          pointwise: arena.matrix(
            transposing: block.pointwise, rows: shape.channels, columns: padded, inputs: padded),
          pointwiseBias: arena.rows(block.pointwiseBias, of: shape.channels, padded: padded)))
    }
    self.layers = layers
    headWeight = arena.rows(weights.headWeight, of: shape.channels, padded: padded)
    headBias = arena.rows(weights.headBias, of: shape.outputs, padded: shape.outputs)
    precondition(arena.next == memory.baseAddress.unsafelyUnwrapped + memory.count)
  }

  deinit { memory.deallocate() }
}

/// The packed weights of all spotters that are created with them: one copy for many streams.
///
/// Any thread may create spotters with it.
public final class PackedNetworks: Sendable {
  private struct Known {
    let weights: NetworkWeights
    let packed: PackedNetwork
  }

  private let known = Mutex<[Known]>([])

  public init() {}

  /// The packed `weights`, created at the first call with them.
  func packed(_ weights: NetworkWeights) -> PackedNetwork {
    known.withLock { known in
      if let found = known.first(where: { $0.weights.isIdentical(to: weights) }) { return found.packed }
      let made = Known(weights: weights, packed: PackedNetwork(weights))
      known.append(made)
      return made.packed
    }
  }
}

/// Returns consecutive parts of one zeroed allocation.
struct FloatArena {
  var next: UnsafeMutablePointer<Float>

  mutating func skip(_ count: Int) -> UnsafeMutablePointer<Float> {
    defer { next += count }
    return next
  }

  /// Rows of `length` values, each padded with zeros.
  mutating func rows(_ values: [Float], of length: Int, padded: Int) -> UnsafeMutablePointer<Float> {
    let part = skip(values.count / length * padded)
    for (index, value) in values.enumerated() { part[index / length * padded + index % length] = value }
    return part
  }

  /// A [rows][inputs] matrix as [inputs][columns], columns ≥ rows; padded with rows of zeros to `inputs`.
  mutating func matrix(
    transposing values: [Float], rows: Int, columns: Int, inputs: Int? = nil
  ) -> UnsafeMutablePointer<Float> {
    let found = values.count / rows
    let part = skip((inputs ?? found) * columns)
    for row in 0..<rows {
      for input in 0..<found { part[input * columns + row] = values[row * found + input] }
    }
    return part
  }
}
