import CKernels
import Platform

/// A streaming network: one feature vector in, the outputs of a step every `stride` frames.
///
/// Every layer keeps only the history that its convolution needs, in a ring of steps. All memory is allocated in `init`;
/// no other method allocates, locks or throws. The logits equal those of ``WholeClip`` up to rounding, at every position
/// of the stream; networks of ``PackedNetwork/eightBitChannels`` channels or more round their weights to 8 bits and the inputs of layers to
/// 7. One thread at a time.
public final class StreamingNetwork {
  public let shape: NetworkShape
  /// Owns the weights that the pointers below refer to.
  let packed: PackedNetwork
  private let layers: UnsafeMutableBufferPointer<Layer>
  /// One allocation with all state that `reset` clears.
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

  /// A block's weights, and its ring of steps in `state`.
  private struct Layer {
    let weights: PackedNetwork.Layer
    let ring: UnsafeMutablePointer<Float>
    let dilation: Int
    let length: Int
    var newest = 0
  }

  /// Creates a network with its own copy of the weights. Allocates.
  public convenience init(_ weights: NetworkWeights) { self.init(PackedNetwork(weights)) }

  /// Creates a network that shares its weights with others. Allocates.
  public init(_ packed: PackedNetwork) {
    self.packed = packed
    shape = packed.shape
    let shape = packed.shape
    let padded = packed.paddedChannels
    paddedChannels = padded
    stemWeight = packed.stemWeight
    stemBias = packed.stemBias
    headWeight = packed.headWeight
    headBias = packed.headBias
    let stemInputs = shape.stemKernel * shape.inputs
    let lengths = shape.dilations.map { (shape.kernel - 1) * $0 + 1 }
    state = .allocate(capacity: stemInputs + (lengths.reduce(0, +) + 2) * padded + shape.outputs)
    state.initialize(repeating: 0)
    var arena = FloatArena(next: state.baseAddress.unsafelyUnwrapped)
    current = arena.skip(padded)
    filtered = arena.skip(padded)
    layers = .allocate(capacity: shape.blocks)
    for (index, weights) in packed.layers.enumerated() {
      let layer = Layer(
        weights: weights, ring: arena.skip(lengths[index] * padded), dilation: shape.dilations[index],
        length: lengths[index])
      layers.initializeElement(at: index, to: layer)
    }
    window = arena.skip(stemInputs)
    results = arena.skip(shape.outputs)
    outputs = UnsafeBufferPointer(start: results, count: shape.outputs)
    precondition(arena.next == state.baseAddress.unsafelyUnwrapped + state.count)
  }

  deinit {
    layers.deallocate()
    state.deallocate()
  }

  /// Processes the next frame's feature vector, `shape.inputs` numbers. Real-time safe.
  ///
  /// - Returns: whether ``outputs`` has changed: on every `shape.stride`-th frame.
  @_noAllocation @_noLocks
  public func push(_ features: UnsafeBufferPointer<Float>) -> Bool {
    let inputs = shape.inputs
    precondition(features.count == inputs)
    let kept = (shape.stemKernel - 1) * inputs
    hotword_copy(window + inputs, window, Int32(truncatingIfNeeded: kept))
    hotword_copy(
      features.baseAddress.unsafelyUnwrapped, window + kept, Int32(truncatingIfNeeded: inputs))
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
      filtered, layer.pointee.weights.depthwise, layer.pointee.weights.depthwiseBias, layer.pointee.ring,
      Int32(truncatingIfNeeded: shape.kernel), Int32(truncatingIfNeeded: layer.pointee.dilation),
      Int32(truncatingIfNeeded: layer.pointee.length), Int32(truncatingIfNeeded: newest),
      Int32(truncatingIfNeeded: padded))
    let channels = Int32(truncatingIfNeeded: padded)
    switch layer.pointee.weights.pointwise {
    case .floats(let weights):
      hotword_dense(
        current, weights, layer.pointee.weights.pointwiseBias, current, filtered, channels, channels)
    case .eightBits(let weights, let scale):
      hotword_eight_bit_dense(
        current, weights, scale, layer.pointee.weights.pointwiseBias, current, filtered, channels, channels)
    }
  }

  /// Resets: the next frame is the first of a new stream. Real-time safe.
  @_noAllocation @_noLocks
  public func reset() {
    var index = 0
    while index < state.count {
      state.baseAddress.unsafelyUnwrapped[index] = 0
      index += 1
    }
    phase = 0
  }

  /// The logits of a whole clip as a stream of its own, [frames / stride]; resets first.
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
