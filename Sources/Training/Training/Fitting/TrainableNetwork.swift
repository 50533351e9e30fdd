import Detection
import Glibc
import Platform

/// A network in training: convolutions without biases, each followed by batch normalization.
///
/// The stem is a convolution over `stemKernel` feature vectors. A block consists of a dilated causal
/// depthwise convolution, normalization, a rectifier, a pointwise convolution, normalization, addition of the
/// block's input, and a rectifier. The head is linear. The history before a window is zero, as at the start
/// of a stream. ``folded()`` returns the weights for `StreamingNetwork`.
///
/// Batch normalization: Ioffe and Szegedy, 2015.
public struct TrainableNetwork: Sendable, Equatable {
  public let shape: NetworkShape
  /// All weights, gains and offsets; see ``ParameterLayout``.
  package var parameters: [Float]
  /// The population's mean and variance at each normalization, for inference.
  package var statistics: [Float]
  /// The factor of each feature coefficient, which makes all of equal magnitude.
  package var inputScale: [Float]
  /// Whether `statistics` are valid; false for a network from folded weights until they are measured.
  package private(set) var isMeasured: Bool = true

  /// The constant added to a variance before the square root.
  package static let varianceFloor: Float = 1e-5

  /// Creates a network with random weights (He, Zhang, Ren, Sun: "Delving deep into rectifiers", 2015).
  public init(_ shape: NetworkShape, seed: UInt64) {
    let layout = ParameterLayout(shape)
    self.shape = shape
    parameters = [Float](repeating: 0, count: layout.count)
    statistics = [Float](repeating: 0, count: layout.statisticsCount)
    inputScale = [Float](repeating: 1, count: shape.inputs)
    var random = RandomSource(seed: seed)
    fill(layout.stemWeight, layout.channels * layout.stemWidth, fan: layout.stemWidth, &random)
    for block in 0..<layout.blocks {
      fill(layout.depthwise(block), shape.kernel * layout.channels, fan: shape.kernel, &random)
      fill(layout.pointwise(block), layout.channels * layout.channels, fan: layout.channels, &random)
    }
    for normalization in 0..<layout.normalizations {
      // A block starts with a small contribution to its input.
      let gain: Float = normalization > 0 && normalization % 2 == 0 ? 0.5 : 1
      for channel in 0..<layout.channels {
        parameters[layout.gain(normalization) + channel] = gain
        statistics[layout.variance(normalization) + channel] = 1
      }
    }
    fill(layout.headWeight, shape.outputs * layout.channels, fan: 8 * layout.channels, &random)
  }

  /// Creates a network that computes the same as `weights`, to be fitted further.
  ///
  /// Its normalizations have no effect yet: ``Fit`` measures the statistics before the first step.
  public init(_ weights: NetworkWeights) {
    let layout = ParameterLayout(weights.shape)
    self.init(weights.shape, seed: 0)
    isMeasured = false
    for normalization in 0..<layout.normalizations {
      for channel in 0..<layout.channels {
        parameters[layout.gain(normalization) + channel] = 1
        statistics[layout.variance(normalization) + channel] = 1 - Self.varianceFloor
      }
    }
    put(weights.stemWeight, at: layout.stemWeight)
    put(weights.stemBias, at: layout.offset(0))
    for (block, values) in weights.blocks.enumerated() {
      put(values.depthwise, at: layout.depthwise(block))
      put(values.depthwiseBias, at: layout.offset(1 + 2 * block))
      put(values.pointwise, at: layout.pointwise(block))
      put(values.pointwiseBias, at: layout.offset(2 + 2 * block))
    }
    put(weights.headWeight, at: layout.headWeight)
    put(weights.headBias, at: layout.headBias)
  }

  /// Returns the weights of the same function with every normalization and scale multiplied in.
  public func folded() -> NetworkWeights {
    let layout = ParameterLayout(shape)
    let channels = layout.channels
    func scale(_ normalization: Int, _ channel: Int) -> Float {
      parameters[layout.gain(normalization) + channel]
        / (statistics[layout.variance(normalization) + channel] + Self.varianceFloor).squareRoot()
    }
    func biases(_ normalization: Int) -> [Float] {
      (0..<channels).map {
        parameters[layout.offset(normalization) + $0]
          - scale(normalization, $0) * statistics[layout.mean(normalization) + $0]
      }
    }
    var stem = slice(layout.stemWeight, channels * layout.stemWidth)
    for index in stem.indices {
      stem[index] *= scale(0, index / layout.stemWidth) * inputScale[index % shape.inputs]
    }
    var weights = NetworkWeights(zero: shape)
    weights.stemWeight = stem
    weights.stemBias = biases(0)
    weights.blocks = (0..<layout.blocks).map { block in
      let first = 1 + 2 * block
      var depthwise = slice(layout.depthwise(block), shape.kernel * channels)
      for index in depthwise.indices { depthwise[index] *= scale(first, index % channels) }
      var pointwise = slice(layout.pointwise(block), channels * channels)
      for index in pointwise.indices { pointwise[index] *= scale(first + 1, index / channels) }
      return BlockWeights(
        depthwise: depthwise, depthwiseBias: biases(first), pointwise: pointwise,
        pointwiseBias: biases(first + 1))
    }
    weights.headWeight = slice(layout.headWeight, shape.outputs * channels)
    weights.headBias = slice(layout.headBias, shape.outputs)
    return weights
  }

