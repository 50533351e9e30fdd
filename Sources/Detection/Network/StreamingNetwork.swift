import CKernels
import Platform

/// A network that runs along a stream: one feature vector in, now and then one step's outputs out.
///
/// Every layer keeps just the history that its convolution looks back on, in a ring of steps. All memory is
/// allocated at `init`; nothing after it allocates, locks or throws. The logits equal ``WholeClip``'s up to
/// rounding, wherever the stream stands. One thread at a time.
public final class StreamingNetwork {
  public let shape: NetworkShape
  private let layers: UnsafeMutableBufferPointer<Layer>
  /// One allocation: weights, then all state that `reset` clears.
  private let memory: UnsafeMutableBufferPointer<Float>
  private let state: UnsafeMutableBufferPointer<Float>
  private let stemWeight: UnsafeMutablePointer<Float>
  private let stemBias: UnsafeMutablePointer<Float>
  private let headWeight: UnsafeMutablePointer<Float>
  private let headBias: UnsafeMutablePointer<Float>
  /// The last step's outputs: a keyword network's one logit.
  public let outputs: UnsafeBufferPointer<Float>
  /// The last `stemKernel` feature frames, oldest first.
  private let window: UnsafeMutablePointer<Float>
  private let current: UnsafeMutablePointer<Float>
  private let filtered: UnsafeMutablePointer<Float>
  private let results: UnsafeMutablePointer<Float>
  private let paddedChannels: Int
  private var phase = 0

  /// Pointers into `memory`, in the layouts of the kernels.
  private struct Layer {
    var depthwise: UnsafeMutablePointer<Float>
    var depthwiseBias: UnsafeMutablePointer<Float>
    /// [input][output]: the file's matrix transposed.
    var pointwise: UnsafeMutablePointer<Float>
    var pointwiseBias: UnsafeMutablePointer<Float>
    var ring: UnsafeMutablePointer<Float>
    var dilation: Int
    var length: Int
    var newest = 0
  }

  /// Lays out `weights` for the kernels; channels are padded with zeros to a multiple of 16. Allocates.
  public init(_ weights: NetworkWeights) {
    shape = weights.shape
    let shape = weights.shape
    let padded = (shape.channels + 15) / 16 * 16
    paddedChannels = padded
    let stemInputs = shape.stemKernel * shape.inputs
    let lengths = shape.dilations.map { (shape.kernel - 1) * $0 + 1 }
    let weightCount =
      (stemInputs + 1) * padded + shape.blocks * (shape.kernel + padded + 2) * padded
      + shape.outputs * (padded + 1)
    let stateCount = stemInputs + (lengths.reduce(0, +) + 2) * padded + shape.outputs
    memory = .allocate(capacity: weightCount + stateCount)
    memory.initialize(repeating: 0)
    state = UnsafeMutableBufferPointer(rebasing: memory[weightCount...])
    var arena = Arena(next: memory.baseAddress.unsafelyUnwrapped)
    stemWeight = arena.matrix(transposing: weights.stemWeight, rows: shape.channels, columns: padded)
    stemBias = arena.rows(weights.stemBias, of: shape.channels, padded: padded)
    layers = .allocate(capacity: shape.blocks)
    for (index, block) in weights.blocks.enumerated() {
      let layer = Layer(
        depthwise: arena.rows(block.depthwise, of: shape.channels, padded: padded),
        depthwiseBias: arena.rows(block.depthwiseBias, of: shape.channels, padded: padded),
        pointwise: arena.matrix(
          transposing: block.pointwise, rows: shape.channels, columns: padded, inputs: padded),
        pointwiseBias: arena.rows(block.pointwiseBias, of: shape.channels, padded: padded),
        ring: state.baseAddress.unsafelyUnwrapped, dilation: shape.dilations[index], length: lengths[index])
      layers.initializeElement(at: index, to: layer)
    }
    headWeight = arena.rows(weights.headWeight, of: shape.channels, padded: padded)
    headBias = arena.rows(weights.headBias, of: shape.outputs, padded: shape.outputs)
    current = arena.skip(padded)
    filtered = arena.skip(padded)
    for index in layers.indices { layers[index].ring = arena.skip(lengths[index] * padded) }
    window = arena.skip(stemInputs)
    results = arena.skip(shape.outputs)
    outputs = UnsafeBufferPointer(start: results, count: shape.outputs)
    precondition(arena.next == memory.baseAddress.unsafelyUnwrapped + memory.count)
  }

