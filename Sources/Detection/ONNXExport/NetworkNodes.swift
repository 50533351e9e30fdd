import Detection

extension ONNXGraph {
  /// Adds `network` over `input` [1][inputs][frames].
  ///
  /// - Parameter name: the prefix of the names of its nodes.
  /// - Returns: its outputs, [1][outputs][frames / stride].
  mutating func network(_ network: NetworkWeights, over input: String, named name: String) -> String {
    let shape = network.shape
    let channels = shape.channels
    // A stem that looks back on less than its stride begins with taps of zeros: ONNX cannot pad by less than none.
    let taps = max(shape.stemKernel, shape.stride)
    var x = convolution(
      "\(name).stem", over: input, [channels, shape.inputs, taps],
      Self.transposed(
        network.stemWeight, rows: channels, taps: shape.stemKernel, inputs: shape.inputs, padded: taps),
      network.stemBias, pad: taps - shape.stride, stride: shape.stride)
    x = node("\(name).stem.relu", "Relu", [x])
    for (index, block) in network.blocks.enumerated() {
      let part = "\(name).blocks.\(index)"
      let dilation = shape.dilations[index]
      var y = convolution(
        "\(part).depthwise", over: x, [channels, 1, shape.kernel],
        Self.transposed(block.depthwise, rows: 1, taps: shape.kernel, inputs: channels, padded: shape.kernel),
        block.depthwiseBias, pad: (shape.kernel - 1) * dilation, dilation: dilation, groups: channels)
      y = node("\(part).depthwise.relu", "Relu", [y])
      y = convolution(
        "\(part).pointwise", over: y, [channels, channels, 1], block.pointwise, block.pointwiseBias)
      y = node("\(part).sum", "Add", [x, y])
      x = node("\(part).relu", "Relu", [y])
    }
    return convolution(
      "\(name).head", over: x, [shape.outputs, channels, 1], network.headWeight, network.headBias)
  }

  /// Adds a causal convolution: `pad` steps of zeros before the first, none after the last.
  private mutating func convolution(
    _ name: String, over input: String, _ sizes: [Int], _ weight: [Float], _ bias: [Float], pad: Int = 0,
    stride: Int = 1, dilation: Int = 1, groups: Int = 1
  ) -> String {
    let weight = constant("\(name).weight", sizes, weight)
    let bias = constant("\(name).bias", [sizes[0]], bias)
    return node(
      name, "Conv", [input, weight, bias],
      [
        ("kernel_shape", .integers([sizes[2]])), ("pads", .integers([pad, 0])),
        ("strides", .integers([stride])), ("dilations", .integers([dilation])), ("group", .integer(groups)),
      ])
  }

  /// [rows][taps][inputs] as [rows][inputs][padded], with zeros before the first tap.
  private static func transposed(
    _ values: [Float], rows: Int, taps: Int, inputs: Int, padded: Int
  ) -> [Float] {
    var result = [Float](repeating: 0, count: rows * inputs * padded)
    for row in 0..<rows {
      for tap in 0..<taps {
        for input in 0..<inputs {
          result[(row * inputs + input) * padded + padded - taps + tap] =
            values[(row * taps + tap) * inputs + input]
        }
      }
    }
    return result
  }
}
