import CTraining
import Detection
import Glibc

/// The buffers of one thread for the forward and backward pass of a shard of windows through a trainable
/// network.
///
/// Activations are matrices `[window · step][channel]`, so that each pointwise convolution is one matrix
/// product over the shard. ``forward(_:features:frames:normalizing:)`` stores the logits and the input of
/// ``backward(_:)``, which overwrites activations and so can run only once per forward pass. Not safe on
/// several threads at once. Allocates only if a shard is larger than all before it.
package final class NetworkPass {
  /// The statistics for normalization: of the shard in training, of the population in inference.
  package enum Normalizing { case byShard, byPopulation }

  package let layout: ParameterLayout
  /// The logits, `[window · step][output]`, after a forward pass.
  package var logits: UnsafeMutablePointer<Float> { activations.logits.base }
  /// The gradient of the loss for each logit; set it before ``backward(_:)``.
  package var logitGradient: UnsafeMutablePointer<Float> { activations.logitGradient.base }
  /// The gradient of all parameters after ``backward(_:)``.
  package let gradient: FloatBuffer
  /// The shard's means and variances at each normalization.
  package let statistics: FloatBuffer
  /// The number of output steps per window of the last shard.
  package private(set) var steps: Int = 0
  package private(set) var windows: Int = 0

  private var activations: Activations
  private let scale: FloatBuffer
  private let shift: FloatBuffer
  private let terms: FloatBuffer
  /// A weight matrix with inputs as rows, for the forward products.
  private let transposed: FloatBuffer

  package init(_ shape: NetworkShape) {
    layout = ParameterLayout(shape)
    gradient = FloatBuffer(layout.count)
    statistics = FloatBuffer(layout.statisticsCount)
    scale = FloatBuffer(layout.normalizations * layout.channels)
    shift = FloatBuffer(layout.normalizations * layout.channels)
    terms = FloatBuffer(4 * layout.channels)
    transposed = FloatBuffer(layout.channels * max(layout.channels, layout.stemWidth, shape.outputs))
    activations = Activations(layout, rows: 0)
  }

  /// Computes the logits of one window of `frames` vectors for each of `features`.
  ///
  /// - Parameter features: for each window a pointer to its `frames × inputs` values.
  package func forward(
    _ network: TrainableNetwork, features: [UnsafePointer<Float>], frames: Int, normalizing: Normalizing
  ) {
    let channels = layout.channels
    windows = features.count
    steps = frames / layout.shape.stride
    let rows = windows * steps
    if rows > activations.rows { activations = Activations(layout, rows: rows) }
    guard rows > 0 else { return }
    network.parameters.withUnsafeBufferPointer { buffer in
      let parameters = buffer.baseAddress!
      for (window, values) in features.enumerated() {
        training_gather(
          steps, layout.shape.inputs, layout.shape.stemKernel, layout.shape.stride, 0, network.inputScale,
          values, activations.gathered.base + window * steps * layout.stemWidth)
      }
      training_transpose(channels, layout.stemWidth, parameters + layout.stemWeight, transposed.base)
      training_product(
        rows, channels, layout.stemWidth, activations.gathered.base, transposed.base, activations.stem.base)
      prepare(0, of: activations.stem.base, rows, network, normalizing)
      training_affine_rectify(
        rows, channels, scale(0), shift(0), activations.stem.base, activations.outputs[0].base)
      for block in 0..<layout.blocks {
        let first = 1 + 2 * block
        let input = activations.outputs[block].base
        let depthwise = activations.depthwise[block].base
        let hidden = activations.hidden[block].base
        let pointwise = activations.pointwise[block].base
        for window in 0..<windows {
          training_depthwise(
            steps, channels, layout.shape.kernel, layout.shape.dilations[block],
            parameters + layout.depthwise(block), input + window * steps * channels,
            depthwise + window * steps * channels)
        }
        prepare(first, of: depthwise, rows, network, normalizing)
        training_affine_rectify(rows, channels, scale(first), shift(first), depthwise, hidden)
        training_transpose(channels, channels, parameters + layout.pointwise(block), transposed.base)
        training_product(rows, channels, channels, hidden, transposed.base, pointwise)
        prepare(first + 1, of: pointwise, rows, network, normalizing)
        training_affine_add_rectify(
          rows, channels, scale(first + 1), shift(first + 1), pointwise, input,
          activations.outputs[block + 1].base)
      }
      let outputs = layout.shape.outputs
      training_transpose(outputs, channels, parameters + layout.headWeight, transposed.base)
      training_product(
        rows, outputs, channels, activations.outputs[layout.blocks].base, transposed.base, logits)
      training_add_bias(rows, outputs, parameters + layout.headBias, logits)
    }
  }

  /// Computes ``gradient`` from ``logitGradient``, after a forward pass normalized by the shard.
  package func backward(_ network: TrainableNetwork) {
    let channels = layout.channels
    let rows = windows * steps
    guard rows > 0 else { return gradient.zero() }
    gradient.zero()
    network.parameters.withUnsafeBufferPointer { buffer in
      let parameters = buffer.baseAddress!
      let outer = activations.outer.base
      let hiddenOuter = activations.hiddenOuter.base
      let outputs = layout.shape.outputs
      for row in 0..<rows {
        for output in 0..<outputs {
          gradient.base[layout.headBias + output] += logitGradient[row * outputs + output]
        }
      }
      training_product_of_columns(
        outputs, channels, rows, logitGradient, activations.outputs[layout.blocks].base,
        gradient.base + layout.headWeight)
      training_product(rows, channels, outputs, logitGradient, parameters + layout.headWeight, outer)
      for block in (0..<layout.blocks).reversed() {
        let first = 1 + 2 * block
        let depthwise = activations.depthwise[block].base
        let hidden = activations.hidden[block].base
        let pointwise = activations.pointwise[block].base
        normalizedBackward(
          first + 1, rows, rectified: activations.outputs[block + 1].base, values: pointwise, outer: outer)
        training_product_of_columns(
          channels, channels, rows, pointwise, hidden, gradient.base + layout.pointwise(block))
        training_product(
          rows, channels, channels, pointwise, parameters + layout.pointwise(block), hiddenOuter)
        normalizedBackward(
          first, rows, rectified: hidden, values: depthwise, outer: hiddenOuter)
        for window in 0..<windows {
          let start = window * steps * channels
          training_depthwise_weight(
            steps, channels, layout.shape.kernel, layout.shape.dilations[block],
            activations.outputs[block].base + start, depthwise + start,
            gradient.base + layout.depthwise(block))
          training_depthwise_input(
            steps, channels, layout.shape.kernel, layout.shape.dilations[block],
            parameters + layout.depthwise(block), depthwise + start, outer + start)
        }
      }
      normalizedBackward(
        0, rows, rectified: activations.outputs[0].base, values: activations.stem.base, outer: outer)
      training_product_of_columns(
        channels, layout.stemWidth, rows, activations.stem.base, activations.gathered.base,
        gradient.base + layout.stemWeight)
    }
  }

  private func scale(_ normalization: Int) -> UnsafeMutablePointer<Float> {
    scale.base + normalization * layout.channels
  }

  private func shift(_ normalization: Int) -> UnsafeMutablePointer<Float> {
    shift.base + normalization * layout.channels
  }

  /// Sets the scale and shift of the normalization, from the statistics of `values` if normalized by the
  /// shard.
  private func prepare(
    _ normalization: Int, of values: UnsafePointer<Float>, _ rows: Int, _ network: TrainableNetwork,
    _ normalizing: Normalizing
  ) {
    let mean = statistics.base + layout.mean(normalization)
    let variance = statistics.base + layout.variance(normalization)
    training_moments(rows, layout.channels, values, mean, variance)
    for channel in 0..<layout.channels {
      var center = mean[channel]
      var spread = variance[channel]
      if normalizing == .byPopulation {
        center = network.statistics[layout.mean(normalization) + channel]
        spread = network.statistics[layout.variance(normalization) + channel]
      }
      let factor =
        network.parameters[layout.gain(normalization) + channel]
        / (spread + TrainableNetwork.varianceFloor).squareRoot()
      scale(normalization)[channel] = factor
      shift(normalization)[channel] =
        network.parameters[layout.offset(normalization) + channel] - factor * center
    }
  }

  /// The backward pass through rectifier and normalization: `outer` is set to zero where the rectifier was
  /// inactive, and `values` (the input of the normalization) are replaced by their gradient.
  private func normalizedBackward(
    _ normalization: Int, _ rows: Int, rectified: UnsafePointer<Float>, values: UnsafeMutablePointer<Float>,
    outer: UnsafeMutablePointer<Float>
  ) {
    let channels = layout.channels
    let mean = statistics.base + layout.mean(normalization)
    let variance = statistics.base + layout.variance(normalization)
    let sums = terms.base
    let products = sums + channels
    let inner = products + channels
    let constant = inner + channels
    training_rectify_sums(rows, channels, rectified, values, mean, outer, sums, products)
    let factor = scale(normalization)
    for channel in 0..<channels {
      let inverse = 1 / (variance[channel] + TrainableNetwork.varianceFloor)
      gradient.base[layout.gain(normalization) + channel] = products[channel] * inverse.squareRoot()
      gradient.base[layout.offset(normalization) + channel] = sums[channel]
      inner[channel] = -factor[channel] * inverse * products[channel] / Float(rows)
      constant[channel] = -factor[channel] * sums[channel] / Float(rows) - inner[channel] * mean[channel]
    }
    training_combine(rows, channels, factor, outer, inner, constant, values)
  }
}

