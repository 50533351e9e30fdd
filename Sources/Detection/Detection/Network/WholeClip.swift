/// The reference implementation of the network, in plain loops over a whole clip; ``StreamingNetwork`` must equal it.
///
/// Sums are in double precision, activations in single. For speed use ``StreamingNetwork/logits(_:)``.
public enum WholeClip {
  /// The outputs of every step, [frames / stride][outputs], flat.
  ///
  /// - Parameter features: [frames][inputs], flat; frames past the last whole step are not used.
  public static func logits(_ weights: NetworkWeights, features: [Float], frames: Int) -> [Float] {
    let shape = weights.shape
    precondition(features.count >= frames * shape.inputs)
    let steps = frames / shape.stride
    let channels = shape.channels
    var x = stem(weights, features, steps: steps)
    for (block, dilation) in zip(weights.blocks, shape.dilations) {
      let y = depthwise(block, x, steps: steps, shape: shape, dilation: dilation)
      for step in 0..<steps {
        let row = step * channels
        let sums = (0..<channels).map { output in
          (0..<channels).reduce(Double(block.pointwiseBias[output])) {
            $0 + Double(block.pointwise[output * channels + $1]) * Double(y[row + $1])
          }
        }
        for output in 0..<channels { x[row + output] = Float(max(0, Double(x[row + output]) + sums[output])) }
      }
    }
    var outputs: [Float] = []
    for step in 0..<steps {
      for output in 0..<shape.outputs {
        var sum = Double(weights.headBias[output])
        for channel in 0..<channels {
          sum +=
            Double(weights.headWeight[output * channels + channel]) * Double(x[step * channels + channel])
        }
        outputs.append(Float(sum))
      }
    }
    return outputs
  }

  /// [steps][channels].
  private static func stem(_ weights: NetworkWeights, _ features: [Float], steps: Int) -> [Float] {
    let shape = weights.shape
    let inputs = shape.inputs
    var x = [Float](repeating: 0, count: steps * shape.channels)
    for step in 0..<steps {
      let oldest = (step + 1) * shape.stride - shape.stemKernel
      for channel in 0..<shape.channels {
        var sum = Double(weights.stemBias[channel])
        for tap in max(0, -oldest)..<max(0, -oldest, shape.stemKernel) {
          let frame = (oldest + tap) * inputs
          let row = (channel * shape.stemKernel + tap) * inputs
          for input in 0..<inputs {
            sum += Double(weights.stemWeight[row + input]) * Double(features[frame + input])
          }
        }
        x[step * shape.channels + channel] = Float(max(0, sum))
      }
    }
    return x
  }

  /// [steps][channels].
  private static func depthwise(
    _ block: BlockWeights, _ x: [Float], steps: Int, shape: NetworkShape, dilation: Int
  ) -> [Float] {
    let channels = shape.channels
    var y = x
    for step in 0..<steps {
      for channel in 0..<channels {
        var sum = Double(block.depthwiseBias[channel])
        for tap in 0..<shape.kernel {
          let from = step - (shape.kernel - 1 - tap) * dilation
          guard from >= 0 else { continue }
          sum += Double(block.depthwise[tap * channels + channel]) * Double(x[from * channels + channel])
        }
        y[step * channels + channel] = Float(max(0, sum))
      }
    }
    return y
  }
}
