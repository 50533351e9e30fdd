import Detection
import TestServers
import Testing

@Suite(.limited) struct StreamingNetworkTests {
  @Test func equalsTheReferenceForEveryShape() throws {
    for (index, shape) in try variousShapes().enumerated() {
      let weights = NetworkWeights.random(shape, seed: UInt64(index))
      let features = randomFeatures(131, inputs: shape.inputs, seed: 7)
      let expected = WholeClip.logits(weights, features: features, frames: 131)
      let found = StreamingNetwork(weights).logits(features)
      #expect(found.count == 131 / shape.stride * shape.outputs && expected.count == found.count)
      #expect(spread(expected) > 0.05, "the logits must move for the comparison to mean something: \(shape)")
      for (a, b) in zip(expected, found) {
        #expect(abs(a - b) <= 1e-4 * max(1, abs(a)), "\(shape)")
      }
    }
  }

  @Test(arguments: [128, 200]) func aWideNetworkDiffersFromTheReferenceByItsRounding(_ channels: Int) throws {
    let shape = try NetworkShape(channels: channels, dilations: [1, 2, 4, 8, 1, 2, 4, 8], outputs: 43)
    let weights = NetworkWeights.random(shape, seed: 1)
    let features = randomFeatures(200, seed: 2)
    let expected = WholeClip.logits(weights, features: features, frames: 200)
    let found = StreamingNetwork(weights).logits(features)
    let differences = zip(found, expected).map { Double($0 - $1) }
    let mean = expected.reduce(0.0) { $0 + Double($1) } / Double(expected.count)
    func power(_ values: [Double]) -> Double { values.reduce(0) { $0 + $1 * $1 } }
    let error = (power(differences) / power(expected.map { Double($0) - mean })).squareRoot()
    #expect((1e-5..<0.03).contains(error), "\(error)")
  }

  @Test func resetForgetsTheStreamAtAnyPosition() throws {
    let shape = try NetworkShape(channels: 24, kernel: 3, dilations: [1, 5, 2])
    let network = StreamingNetwork(.random(shape, seed: 3))
    let features = randomFeatures(60, seed: 4)
    let expected = network.logits(features)
    for position in 0..<40 {
      _ = push(randomFeatures(position, seed: UInt64(position)), into: network)
      network.reset()
      #expect(push(features, into: network) == expected)
      network.reset()
    }
  }

  @Test func dependsOnItsReceptiveFieldOnly() throws {
    let shape = try NetworkShape(channels: 16, kernel: 3, dilations: [1, 3])
    #expect(shape.receptiveField == 5 + 2 * 2 * 4)
    let network = StreamingNetwork(.random(shape, seed: 5))
    let tail = randomFeatures(shape.receptiveField + 1, seed: 6)
    var ends: [Float] = []
    for seed in 0..<5 {
      // The channels of bias alone look back on zeros only at a stream's start: begin past it.
      ends.append(push(randomFeatures(100, seed: UInt64(10 + seed)) + tail, into: network).last!)
      network.reset()
    }
    #expect(Set(ends).count == 1)
  }

  @Test func resultsDoNotDependOnTheAlignmentOfFeatures() throws {
    let shape = try NetworkShape(channels: 48, dilations: [1, 2])
    let network = StreamingNetwork(.random(shape, seed: 1))
    let features = randomFeatures(20, seed: 2)
    let expected = network.logits(features)
    for shift in 1..<16 {
      let moved = [Float](repeating: .nan, count: shift) + features
      var found: [Float] = []
      moved.withUnsafeBufferPointer { all in
        for start in stride(from: shift, to: all.count, by: 40) {
          let frame = UnsafeBufferPointer(rebasing: all[start..<start + 40])
          if network.push(frame) { found += network.outputs }
        }
      }
      #expect(found == expected)
      network.reset()
    }
  }

  @Test func zeroWeightsGiveZeroLogits() throws {
    let shape = try NetworkShape(channels: 8, dilations: [1])
    let logits = StreamingNetwork(NetworkWeights(zero: shape)).logits(randomFeatures(10, seed: 1))
    #expect(logits == [0, 0, 0, 0, 0])
  }

