import CKernels

/// A ``SpeechEmbedding`` in the layout of the kernels, for any number of ``StreamingEmbedding``s on any threads. Nothing changes after `init`.
public final class PackedEmbedding: @unchecked Sendable {
  /// A layer's arrays: [tap][input][padded output], and a bias for each output.
  struct Layer {
    let weight: UnsafeMutablePointer<Float>
    let bias: UnsafeMutablePointer<Float>
  }

  public let weights: SpeechEmbedding
  let layers: [Layer]
  /// A factor and a term for each output of the first layer.
  let scale: UnsafeMutablePointer<Float>
  let shift: UnsafeMutablePointer<Float>
  private let memory: UnsafeMutableBufferPointer<Float>

  /// Packs `embedding`. Allocates.
  public init(_ embedding: SpeechEmbedding) {
    weights = embedding
    let shapes = SpeechEmbedding.shapes
    memory = .allocate(
      capacity: shapes.reduce(2 * shapes[0].padded) { $0 + ($1.weights / $1.outputs + 1) * $1.padded })
    memory.initialize(repeating: 0)
    var arena = FloatArena(next: memory.baseAddress.unsafelyUnwrapped)
    var layers: [Layer] = []
    for (index, shape) in shapes.enumerated() {
      let (weight, bias) = embedding.layer(index)
      layers.append(
        Layer(
          weight: arena.matrix(transposing: weight, rows: shape.outputs, columns: shape.padded),
          bias: arena.rows(bias, of: shape.outputs, padded: shape.padded)))
    }
    self.layers = layers
    let factors = embedding.factors
    scale = arena.rows(factors.scale, of: shapes[0].outputs, padded: shapes[0].padded)
    shift = arena.rows(factors.shift, of: shapes[0].outputs, padded: shapes[0].padded)
    precondition(arena.next == memory.baseAddress.unsafelyUnwrapped + memory.count)
  }

  deinit { memory.deallocate() }
}