  /// Sets the population's statistics to `measured` and adjusts gains and offsets so that inference results
  /// do not change.
  package mutating func adopt(_ measured: [Float]) {
    let layout = ParameterLayout(shape)
    for normalization in 0..<layout.normalizations {
      for channel in 0..<layout.channels {
        let mean = layout.mean(normalization) + channel
        let variance = layout.variance(normalization) + channel
        let gain = layout.gain(normalization) + channel
        let offset = layout.offset(normalization) + channel
        let scale = parameters[gain] / (statistics[variance] + Self.varianceFloor).squareRoot()
        parameters[offset] += scale * (measured[mean] - statistics[mean])
        parameters[gain] = scale * (measured[variance] + Self.varianceFloor).squareRoot()
      }
    }
    statistics = measured
    isMeasured = true
  }

  /// Sets the scale of each feature coefficient to the inverse of its root mean square in `features`.
  package mutating func setInputScale(from features: [Float]) {
    var squares = [Double](repeating: 0, count: shape.inputs)
    for (index, value) in features.enumerated() {
      squares[index % shape.inputs] += Double(value) * Double(value)
    }
    let vectors = Double(max(1, features.count / shape.inputs))
    inputScale = squares.map { square in
      let size = (square / vectors).squareRoot()
      return size > 1e-6 ? Float(1 / size) : 1
    }
  }

  private func slice(_ start: Int, _ count: Int) -> [Float] { Array(parameters[start..<start + count]) }

  private mutating func put(_ values: [Float], at start: Int) {
    for (index, value) in values.enumerated() { parameters[start + index] = value }
  }

  /// Fills a range with normally distributed numbers of variance 2 / fan.
  private mutating func fill(_ start: Int, _ count: Int, fan: Int, _ random: inout RandomSource) {
    let deviation = (2 / Float(fan)).squareRoot()
    for index in start..<start + count {
      let radius = (-2 * logf(1 - random.uniform())).squareRoot()
      parameters[index] = deviation * radius * cosf(2 * .pi * random.uniform())
    }
  }
}

/// The position of each tensor of a trainable network in its single vector of parameters.
///
/// One vector simplifies the optimizer, the averaging and the sum over shards. The order is that of the
/// forward pass: stem weight, gain and offset of its normalization; for each block depthwise weight, gain,
/// offset, pointwise weight, gain, offset; head weight and bias.
package struct ParameterLayout: Sendable, Equatable {
  package let shape: NetworkShape

  package init(_ shape: NetworkShape) { self.shape = shape }

  package var channels: Int { shape.channels }
  package var blocks: Int { shape.dilations.count }
  /// The number of input values of one step of the stem: kernel × inputs.
  package var stemWidth: Int { shape.stemKernel * shape.inputs }
  private var stemCount: Int { channels * stemWidth + 2 * channels }
  private var depthwiseCount: Int { shape.kernel * channels }
  private var blockCount: Int { depthwiseCount + channels * channels + 4 * channels }

  /// `[channels][stemKernel][inputs]`.
  package var stemWeight: Int { 0 }
  /// `[kernel][channels]`.
  package func depthwise(_ block: Int) -> Int { stemCount + block * blockCount }
  /// `[out][in]`.
  package func pointwise(_ block: Int) -> Int { depthwise(block) + depthwiseCount + 2 * channels }
  /// `[outputs][channels]`.
  package var headWeight: Int { stemCount + blocks * blockCount }
  package var headBias: Int { headWeight + shape.outputs * channels }
  /// The number of parameters.
  package var count: Int { headBias + shape.outputs }

  /// The number of normalizations: the stem's is 0, block `b` has 1 + 2b (depthwise) and 2 + 2b (pointwise).
  package var normalizations: Int { 1 + 2 * blocks }

  /// Returns the position of the gain of a normalization; its offset follows `channels` later.
  package func gain(_ normalization: Int) -> Int {
    if normalization == 0 { return channels * stemWidth }
    let block = (normalization - 1) / 2
    return normalization % 2 == 1
      ? depthwise(block) + depthwiseCount : pointwise(block) + channels * channels
  }

  package func offset(_ normalization: Int) -> Int { gain(normalization) + channels }

  /// The length of the vector of statistics: the means, then the variances of each normalization.
  package var statisticsCount: Int { normalizations * 2 * channels }
  package func mean(_ normalization: Int) -> Int { normalization * 2 * channels }
  package func variance(_ normalization: Int) -> Int { mean(normalization) + channels }

  /// The ranges of the parameters, and whether weight decay applies: it does to convolutions and the head
  /// weight, not to gains, offsets and the bias.
  package var stretches: [(range: Range<Int>, decays: Bool)] {
    var stretches: [(range: Range<Int>, decays: Bool)] = []
    func add(_ start: Int, _ count: Int, then rest: Int) {
      stretches.append((start..<start + count, true))
      stretches.append((start + count..<start + count + rest, false))
    }
    add(stemWeight, channels * stemWidth, then: 2 * channels)
    for block in 0..<blocks {
      add(depthwise(block), depthwiseCount, then: 2 * channels)
      add(pointwise(block), channels * channels, then: 2 * channels)
    }
    add(headWeight, shape.outputs * channels, then: shape.outputs)
    return stretches
  }
}
