import CTraining
import Detection

/// Computes the logits of long streams of features, many steps at once, for mining and calibration.
///
/// The result is that of `StreamingNetwork`, up to rounding. It processes chunks with one matrix product per
/// layer and keeps the history of each layer between chunks. Features may be passed in parts of any length.
/// About a thousand times faster than real time on one core. Use each instance on one thread at a time.
public final class NetworkScorer {
  public let weights: NetworkWeights
  private let shape: NetworkShape
  /// The number of vectors (10 ms) in one chunk.
  private let chunkFrames: Int
  /// The number of vectors before a chunk that its first step depends on.
  private let frameHistory: Int
  /// The history, then unused and new vectors.
  private let frames: FloatBuffer
  private var pending: Int = 0
  private let scale: [Float]
  /// Weight matrices with inputs as rows.
  private let stem: FloatBuffer
  private let pointwise: [FloatBuffer]
  private let head: FloatBuffer
  private let gathered: FloatBuffer
  private let hidden: FloatBuffer
  /// The input of each block, with its history first; then the last block's output.
  private let layers: [FloatBuffer]
  private let histories: [Int]
  private let scores: FloatBuffer

  /// - Parameter chunk: the number of steps computed at once.
  public init(_ weights: NetworkWeights, chunk: Int = 256) {
    let shape = weights.shape
    let histories = shape.dilations.map { $0 * (shape.kernel - 1) } + [0]
    self.weights = weights
    self.shape = shape
    self.histories = histories
    chunkFrames = chunk * shape.stride
    frameHistory = max(0, shape.stemKernel - shape.stride)
    frames = FloatBuffer((frameHistory + chunkFrames) * shape.inputs)
    scale = [Float](repeating: 1, count: shape.inputs)
    gathered = FloatBuffer(chunk * shape.stemKernel * shape.inputs)
    hidden = FloatBuffer(chunk * shape.channels)
    layers = histories.map { FloatBuffer(($0 + chunk) * shape.channels) }
    scores = FloatBuffer(chunk * shape.outputs)
    head = FloatBuffer(shape.channels * shape.outputs)
    let width = shape.stemKernel * shape.inputs
    stem = FloatBuffer(width * shape.channels)
    pointwise = shape.dilations.map { _ in FloatBuffer(shape.channels * shape.channels) }
    training_transpose(shape.channels, width, weights.stemWeight, stem.base)
    training_transpose(shape.outputs, shape.channels, weights.headWeight, head.base)
    for (block, values) in weights.blocks.enumerated() {
      training_transpose(shape.channels, shape.channels, values.pointwise, pointwise[block].base)
    }
  }

  /// Starts a new stream.
  public func reset() {
    frames.zero()
    for layer in layers { layer.zero() }
    pending = 0
  }

  /// Appends the outputs of each `stride` vectors completed by `features` (`vectors × inputs`) to `logits`.
  public func score(_ features: UnsafeBufferPointer<Float>, into logits: inout [Float]) {
    take(features.count / shape.inputs, into: &logits) { start, count, destination in
      destination.update(from: features.baseAddress! + start, count: count)
    }
  }

  /// The same for features in half precision.
  public func score(_ features: UnsafeBufferPointer<Float16>, into logits: inout [Float]) {
    features.withMemoryRebound(to: UInt16.self) { bits in
      take(bits.count / shape.inputs, into: &logits) { start, count, destination in
        training_widen(count, bits.baseAddress! + start, destination)
      }
    }
  }

  /// Returns the logits of a whole stream, one for each `stride` vectors.
  public static func logits(_ weights: NetworkWeights, features: [Float]) -> [Float] {
    var logits: [Float] = []
    features.withUnsafeBufferPointer { NetworkScorer(weights).score($0, into: &logits) }
    return logits
  }

  /// Returns the mean of several networks' logits of a whole stream.
  public static func logits(_ networks: [NetworkWeights], features: [Float16]) -> [Float] {
    let each = networks.map { logits($0, features: features) }
    return each[0].indices.map { step in each.reduce(0) { $0 + $1[step] } / Float(each.count) }
  }

  /// Returns the logits of a whole stream in half precision, computed by `threads` threads.
  public static func logits(_ weights: NetworkWeights, features: [Float16], threads: Int = 1) -> [Float] {
    let shape = weights.shape
    let total = features.count / shape.inputs / shape.stride
    let parts = max(1, min(threads, total / (8 * shape.receptiveSteps)))
    var outputs = [[Float]](repeating: [], count: parts)
    let pool = WorkerPool(parts)
    features.withUnsafeBufferPointer { features in
      outputs.withUnsafeMutableBufferPointer { outputs in
        nonisolated(unsafe) let outputs = outputs
        pool.run(parts) { part, _ in
          let begin = total * part / parts
          let end = total * (part + 1) / parts
          let warm = min(begin, shape.receptiveSteps)
          let width = shape.stride * shape.inputs
          var logits: [Float] = []
          logits.reserveCapacity((end - begin + warm) * shape.outputs)
          NetworkScorer(weights).score(
            UnsafeBufferPointer(rebasing: features[(begin - warm) * width..<end * width]), into: &logits)
          logits.removeFirst(warm * shape.outputs)
          outputs[part] = logits
        }
      }
    }
    pool.end()
    return Array(outputs.joined())
  }

  private func take(
    _ vectors: Int, into logits: inout [Float],
    copy: (_ start: Int, _ count: Int, _ destination: UnsafeMutablePointer<Float>) -> Void
  ) {
    var taken = 0
    while taken < vectors {
      let count = min(vectors - taken, chunkFrames - pending)
      copy(
        taken * shape.inputs, count * shape.inputs, frames.base + (frameHistory + pending) * shape.inputs)
      taken += count
      pending += count
      let steps = pending / shape.stride
      guard steps > 0 else { return }
      run(steps)
      logits.append(contentsOf: UnsafeBufferPointer(start: scores.base, count: steps * shape.outputs))
      let used = steps * shape.stride
      frames.base.update(
        from: frames.base + used * shape.inputs, count: (frameHistory + pending - used) * shape.inputs)
      pending -= used
    }
  }

  private func run(_ steps: Int) {
    let channels = shape.channels
    let width = shape.stemKernel * shape.inputs
    training_gather(
      steps, shape.inputs, shape.stemKernel, shape.stride, frameHistory, scale,
      frames.base + frameHistory * shape.inputs, gathered.base)
    var input = layers[0].base + histories[0] * channels
    training_product(steps, channels, width, gathered.base, stem.base, input)
    training_bias_rectify(steps, channels, weights.stemBias, input)
    for (block, values) in weights.blocks.enumerated() {
      let output = layers[block + 1].base + histories[block + 1] * channels
      training_depthwise_rectify(
        steps, channels, shape.kernel, shape.dilations[block], values.depthwise, values.depthwiseBias, input,
        hidden.base)
      training_product(steps, channels, channels, hidden.base, pointwise[block].base, output)
      training_add_rectify(steps, channels, values.pointwiseBias, input, output)
      layers[block].base.update(
        from: layers[block].base + steps * channels, count: histories[block] * channels)
      input = output
    }
    training_product(steps, shape.outputs, channels, input, head.base, scores.base)
    training_add_bias(steps, shape.outputs, weights.headBias, scores.base)
  }
}

extension NetworkShape {
  /// The number of steps, including the current one, that a logit depends on.
  package var receptiveSteps: Int { (receptiveField + stride - 1) / stride }
}
