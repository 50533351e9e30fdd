import Detection
import Platform
import TestServers
import Testing
import Training

@Suite(.limited(minutes: 15)) struct NetworkPassTests {
  /// Shapes that cover every kernel: odd and large channel counts, long kernels, dilations longer than the
  /// window.
  static let shapes: [NetworkShape] = [
    shape(inputs: 3, stemKernel: 5, stride: 2, channels: 5, kernel: 3, dilations: [1, 2]),
    shape(inputs: 4, stemKernel: 3, stride: 2, channels: 19, kernel: 5, dilations: [1, 4, 16]),
    shape(inputs: 2, stemKernel: 5, stride: 1, channels: 4, kernel: 7, dilations: [3]),
    shape(inputs: 3, stemKernel: 3, stride: 2, channels: 6, kernel: 3, dilations: [1, 2], outputs: 7),
  ]

  private static func shape(
    inputs: Int, stemKernel: Int, stride: Int, channels: Int, kernel: Int, dilations: [Int],
    outputs: Int = 1
  ) -> NetworkShape {
    try! NetworkShape(
      inputs: inputs, stemKernel: stemKernel, stride: stride, channels: channels, kernel: kernel,
      dilations: dilations, outputs: outputs)
  }

  @Test(arguments: shapes) func everyGradientMatchesADoublePrecisionReference(shape: NetworkShape) {
    let layout = ParameterLayout(shape)
    let network = randomNetwork(shape, seed: 3)
    let windows = randomWindows(3, frames: 23, shape, seed: 4)
    let pass = NetworkPass(shape)
    withPointers(to: windows) {
      pass.forward(network, features: $0, frames: 23, normalizing: .byShard)
    }
    let reference = NetworkReference(layout: layout, features: windows.map { $0.map(Double.init) })
    let parameters = network.parameters.map(Double.init)
    let expected = reference.logits(parameters)
    for row in expected.indices { #expect(abs(Double(pass.logits[row]) - expected[row]) < 2e-5) }

    var random = RandomSource(seed: 5)
    let slopes = expected.map { _ in Double(random.uniform(-1...1)) }
    for row in slopes.indices { pass.logitGradient[row] = Float(slopes[row]) }
    pass.backward(network)
    func loss(_ parameters: [Double]) -> Double {
      zip(reference.logits(parameters), slopes).reduce(0) { $0 + $1.0 * $1.1 }
    }
    let gradient = pass.gradient.values
    let size = gradient.reduce(0) { max($0, abs($1)) }
    var worst = 0.0
    for index in gradient.indices {
      var moved = parameters
      moved[index] += 1e-6
      let above = loss(moved)
      moved[index] -= 2e-6
      let slope = (above - loss(moved)) / 2e-6
      worst = max(worst, abs(slope - Double(gradient[index])) / Double(size))
    }
    #expect(worst < 1e-4)
  }

  @Test func theFoldedNetworkMatchesTheTrainableOne() throws {
    let shape = try NetworkShape(channels: 24, dilations: [1, 2, 4, 8])
    var network = randomNetwork(shape, seed: 6)
    var random = RandomSource(seed: 7)
    let layout = ParameterLayout(shape)
    for normalization in 0..<layout.normalizations {
      for channel in 0..<shape.channels {
        network.statistics[layout.mean(normalization) + channel] = random.uniform(-0.5...0.5)
        network.statistics[layout.variance(normalization) + channel] = random.uniform(0.3...3)
      }
    }
    for input in 0..<shape.inputs { network.inputScale[input] = random.uniform(0.1...2) }
    let windows = randomWindows(1, frames: 201, shape, seed: 8)
    let pass = NetworkPass(shape)
    withPointers(to: windows) {
      pass.forward(network, features: $0, frames: 201, normalizing: .byPopulation)
    }
    let folded = WholeClip.logits(network.folded(), features: windows[0], frames: 201)
    #expect(folded.count == 100)
    let size = folded.reduce(1) { max($0, abs($1)) }
    for step in folded.indices { #expect(abs(folded[step] - pass.logits[step]) < 1e-4 * size) }
  }

  @Test func aNetworkFromWeightsFoldsBackToThem() throws {
    let shape = try NetworkShape(channels: 9, dilations: [1, 3])
    let weights = randomNetwork(shape, seed: 9).folded()
    var network = TrainableNetwork(weights)
    let windows = randomWindows(2, frames: 60, shape, seed: 10)
    let pass = NetworkPass(shape)
    withPointers(to: windows) {
      pass.forward(network, features: $0, frames: 60, normalizing: .byPopulation)
    }
    let before = (0..<60).map { pass.logits[$0] }
    network.adopt(pass.statistics.values)
    #expect(network.isMeasured)
    withPointers(to: windows) {
      pass.forward(network, features: $0, frames: 60, normalizing: .byShard)
    }
    let scale = before.reduce(1) { max($0, abs($1)) }
    for row in before.indices { #expect(abs(before[row] - pass.logits[row]) < 1e-4 * scale) }
  }
}

/// A network whose gains and offsets differ from channel to channel.
func randomNetwork(_ shape: NetworkShape, seed: UInt64) -> TrainableNetwork {
  var network = TrainableNetwork(shape, seed: seed)
  let layout = ParameterLayout(shape)
  var random = RandomSource(seed: seed + 100)
  for normalization in 0..<layout.normalizations {
    for channel in 0..<shape.channels {
      network.parameters[layout.gain(normalization) + channel] = random.uniform(0.5...1.5)
      network.parameters[layout.offset(normalization) + channel] = random.uniform(-0.5...0.5)
    }
  }
  return network
}

func randomWindows(_ count: Int, frames: Int, _ shape: NetworkShape, seed: UInt64) -> [[Float]] {
  var random = RandomSource(seed: seed)
  return (0..<count).map { _ in (0..<frames * shape.inputs).map { _ in random.uniform(-2...2) } }
}

func withPointers(to windows: [[Float]], _ body: ([UnsafePointer<Float>]) -> Void) {
  let joined = Array(windows.joined())
  joined.withUnsafeBufferPointer { buffer in
    body(windows.indices.map { buffer.baseAddress! + $0 * windows[0].count })
  }
}
