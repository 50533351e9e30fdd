import CKernels
import Platform

/// Computes a ``SpeechEmbedding`` of a stream: one row of bands in every 10 ms, an embedding out every 80 ms.
///
/// Every layer keeps only the rows that its convolution and pooling need. All memory is allocated in `init`; no other method allocates, locks or
/// throws. One thread at a time.
public final class StreamingEmbedding {
  /// Owns the weights.
  private let network: PackedEmbedding
  private let layers: UnsafeMutableBufferPointer<Layer>
  private let state: UnsafeMutableBufferPointer<Float>
  private let scale: UnsafeMutablePointer<Float>
  private let shift: UnsafeMutablePointer<Float>
  /// The last embedding.
  public let outputs: UnsafeBufferPointer<Float>

  private struct Layer {
    let shape: SpeechEmbedding.Shape
    let weights: PackedEmbedding.Layer
    /// The input: three rows in turn if the taps lie along time, else one.
    let rows: UnsafeMutablePointer<Float>
    /// The numbers of a position of the input.
    let step: Int
    /// The zeros on each side of a row: a position if the taps lie along frequency.
    let margin: Int
    let rowWidth: Int
    /// Shared by all layers but the last: each copies its input before it computes.
    let results: UnsafeMutablePointer<Float>
    /// The results of the row before that wait for the next one, pooled along frequency; only if the layer pools along time.
    let waiting: UnsafeMutablePointer<Float>
    var newest = 0
    var rowCount = 0
    var isWaiting = false
  }

  /// Allocates.
  public init(_ network: PackedEmbedding) {
    self.network = network
    scale = network.scale
    shift = network.shift
    let shapes = SpeechEmbedding.shapes
    let last = shapes.count - 1
    func step(_ index: Int) -> Int { index == 0 ? 1 : shapes[index - 1].outputs }
    func margin(_ index: Int) -> Int { shapes[index].isAlongFrequency ? step(index) : 0 }
    func rowWidth(_ index: Int) -> Int { shapes[index].positions * step(index) + 2 * margin(index) }
    func rows(_ index: Int) -> Int { (shapes[index].isAlongTime ? 3 : 1) * rowWidth(index) }
    func waiting(_ index: Int) -> Int { shapes[index].poolsTime ? shapes[index].width / 2 : 0 }
    let widest = shapes.map(\.width).max() ?? 0
    let size = widest + shapes[last].width + shapes.indices.reduce(0) { $0 + rows($1) + waiting($1) }
    state = .allocate(capacity: size)
    state.initialize(repeating: 0)
    var arena = FloatArena(next: state.baseAddress.unsafelyUnwrapped)
    let shared = arena.skip(widest)
    layers = .allocate(capacity: shapes.count)
    for (index, shape) in shapes.enumerated() {
      layers.initializeElement(
        at: index,
        to: Layer(
          shape: shape, weights: network.layers[index], rows: arena.skip(rows(index)), step: step(index),
          margin: margin(index), rowWidth: rowWidth(index),
          results: index == last ? arena.skip(shape.width) : shared, waiting: arena.skip(waiting(index))))
    }
    precondition(arena.next == state.baseAddress.unsafelyUnwrapped + state.count)
    outputs = UnsafeBufferPointer(start: layers[last].results, count: SpeechEmbedding.outputs)
  }

  deinit {
    layers.deallocate()
    state.deallocate()
  }

  /// Processes the next row, ``SpeechEmbedding/bands`` numbers. Real-time safe.
  ///
  /// - Returns: whether ``outputs`` has changed: at the ``SpeechEmbedding/reach``-th row, and every ``SpeechEmbedding/hop`` rows from then on.
  @_noAllocation @_noLocks
  public func push(_ row: UnsafeBufferPointer<Float>) -> Bool {
    precondition(row.count == SpeechEmbedding.bands)
    var source = row.baseAddress.unsafelyUnwrapped
    var index = 0
    while index < layers.count {
      let layer = layers.baseAddress.unsafelyUnwrapped + index
      guard compute(layer, source), pool(layer) else { return false }
      source = UnsafePointer(layer.pointee.results)
      index += 1
    }
    return true
  }

  /// Takes a row of input.
  ///
  /// - Returns: whether the layer has a row of results.
  @_noAllocation @_noLocks
  private func compute(_ layer: UnsafeMutablePointer<Layer>, _ source: UnsafePointer<Float>) -> Bool {
    let (step, width) = (layer.pointee.step, layer.pointee.rowWidth)
    let usesTime = layer.pointee.shape.isAlongTime
    if usesTime { layer.pointee.newest = layer.pointee.newest == 2 ? 0 : layer.pointee.newest + 1 }
    let rows = layer.pointee.rows
    let newest = rows + layer.pointee.newest * width
    hotword_copy(
      source, newest + layer.pointee.margin,
      Int32(truncatingIfNeeded: layer.pointee.shape.positions * step))
    if usesTime {
      layer.pointee.rowCount = min(layer.pointee.rowCount + 1, 3)
      guard layer.pointee.rowCount == 3 else { return false }
    }
    let middle = rows + (layer.pointee.newest + 2) % 3 * width
    let oldest = rows + (layer.pointee.newest + 1) % 3 * width
    let shape = layer.pointee.shape
    let isFirst = shape.isAlongTime && shape.isAlongFrequency
    let (first, second, third) =
      usesTime ? (oldest, middle, newest) : (newest, newest + step, newest + 2 * step)
    let (results, weights) = (layer.pointee.results, layer.pointee.weights)
    hotword_three_taps(
      results, weights.weight, weights.bias, first, second, third,
      Int32(truncatingIfNeeded: shape.positions), Int32(truncatingIfNeeded: step),
      Int32(truncatingIfNeeded: shape.tapInputs), Int32(truncatingIfNeeded: shape.outputs),
      isFirst || shape.positions == 1 ? 1 : 0)
    guard isFirst else { return true }
    var position = 0
    while position < shape.positions {
      hotword_scaled_leaky(
        results + position * shape.outputs, scale, shift, Int32(truncatingIfNeeded: shape.outputs))
      position += 1
    }
    return true
  }

  /// Pools the layer's row of results.
  ///
  /// - Returns: whether there is a row for the next layer.
  @_noAllocation @_noLocks
  private func pool(_ layer: UnsafeMutablePointer<Layer>) -> Bool {
    let shape = layer.pointee.shape
    guard shape.poolsFrequency else { return true }
    let outputs = Int32(truncatingIfNeeded: shape.outputs)
    let results = layer.pointee.results
    var position = 0
    while position < shape.positions / 2 {
      hotword_larger(
        results + position * shape.outputs, results + 2 * position * shape.outputs,
        results + (2 * position + 1) * shape.outputs, outputs)
      position += 1
    }
    guard shape.poolsTime else { return true }
    let waiting = layer.pointee.waiting
    let width = shape.width / 2
    layer.pointee.isWaiting.toggle()
    if layer.pointee.isWaiting {
      hotword_copy(results, waiting, Int32(truncatingIfNeeded: width))
      return false
    }
    hotword_larger(results, results, waiting, Int32(truncatingIfNeeded: width))
    return true
  }

  /// Resets: the next row is the first of a new stream. Real-time safe.
  @_noAllocation @_noLocks
  public func reset() {
    var index = 0
    while index < layers.count {
      let layer = layers.baseAddress.unsafelyUnwrapped + index
      layer.pointee.newest = 0
      layer.pointee.rowCount = 0
      layer.pointee.isWaiting = false
      index += 1
    }
  }
}
