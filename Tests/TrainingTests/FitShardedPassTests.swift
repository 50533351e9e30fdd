import Detection
import Platform
import TestServers
import Testing
import Training

@Suite(.limited(minutes: 15)) struct FitShardedPassTests {
  /// Covers shards, window weights, the background weight and the whole network.
  @Test func theGradientOfABatchMatchesADoublePrecisionReference() throws {
    let shape = try NetworkShape(
      inputs: 3, stemKernel: 5, stride: 2, channels: 6, kernel: 3, dilations: [1, 2, 4])
    let layout = ParameterLayout(shape)
    let network = randomNetwork(shape, seed: 1)
    let windows = randomWindows(5, frames: 80, shape, seed: 2)
    let batch = Batch(
      count: 5, frames: 80, features: Array(windows.joined()),
      targets: [
        .keyword(startStep: 5, endStep: 14), .background, .background,
        .keyword(startStep: 12, endStep: 20), .background,
      ], weights: [1, 0.5, 2, 3, 0])
    var settings = LossSettings()
    settings.smoothing = 3
    settings.dropBelow = 0
    let loss = Loss(settings)
    let shards = 2

    func reference(_ parameters: [Double]) -> Double {
      var total = 0.0
      for shard in 0..<shards {
        let members = Array(stride(from: shard, to: 5, by: shards))
        let reference = NetworkReference(
          layout: layout, features: members.map { windows[$0].map(Double.init) })
        let logits = reference.logits(parameters)
        for (position, window) in members.enumerated() {
          var gradient = [Double](repeating: 0, count: 40)
          let parts = Array(logits[position * 40..<(position + 1) * 40]).withUnsafeBufferPointer { logits in
            gradient.withUnsafeMutableBufferPointer {
              loss.window(
                logits, target: batch.targets[window], negativeWeight: 3, scale: 1, gradient: $0)
            }
          }
          total += Double(batch.weights[window]) / 6.5 * loss.total(parts, negativeWeight: 3)
        }
      }
      return total
    }

    var gradient = [Float](repeating: 7, count: layout.count)
    let outcome = ShardedPass(shape, shards: shards, threads: 2).run(
      network, batch, loss: loss, negativeWeight: 3, gradient: &gradient)
    let parameters = network.parameters.map(Double.init)
    #expect(abs(Double(outcome.loss) - reference(parameters)) < 1e-5)
    let size = Double(gradient.reduce(0) { max($0, abs($1)) })
    for index in gradient.indices {
      var moved = parameters
      moved[index] += 1e-6
      let above = reference(moved)
      moved[index] -= 2e-6
      let slope = (above - reference(moved)) / 2e-6
      #expect(abs(slope - Double(gradient[index])) < 2e-4 * size)
    }
  }

  @Test func statisticsOfSeveralBatchesCoverAllTheirWindows() throws {
    let shape = try NetworkShape(inputs: 3, channels: 4, dilations: [1])
    let network = randomNetwork(shape, seed: 3)
    let windows = randomWindows(8, frames: 40, shape, seed: 4)
    func batch(_ range: Range<Int>) -> Batch {
      Batch(
        count: range.count, frames: 40, features: Array(windows[range].joined()),
        targets: range.map { _ in .background }, weights: range.map { _ in 1 })
    }
    let whole = ShardedPass(shape, shards: 1, threads: 1).measure(
      network, normalizing: .byPopulation, count: 1
    ) { batch(0..<8) }
    var parts = [batch(0..<3), batch(3..<8)]
    let measured = ShardedPass(shape, shards: 3, threads: 2).measure(
      network, normalizing: .byPopulation, count: 2
    ) { parts.removeFirst() }
    #expect(whole != network.statistics)
    for index in whole.indices { #expect(abs(whole[index] - measured[index]) < 1e-4 * max(1, whole[index])) }
  }
}
