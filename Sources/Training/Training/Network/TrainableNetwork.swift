import Detection
import Glibc
import Platform

/// A network while it is fitted: convolutions without biases, each followed by a batch normalization.
///
/// The stem is a convolution over `stemKernel` feature vectors; a block is a dilated causal depthwise
/// convolution, normalization, rectifier, pointwise convolution, normalization, added to what came in
/// and rectified; the head is linear. History before a window is zero, as at the start of a stream.
/// ``folded()`` gives what `StreamingNetwork` runs.
///
/// Batch normalization: Ioffe and Szegedy, 2015.
public struct TrainableNetwork: Sendable, Equatable {
  public let shape: NetworkShape
  /// All weights, gains and offsets; see ``ParameterLayout``.
  package var parameters: [Float]
  /// The population's mean and variance at each normalization, used instead of a batch's own.
  package var statistics: [Float]
  /// What each feature coefficient is multiplied with first, so that all are of one size.
  package var inputScale: [Float]
  /// Whether `statistics` have been measured, or a network without any was taken in.
  package private(set) var isMeasured: Bool = true

  /// What is added to a variance before its root.
  package static let varianceFloor: Float = 1e-5

  /// A new network with random weights (He, Zhang, Ren, Sun: "Delving deep into rectifiers", 2015).
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
      // A block starts as a small change to what passes by it.
      let gain: Float = normalization > 0 && normalization % 2 == 0 ? 0.5 : 1
      for channel in 0..<layout.channels {
        parameters[layout.gain(normalization) + channel] = gain
        statistics[layout.variance(normalization) + channel] = 1
      }
    }
    fill(layout.headWeight, shape.outputs * layout.channels, fan: 8 * layout.channels, &random)
  }

  /// The network that computes what `weights` compute, to be fitted further.
  ///
  /// Its normalizations do nothing yet: ``Fit`` measures the statistics before the first step.
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

  /// The weights of the same function with every normalization and scale multiplied in.
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

  /// Takes `measured` as the population's statistics and changes gains and offsets so that the
  /// network in inference computes what it did before.
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

  /// Sets the scale of each feature coefficient to one over its root mean square in `features`.
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

  /// Fills a stretch with normal numbers of variance 2 / fan.
  private mutating func fill(_ start: Int, _ count: Int, fan: Int, _ random: inout RandomSource) {
    let deviation = (2 / Float(fan)).squareRoot()
    for index in start..<start + count {
      let radius = (-2 * logf(1 - random.uniform())).squareRoot()
      parameters[index] = deviation * radius * cosf(2 * .pi * random.uniform())
    }
  }
}