/// The activations of a shard.
private final class Activations {
  let rows: Int
  let gathered: FloatBuffer
  let stem: FloatBuffer
  /// The stem's output, then each block's.
  let outputs: [FloatBuffer]
  let depthwise: [FloatBuffer]
  let hidden: [FloatBuffer]
  let pointwise: [FloatBuffer]
  let outer: FloatBuffer
  let hiddenOuter: FloatBuffer
  let logits: FloatBuffer
  let logitGradient: FloatBuffer

  init(_ layout: ParameterLayout, rows: Int) {
    func matrix() -> FloatBuffer { FloatBuffer(rows * layout.channels) }
    self.rows = rows
    gathered = FloatBuffer(rows * layout.stemWidth)
    stem = matrix()
    outputs = (0...layout.blocks).map { _ in matrix() }
    depthwise = (0..<layout.blocks).map { _ in matrix() }
    hidden = (0..<layout.blocks).map { _ in matrix() }
    pointwise = (0..<layout.blocks).map { _ in matrix() }
    outer = matrix()
    hiddenOuter = matrix()
    logits = FloatBuffer(rows * layout.shape.outputs)
    logitGradient = FloatBuffer(rows * layout.shape.outputs)
  }
}

/// A buffer of floats, aligned for vector instructions, for use by one thread at a time.
package final class FloatBuffer {
  package let base: UnsafeMutablePointer<Float>
  package let count: Int

  /// Creates `count` zeros.
  package init(_ count: Int) {
    let bytes = max(count, 1) * MemoryLayout<Float>.stride
    var memory: UnsafeMutableRawPointer?
    precondition(posix_memalign(&memory, 64, bytes) == 0, "out of memory")
    base = memory!.bindMemory(to: Float.self, capacity: max(count, 1))
    self.count = count
    base.initialize(repeating: 0, count: max(count, 1))
  }

  deinit { free(base) }

  package func zero() { base.update(repeating: 0, count: count) }

  package var values: [Float] { Array(UnsafeBufferPointer(start: base, count: count)) }
}
