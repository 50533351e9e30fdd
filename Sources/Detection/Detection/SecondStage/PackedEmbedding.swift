import CKernels

/// A ``SpeechEmbedding`` in the layout of the kernels, for any number of ``StreamingEmbedding``s on any threads. Nothing changes after `init`.
public final class PackedEmbedding: @unchecked Sendable {
  /// A layer's arrays: [tap][input][output], and a bias for each output.
  struct Layer {
    let weight: UnsafeMutablePointer<Float>
    let bias: UnsafeMutablePointer<Float>
  }

  let layers: [Layer]
  /// A factor and a term for each output of the first layer.
  let scale: UnsafeMutablePointer<Float>
  let shift: UnsafeMutablePointer<Float>
  private let memory: UnsafeMutableBufferPointer<Float>

  /// Packs `embedding`. Allocates.
  public init(_ embedding: SpeechEmbedding) {
    memory = .allocate(capacity: SpeechEmbedding.parameters)
    memory.initialize(repeating: 0)
    var arena = FloatArena(next: memory.baseAddress.unsafelyUnwrapped)
    var layers: [Layer] = []
    for (index, shape) in SpeechEmbedding.shapes.enumerated() {
      let (weight, bias) = embedding.layer(index)
      layers.append(
        Layer(
          weight: arena.matrix(transposing: weight, rows: shape.outputs, columns: shape.outputs),
          bias: arena.rows(bias, of: shape.outputs, padded: shape.outputs)))
    }
    self.layers = layers
    let (scale, shift) = embedding.factors
    self.scale = arena.rows(scale, of: scale.count, padded: scale.count)
    self.shift = arena.rows(shift, of: shift.count, padded: shift.count)
    precondition(arena.next == memory.baseAddress.unsafelyUnwrapped + memory.count)
  }

  deinit { memory.deallocate() }
}
