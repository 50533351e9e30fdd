import Detection

/// The forward and backward pass of a batch, divided into shards, on all threads, with results in a fixed
/// order.
///
/// Window `i` belongs to shard `i % shards`. Each shard is normalized separately; its gradient and losses
/// depend only on its windows and are summed in the order of shards. So any number of threads produces the
/// same bits.
package final class ShardedPass {
  /// The losses of a batch.
  package struct Outcome: Sendable, Equatable {
    /// The loss, normalized by the batch's weight.
    package var loss: Float
    /// The mean loss of keywords; nil if there are none.
    package var positive: Float?
    /// The mean unweighted loss of background windows; nil if there are none.
    package var negative: Float?
  }

  private struct Sums {
    var loss: Double = 0
    var positive: Double = 0
    var positives: Double = 0
    var negative: Double = 0
    var negatives: Double = 0
  }

  private let layout: ParameterLayout
  private let shards: Int
  private let pool: WorkerPool
  private let passes: [NetworkPass]
  private let gradients: [FloatBuffer]
  private let statistics: [FloatBuffer]
  private let sums: UnsafeMutablePointer<Sums>
  private let rows: UnsafeMutablePointer<Int>

  package init(_ shape: NetworkShape, shards: Int, threads: Int) {
    let layout = ParameterLayout(shape)
    let count = max(1, shards)
    self.layout = layout
    self.shards = count
    pool = WorkerPool(min(max(1, threads), count))
    passes = (0..<pool.workers).map { _ in NetworkPass(shape) }
    gradients = (0..<count).map { _ in FloatBuffer(layout.count) }
    statistics = (0..<count).map { _ in FloatBuffer(layout.statisticsCount) }
    sums = .allocate(capacity: count)
    sums.initialize(repeating: Sums(), count: count)
    rows = .allocate(capacity: count)
    rows.initialize(repeating: 0, count: count)
  }

  deinit {
    pool.end()
    sums.deallocate()
    rows.deallocate()
  }

  /// Computes the loss of a batch and its gradient for all parameters.
  ///
  /// - Parameter anchor: the network that windows are compared with whose target ``Target/isRelative``.
  package func run(
    _ network: TrainableNetwork, _ batch: Batch, anchor: TrainableNetwork? = nil, loss: Loss,
    negativeWeight: Double, gradient: inout [Float]
  ) -> Outcome {
    let weight = batch.weights.reduce(0) { $0 + Double($1) }
    guard weight > 0 else {
      gradient = [Float](repeating: 0, count: layout.count)
      return Outcome(loss: 0)
    }
    eachShard(of: batch) { shard, members, features, pass in
      var held: [Double] = []
      if let anchor, members.contains(where: { batch.targets[$0].isRelative }) {
        pass.forward(anchor, features: features, frames: batch.frames, normalizing: .byShard)
        held = (0..<members.count * pass.steps).map { Double(pass.logits[$0]) }
      }
      pass.forward(network, features: features, frames: batch.frames, normalizing: .byShard)
      var sum = Sums()
      var logits = [Double](repeating: 0, count: pass.steps)
      var slope = [Double](repeating: 0, count: pass.steps)
      for (position, window) in members.enumerated() {
        let first = position * pass.steps
        let share = Double(batch.weights[window])
        if case .classes(let classes) = batch.targets[window] {
          let outputs = layout.shape.outputs
          let value = CrossEntropy.window(
            pass.logits + first * outputs, outputs: outputs, classes: classes.prefix(pass.steps),
            scale: Float(share / weight), gradient: pass.logitGradient + first * outputs)
          sum.loss += share / weight * value
          sum.positive += value
          sum.positives += 1
          continue
        }
        for step in 0..<pass.steps { logits[step] = Double(pass.logits[first + step]) }
        let parts = logits.withUnsafeBufferPointer { logits in
          slope.withUnsafeMutableBufferPointer {
            loss.window(
              logits, target: batch.targets[window],
              held: held.isEmpty ? [] : held[first..<first + pass.steps],
              negativeWeight: negativeWeight, scale: Double(batch.weights[window]) / weight, gradient: $0)
          }
        }
        for step in 0..<pass.steps { pass.logitGradient[first + step] = Float(slope[step]) }
        sum.loss += share / weight * loss.total(parts, negativeWeight: negativeWeight)
        if let positive = parts.positive {
          sum.positive += positive
          sum.positives += 1
        }
        if let negative = parts.negative, batch.targets[window] == .background {
          sum.negative += negative
          sum.negatives += 1
        }
      }
      pass.backward(network)
      gradients[shard].base.update(from: pass.gradient.base, count: layout.count)
      sums[shard] = sum
    }
    var total = Sums()
    for index in gradient.indices { gradient[index] = 0 }
    for shard in 0..<shards where shard < batch.count {
      let part = gradients[shard].base
      gradient.withUnsafeMutableBufferPointer { for index in $0.indices { $0[index] += part[index] } }
      total.loss += sums[shard].loss
      total.positive += sums[shard].positive
      total.positives += sums[shard].positives
      total.negative += sums[shard].negative
      total.negatives += sums[shard].negatives
    }
    return Outcome(
      loss: Float(total.loss),
      positive: total.positives > 0 ? Float(total.positive / total.positives) : nil,
      negative: total.negatives > 0 ? Float(total.negative / total.negatives) : nil)
  }

  /// Returns the mean and variance at each normalization over `count` batches from `next`.
  package func measure(
    _ network: TrainableNetwork, normalizing: NetworkPass.Normalizing, count: Int, next: () -> Batch
  ) -> [Float] {
    var first = [Double](repeating: 0, count: layout.statisticsCount)
    var second = first
    var weight = 0.0
    for _ in 0..<count {
      let batch = next()
      eachShard(of: batch) { shard, members, features, pass in
        pass.forward(network, features: features, frames: batch.frames, normalizing: normalizing)
        statistics[shard].base.update(from: pass.statistics.base, count: layout.statisticsCount)
        rows[shard] = members.count * pass.steps
      }
      for shard in 0..<shards where shard < batch.count {
        let share = Double(rows[shard])
        weight += share
        for normalization in 0..<layout.normalizations {
          for channel in 0..<layout.channels {
            let mean = Double(statistics[shard].base[layout.mean(normalization) + channel])
            let variance = Double(statistics[shard].base[layout.variance(normalization) + channel])
            first[layout.mean(normalization) + channel] += share * mean
            second[layout.mean(normalization) + channel] += share * (variance + mean * mean)
          }
        }
      }
    }
    guard weight > 0 else { return network.statistics }
    var measured = network.statistics
    for normalization in 0..<layout.normalizations {
      for channel in 0..<layout.channels {
        let index = layout.mean(normalization) + channel
        let mean = first[index] / weight
        measured[index] = Float(mean)
        let variance = max(0, second[index] / weight - mean * mean)
        measured[layout.variance(normalization) + channel] = Float(variance)
      }
    }
    return measured
  }

  private func eachShard(
    of batch: Batch,
    _ body: (_ shard: Int, _ members: [Int], _ features: [UnsafePointer<Float>], NetworkPass) -> Void
  ) {
    precondition(
      batch.features.count == batch.count * batch.frames * layout.shape.inputs,
      "a batch's features are count × frames × inputs")
    let stride = batch.frames * layout.shape.inputs
    batch.features.withUnsafeBufferPointer { features in
      pool.run(shards) { shard, worker in
        let members = Array(Swift.stride(from: shard, to: batch.count, by: shards))
        guard !members.isEmpty, let base = features.baseAddress else { return }
        body(shard, members, members.map { base + $0 * stride }, passes[worker])
      }
    }
  }
}