  @Test(arguments: [16, 128]) func invalidFeaturesDoNotCorruptTheStream(_ channels: Int) throws {
    let shape = try NetworkShape(channels: channels, kernel: 3, dilations: [1, 2])
    let network = StreamingNetwork(.random(shape, seed: 8))
    _ = push([Float](repeating: .nan, count: 40) + [Float](repeating: -.infinity, count: 40), into: network)
    let after = push(randomFeatures(100, seed: 1), into: network)
    #expect(after.suffix(20).allSatisfy { $0.isFinite })
  }

  @Test(arguments: [64, 128]) func pushingNeitherAllocatesNorLocks(_ channels: Int) throws {
    let network = StreamingNetwork(
      .random(try NetworkShape(channels: channels, dilations: [1, 2, 4]), seed: 1))
    let features = randomFeatures(100, seed: 2)
    let logits = features.withUnsafeBufferPointer { runInRealTime(network, $0, times: 100) }
    #expect(logits == 50)
  }

  private func push(_ features: [Float], into network: StreamingNetwork) -> [Float] {
    let inputs = network.shape.inputs
    var outputs: [Float] = []
    features.withUnsafeBufferPointer { all in
      for start in stride(from: 0, to: all.count, by: inputs) {
        let frame = UnsafeBufferPointer(rebasing: all[start..<start + inputs])
        if network.push(frame) { outputs += network.outputs }
      }
    }
    return outputs
  }

  private func spread(_ values: [Float]) -> Float { values.max()! - values.min()! }
}

@Suite(.limited) struct NetworkShapeTests {
  @Test func theParameterCountEqualsThatOfTheTensors() throws {
    for shape in try variousShapes() {
      let weights = NetworkWeights(zero: shape)
      #expect(weights.tensors.reduce(0) { $0 + $1.values.count } == shape.parameters)
    }
    let small = try NetworkShape(channels: 64, dilations: [1, 2, 4, 8, 1, 2, 4, 8])
    #expect(small.parameters == 64 * 201 + 8 * (64 * 6 + 64 * 65) + 65)
  }

  @Test func survivesJSON() throws {
    for shape in try variousShapes() { #expect(try NetworkShape(json: shape.json) == shape) }
  }

  @Test func rejectsMaliciousSizes() {
    #expect(throws: DetectionFault.self) { try NetworkShape(channels: 0, dilations: []) }
    #expect(throws: DetectionFault.self) { try NetworkShape(channels: 513, dilations: []) }
    #expect(throws: DetectionFault.self) { try NetworkShape(channels: 8, dilations: [0]) }
    #expect(throws: DetectionFault.self) { try NetworkShape(channels: 8, dilations: [], outputs: 0) }
    #expect(throws: DetectionFault.self) { try NetworkShape(channels: 8, dilations: [.max]) }
    #expect(throws: DetectionFault.self) { try NetworkShape(channels: 8, kernel: .max, dilations: [1]) }
    #expect(throws: DetectionFault.self) { try NetworkShape(channels: 8, kernel: 33, dilations: [33]) }
    #expect(throws: DetectionFault.self) {
      try NetworkShape(channels: 512, dilations: [Int](repeating: 1, count: 16))
    }
    #expect(throws: DetectionFault.self) {
      try NetworkShape(json: ["inputs": 40, "stemKernel": 5, "stride": 2.5, "channels": 8, "kernel": 3])
    }
  }
}

/// The compiler refuses this function should anything it calls allocate or lock.
@_noAllocation @_noLocks
private func runInRealTime(
  _ network: StreamingNetwork, _ features: UnsafeBufferPointer<Float>, times: Int
) -> Int {
  var logits = 0
  var frame = 0
  while frame < times {
    let row = features.baseAddress.unsafelyUnwrapped + frame * 40
    if network.push(UnsafeBufferPointer(start: row, count: 40)) { logits += 1 }
    frame += 1
  }
  network.reset()
  return logits
}
