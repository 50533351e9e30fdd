import CKernels

/// A network's weights in the layouts of the kernels, for any number of ``StreamingNetwork``s on any threads.
///
/// Channels are padded with zeros to a multiple of 16. Wide networks have 8-bit weights between channels, which take a quarter of the memory
/// and less time; these products have the rounding errors that `eight_bit.h` describes. Nothing changes after `init`.
public final class PackedNetwork: @unchecked Sendable {
  public let shape: NetworkShape
  let paddedChannels: Int
  let stemWeight: UnsafeMutablePointer<Float>
  let stemBias: UnsafeMutablePointer<Float>
  let headWeight: UnsafeMutablePointer<Float>
  let headBias: UnsafeMutablePointer<Float>
  let layers: [Layer]
  private let memory: UnsafeMutableBufferPointer<Float>
  private let bytes: UnsafeMutableBufferPointer<Int8>

  /// The fewest channels with 8-bit weights: encoders have them, networks of phrases do not.
  public static let eightBitChannels = 128

  /// One block's arrays.
  struct Layer {
    let depthwise: UnsafeMutablePointer<Float>
    let depthwiseBias: UnsafeMutablePointer<Float>
    let pointwise: Matrix
    let pointwiseBias: UnsafeMutablePointer<Float>
  }

  /// The weights from each channel to each.
  enum Matrix {
    /// [input][output]: the file's matrix transposed.
    case floats(UnsafeMutablePointer<Float>)
    /// As `hotword_eight_bit_pack` writes them.
    case eightBits(UnsafeMutablePointer<Int8>, scale: UnsafeMutablePointer<Float>)
  }

  /// Packs `weights`. Allocates.
  public init(_ weights: NetworkWeights) {
    shape = weights.shape
    let shape = weights.shape
    let padded = (shape.channels + 15) / 16 * 16
    paddedChannels = padded
    let stemInputs = shape.stemKernel * shape.inputs
    let isEightBit = shape.channels >= Self.eightBitChannels
    bytes = .allocate(capacity: isEightBit ? shape.blocks * padded * padded : 0)
    memory = .allocate(
      capacity: (stemInputs + 1) * padded + shape.blocks * (shape.kernel + (isEightBit ? 1 : padded) + 2)
        * padded
        + shape.outputs * (padded + 1))
    memory.initialize(repeating: 0)
    var arena = FloatArena(next: memory.baseAddress.unsafelyUnwrapped)
    stemWeight = arena.matrix(transposing: weights.stemWeight, rows: shape.channels, columns: padded)
    stemBias = arena.rows(weights.stemBias, of: shape.channels, padded: padded)
    var layers: [Layer] = []
    for (index, block) in weights.blocks.enumerated() {
      let depthwise = arena.rows(block.depthwise, of: shape.channels, padded: padded)
      let depthwiseBias = arena.rows(block.depthwiseBias, of: shape.channels, padded: padded)
      let pointwise: Matrix
      if isEightBit {
        let packed = bytes.baseAddress.unsafelyUnwrapped + index * padded * padded
        let scale = arena.skip(padded)
        hotword_eight_bit_pack(
          packed, scale, block.pointwise, Int32(shape.channels), Int32(shape.channels), Int32(padded),
          Int32(padded))
        pointwise = .eightBits(packed, scale: scale)
      } else {
        pointwise = .floats(
          arena.matrix(transposing: block.pointwise, rows: shape.channels, columns: padded, inputs: padded))
      }
      layers.append(
        Layer(
          depthwise: depthwise, depthwiseBias: depthwiseBias, pointwise: pointwise,
          pointwiseBias: arena.rows(block.pointwiseBias, of: shape.channels, padded: padded)))
    }
    self.layers = layers
    headWeight = arena.rows(weights.headWeight, of: shape.channels, padded: padded)
    headBias = arena.rows(weights.headBias, of: shape.outputs, padded: shape.outputs)
    precondition(arena.next == memory.baseAddress.unsafelyUnwrapped + memory.count)
  }

  deinit {
    memory.deallocate()
    bytes.deallocate()
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
    values.withUnsafeBufferPointer { values in
      for row in 0..<rows {
        for input in 0..<found { part[input * columns + row] = values[row * found + input] }
      }
    }
    return part
  }
}
