import Detection

/// Where each tensor of a trainable network lies in its one vector of parameters.
///
/// One vector keeps the optimizer, the averaging and the sum over shards simple. The order is the
/// order of the forward pass: stem weight, its normalization's gain and offset; for each block its
/// depthwise weight, gain, offset, pointwise weight, gain, offset; head weight and bias.
package struct ParameterLayout: Sendable, Equatable {
  package let shape: NetworkShape

  package init(_ shape: NetworkShape) { self.shape = shape }

  package var channels: Int { shape.channels }
  package var blocks: Int { shape.dilations.count }
  /// The number of values that one step's stem sees: kernel × inputs.
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

  /// Normalizations: the stem's is 0, block `b` has 1 + 2b (depthwise) and 2 + 2b (pointwise).
  package var normalizations: Int { 1 + 2 * blocks }

  /// Where the gain of a normalization lies; its offset follows `channels` later.
  package func gain(_ normalization: Int) -> Int {
    if normalization == 0 { return channels * stemWidth }
    let block = (normalization - 1) / 2
    return normalization % 2 == 1
      ? depthwise(block) + depthwiseCount : pointwise(block) + channels * channels
  }

  package func offset(_ normalization: Int) -> Int { gain(normalization) + channels }

  /// The length of the vector of statistics: for each normalization its means, then its variances.
  package var statisticsCount: Int { normalizations * 2 * channels }
  package func mean(_ normalization: Int) -> Int { normalization * 2 * channels }
  package func variance(_ normalization: Int) -> Int { mean(normalization) + channels }

  /// The parameters in stretches, each with whether weight decay is for it: convolutions and the head
  /// weight are, gains, offsets and the bias are not.
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