  deinit {
    layers.deallocate()
    memory.deallocate()
  }

  /// Takes the next frame's feature vector, `shape.inputs` numbers. Safe on the audio thread.
  ///
  /// - Returns: whether ``outputs`` are new: on each `shape.stride`-th frame.
  @_noAllocation @_noLocks
  public func push(_ features: UnsafeBufferPointer<Float>) -> Bool {
    let inputs = shape.inputs
    precondition(features.count == inputs)
    let kept = (shape.stemKernel - 1) * inputs
    var index = 0
    while index < kept {
      window[index] = window[index + inputs]
      index += 1
    }
    let source = features.baseAddress.unsafelyUnwrapped
    index = 0
    while index < inputs {
      window[kept + index] = source[index]
      index += 1
    }
    phase += 1
    guard phase == shape.stride else { return false }
    phase = 0
    step()
    return true
  }

  @_noAllocation @_noLocks
  private func step() {
    let padded = paddedChannels
    hotword_dense(
      current, stemWeight, stemBias, nil, window, Int32(truncatingIfNeeded: shape.stemKernel * shape.inputs),
      Int32(truncatingIfNeeded: padded))
    let layer = layers.baseAddress
    var index = 0
    while index < layers.count {
      advance(layer.unsafelyUnwrapped + index, padded)
      index += 1
    }
    index = 0
    while index < shape.outputs {
      let row = headWeight + index * padded
      results[index] = hotword_dot(row, current, Int32(truncatingIfNeeded: padded)) + headBias[index]
      index += 1
    }
  }

  @_noAllocation @_noLocks
  private func advance(_ layer: UnsafeMutablePointer<Layer>, _ padded: Int) {
    let newest = layer.pointee.newest + 1 == layer.pointee.length ? 0 : layer.pointee.newest + 1
    layer.pointee.newest = newest
    let row = layer.pointee.ring + newest * padded
    var channel = 0
    while channel < padded {
      row[channel] = current[channel]
      channel += 1
    }
    hotword_depthwise(
      filtered, layer.pointee.depthwise, layer.pointee.depthwiseBias, layer.pointee.ring,
      Int32(truncatingIfNeeded: shape.kernel), Int32(truncatingIfNeeded: layer.pointee.dilation),
      Int32(truncatingIfNeeded: layer.pointee.length), Int32(truncatingIfNeeded: newest),
      Int32(truncatingIfNeeded: padded))
    hotword_dense(
      current, layer.pointee.pointwise, layer.pointee.pointwiseBias, current, filtered,
      Int32(truncatingIfNeeded: padded), Int32(truncatingIfNeeded: padded))
  }

  /// Forgets the stream: the next frame is the first of a new one. Safe on the audio thread.
  @_noAllocation @_noLocks
  public func reset() {
    var index = 0
    while index < state.count {
      state.baseAddress.unsafelyUnwrapped[index] = 0
      index += 1
    }
    phase = 0
  }

  /// The logits of a whole clip as a stream of its own, [frames / stride]; forgets the stream before it.
  ///
  /// - Parameter features: [frames][inputs], flat.
  public func logits(_ features: [Float]) -> [Float] {
    reset()
    defer { reset() }
    var logits: [Float] = []
    logits.reserveCapacity(features.count / (shape.inputs * shape.stride))
    features.withUnsafeBufferPointer { all in
      for start in stride(from: 0, to: all.count - shape.inputs + 1, by: shape.inputs) {
        if push(UnsafeBufferPointer(rebasing: all[start..<start + shape.inputs])) { logits += outputs }
      }
    }
    return logits
  }
}

/// Hands out consecutive parts of one zeroed allocation.
private struct Arena {
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

  /// A [rows][inputs] matrix as [inputs][columns], columns ≥ rows; rows of zeros make up `inputs`.
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
