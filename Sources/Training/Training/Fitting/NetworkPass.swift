import CTraining
import Detection
import Glibc

/// One thread's room to run a shard of windows through a trainable network, forth and back.
///
/// Activations are matrices `[window · step][channel]`, so that each pointwise convolution is one
/// matrix product over the shard. ``forward(_:features:windows:frames:normalizing:)`` leaves the logits
/// and what ``backward(_:)`` needs; the latter overwrites activations, so it can run once per forward.
/// Not safe on several threads at once; never allocates unless a shard is larger than all before it.
package final class NetworkPass {
  /// What normalizes: a training step uses the shard's own statistics, inference the population's.
  package enum Normalizing { case byShard, byPopulation }

  package let layout: ParameterLayout
  /// `[window · step][output]` after ``forward(_:features:windows:frames:normalizing:)``.
  package var logits: UnsafeMutablePointer<Float> { room.logits.base }
  /// Where the loss leaves its slope for each logit before ``backward(_:)``.
  package var logitGradient: UnsafeMutablePointer<Float> { room.logitGradient.base }
  /// The gradient of all parameters after ``backward(_:)``.
  package let gradient: FloatBuffer
  /// The shard's means and variances at each normalization.
  package let statistics: FloatBuffer
  /// The output steps of one window of the last shard.
  package private(set) var steps: Int = 0
  package private(set) var windows: Int = 0

  private var room: Room
  private let scale: FloatBuffer
  private let shift: FloatBuffer
  private let terms: FloatBuffer
  /// A weight with inputs as rows, as the forward products take it.
  private let transposed: FloatBuffer

  package init(_ shape: NetworkShape) {
    layout = ParameterLayout(shape)
    gradient = FloatBuffer(layout.count)
    statistics = FloatBuffer(layout.statisticsCount)
    scale = FloatBuffer(layout.normalizations * layout.channels)
    shift = FloatBuffer(layout.normalizations * layout.channels)
    terms = FloatBuffer(4 * layout.channels)
    transposed = FloatBuffer(layout.channels * max(layout.channels, layout.stemWidth, shape.outputs))
    room = Room(layout, rows: 0)
  }

  /// Computes the logits of `windows` windows of `frames` vectors each.
  ///
  /// - Parameter features: for each window a pointer to its `frames × inputs` values.
  package func forward(
    _ network: TrainableNetwork, features: [UnsafePointer<Float>], frames: Int, normalizing: Normalizing
  ) {
    let channels = layout.channels
    windows = features.count
    steps = frames / layout.shape.stride
    let rows = windows * steps
    if rows > room.rows { room = Room(layout, rows: rows) }
    guard rows > 0 else { return }
    network.parameters.withUnsafeBufferPointer { buffer in
      let parameters = buffer.baseAddress!
      for (window, values) in features.enumerated() {
        training_gather(
          steps, layout.shape.inputs, layout.shape.stemKernel, layout.shape.stride, 0, network.inputScale,
          values, room.gathered.base + window * steps * layout.stemWidth)
      }
      training_transpose(channels, layout.stemWidth, parameters + layout.stemWeight, transposed.base)
      training_product(
        rows, channels, layout.stemWidth, room.gathered.base, transposed.base, room.stem.base)
      prepare(0, of: room.stem.base, rows, network, normalizing)
      training_affine_rectify(
        rows, channels, scale(0), shift(0), room.stem.base, room.outputs[0].base)
      for block in 0..<layout.blocks {
        let first = 1 + 2 * block
        let input = room.outputs[block].base
        let depthwise = room.depthwise[block].base
        let hidden = room.hidden[block].base
        let pointwise = room.pointwise[block].base
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
          rows, channels, scale(first + 1), shift(first + 1), pointwise, input, room.outputs[block + 1].base)
      }
      let outputs = layout.shape.outputs
      training_transpose(outputs, channels, parameters + layout.headWeight, transposed.base)
      training_product(rows, outputs, channels, room.outputs[layout.blocks].base, transposed.base, logits)
      training_add_bias(rows, outputs, parameters + layout.headBias, logits)
    }
  }

  /// Fills ``gradient`` from ``logitGradient``, after a forward pass normalized by the shard.
  package func backward(_ network: TrainableNetwork) {
    let channels = layout.channels
    let rows = windows * steps
    guard rows > 0 else { return gradient.zero() }
    gradient.zero()
    network.parameters.withUnsafeBufferPointer { buffer in
      let parameters = buffer.baseAddress!
      let outer = room.outer.base
      let hiddenOuter = room.hiddenOuter.base
      let outputs = layout.shape.outputs
      for row in 0..<rows {
        for output in 0..<outputs {
          gradient.base[layout.headBias + output] += logitGradient[row * outputs + output]
        }
      }
      training_product_of_columns(
        outputs, channels, rows, logitGradient, room.outputs[layout.blocks].base,
        gradient.base + layout.headWeight)
      training_product(rows, channels, outputs, logitGradient, parameters + layout.headWeight, outer)
      for block in (0..<layout.blocks).reversed() {
        let first = 1 + 2 * block
        let depthwise = room.depthwise[block].base
        let hidden = room.hidden[block].base
        let pointwise = room.pointwise[block].base
        normalizedBackward(
          first + 1, rows, rectified: room.outputs[block + 1].base, values: pointwise, outer: outer,
          parameters)
        training_product_of_columns(
          channels, channels, rows, pointwise, hidden, gradient.base + layout.pointwise(block))
        training_product(
          rows, channels, channels, pointwise, parameters + layout.pointwise(block), hiddenOuter)
        normalizedBackward(
          first, rows, rectified: hidden, values: depthwise, outer: hiddenOuter, parameters)
        for window in 0..<windows {
          let start = window * steps * channels
          training_depthwise_weight(
            steps, channels, layout.shape.kernel, layout.shape.dilations[block],
            room.outputs[block].base + start, depthwise + start, gradient.base + layout.depthwise(block))
          training_depthwise_input(
            steps, channels, layout.shape.kernel, layout.shape.dilations[block],
            parameters + layout.depthwise(block), depthwise + start, outer + start)
        }
      }
      normalizedBackward(
        0, rows, rectified: room.outputs[0].base, values: room.stem.base, outer: outer, parameters)
      training_product_of_columns(
        channels, layout.stemWidth, rows, room.stem.base, room.gathered.base,
        gradient.base + layout.stemWeight)
    }
  }

  private func scale(_ normalization: Int) -> UnsafeMutablePointer<Float> {
    scale.base + normalization * layout.channels
  }

  private func shift(_ normalization: Int) -> UnsafeMutablePointer<Float> {
    shift.base + normalization * layout.channels
  }

  /// Sets the normalization's scale and shift; by the shard, measures `values` for them.
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

  /// Goes back through rectifier and normalization: `outer` loses what the rectifier cut, `values` (the
  /// normalization's input) become their own gradient.
  private func normalizedBackward(
    _ normalization: Int, _ rows: Int, rectified: UnsafePointer<Float>, values: UnsafeMutablePointer<Float>,
    outer: UnsafeMutablePointer<Float>, _ parameters: UnsafePointer<Float>
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
private final class Room {
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

/// Floats outside of Swift's arrays, aligned for vectors, that one thread at a time works on.
package final class FloatBuffer {
  package let base: UnsafeMutablePointer<Float>
  package let count: Int

  /// `count` zeros.
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
