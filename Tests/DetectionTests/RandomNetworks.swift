import Detection
import Platform

extension NetworkWeights {
  /// Weights of a sensible size, the same for the same seed; features of about unit size give logits of some units.
  static func random(_ shape: NetworkShape, seed: UInt64) -> NetworkWeights {
    var random = RandomSource(seed: seed)
    return NetworkWeights(shape: shape) { name, sizes in
      let count = sizes.reduce(1, *)
      let inputs = name.hasSuffix("depthwise") ? sizes[0] : max(1, count / shape.channels)
      let scale = sizes.count == 1 ? 0.2 : 2.5 / Float(inputs).squareRoot()
      return (0..<count).map { _ in random.uniform(-scale...scale) }
    }
  }
}

/// Feature frames that look like noise, [frames][inputs].
func randomFeatures(_ frames: Int, inputs: Int = 40, seed: UInt64) -> [Float] {
  var random = RandomSource(seed: seed)
  return (0..<frames * inputs).map { _ in random.uniform(-1...1) }
}

/// Shapes that differ in every size, with channels at and off the kernels' multiples.
func variousShapes() throws -> [NetworkShape] {
  [
    try NetworkShape(channels: 64, dilations: [1, 2, 4, 8, 1, 2, 4, 8]),
    try NetworkShape(channels: 80, dilations: [1, 2, 4, 8]),
    try NetworkShape(channels: 1, dilations: []),
    try NetworkShape(inputs: 13, stemKernel: 1, stride: 1, channels: 17, kernel: 1, dilations: [1, 1]),
    try NetworkShape(inputs: 40, stemKernel: 2, stride: 3, channels: 33, kernel: 3, dilations: [16, 1]),
    try NetworkShape(inputs: 1, stemKernel: 9, stride: 2, channels: 112, kernel: 2, dilations: [3]),
    try NetworkShape(inputs: 40, stemKernel: 5, stride: 2, channels: 96, kernel: 9, dilations: [1, 7]),
    try NetworkShape(channels: 33, dilations: [1, 2], outputs: 43),
  ]
}
