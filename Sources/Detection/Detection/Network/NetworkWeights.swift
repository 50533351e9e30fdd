import Glibc
import Platform

/// The weights of one residual block; the batch norms of the training are folded in.
///
/// With channels C and kernel K, for its input x: `x' = relu(x + pointwise · relu(depthwise ∗ x + depthwiseBias) + pointwiseBias)`.
public struct BlockWeights: Sendable, Equatable {
  /// [kernel][channels], flat; tap 0 is the oldest step, tap K − 1 the current one.
  public var depthwise: [Float]
  /// [channels].
  public var depthwiseBias: [Float]
  /// [output channel][input channel], flat.
  public var pointwise: [Float]
  /// [channels].
  public var pointwiseBias: [Float]

  public init(depthwise: [Float], depthwiseBias: [Float], pointwise: [Float], pointwiseBias: [Float]) {
    self.depthwise = depthwise
    self.depthwiseBias = depthwiseBias
    self.pointwise = pointwise
    self.pointwiseBias = pointwiseBias
  }
}

/// A keyword network's weights, flat arrays in the layouts of the model file.
///
/// The input of step t are the feature frames up to `stride × t + stride − 1`:
/// `x = relu(stem ∗ features + stemBias)`, then every block, then `logits = head · x + headBias`.
public struct NetworkWeights: Sendable, Equatable {
  public let shape: NetworkShape
  /// [channels][stemKernel][inputs], flat; tap 0 is the oldest frame, the last tap the newest.
  public var stemWeight: [Float]
  /// [channels].
  public var stemBias: [Float]
  public var blocks: [BlockWeights]
  /// [outputs][channels], flat.
  public var headWeight: [Float]
  /// [outputs].
  public var headBias: [Float]

  /// All weights zero: every logit is 0.
  public init(zero shape: NetworkShape) {
    let channels = shape.channels
    let zeros = [Float](repeating: 0, count: channels)
    self.shape = shape
    stemWeight = [Float](repeating: 0, count: channels * shape.stemKernel * shape.inputs)
    stemBias = zeros
    let block = BlockWeights(
      depthwise: [Float](repeating: 0, count: shape.kernel * channels), depthwiseBias: zeros,
      pointwise: [Float](repeating: 0, count: channels * channels), pointwiseBias: zeros)
    blocks = [BlockWeights](repeating: block, count: shape.blocks)
    headWeight = [Float](repeating: 0, count: shape.outputs * channels)
    headBias = [Float](repeating: 0, count: shape.outputs)
  }

  /// One named array of the network, as in model files.
  public struct Tensor: Sendable, Equatable {
    /// For example `blocks.3.pointwise`.
    public let name: String
    public let shape: [Int]
    /// Row-major.
    public let values: [Float]

    public init(name: String, shape: [Int], values: [Float]) {
      self.name = name
      self.shape = shape
      self.values = values
    }

    var count: Int { shape.reduce(1, *) }
  }

  /// All weights by name, in the order of computation.
  public var tensors: [Tensor] {
    let channels = shape.channels
    var list = [
      Tensor(name: "stem.weight", shape: [channels, shape.stemKernel, shape.inputs], values: stemWeight),
      Tensor(name: "stem.bias", shape: [channels], values: stemBias),
    ]
    for (index, block) in blocks.enumerated() {
      list += [
        Tensor(name: "blocks.\(index).depthwise", shape: [shape.kernel, channels], values: block.depthwise),
        Tensor(name: "blocks.\(index).depthwiseBias", shape: [channels], values: block.depthwiseBias),
        Tensor(name: "blocks.\(index).pointwise", shape: [channels, channels], values: block.pointwise),
        Tensor(name: "blocks.\(index).pointwiseBias", shape: [channels], values: block.pointwiseBias),
      ]
    }
    list.append(Tensor(name: "head.weight", shape: shape.headSizes, values: headWeight))
    list.append(Tensor(name: "head.bias", shape: [shape.outputs], values: headBias))
    return list
  }

  /// The same with every value rounded to half precision, so that its file is half as large.
  public var inHalfPrecision: NetworkWeights {
    var values: [String: [Float]] = [:]
    for tensor in tensors { values[tensor.name] = tensor.values.map { Float(Float16($0)) } }
    let rounded = values
    return NetworkWeights(shape: shape) { (name, _) throws(Never) in rounded[name]! }
  }

  /// Sets the values of each tensor of ``tensors`` from `values`, by name and shape.
  ///
  /// - Precondition: `values` returns as many numbers as the shape requires.
  public init<Failure>(
    shape: NetworkShape, values: (_ name: String, _ shape: [Int]) throws(Failure) -> [Float]
  ) throws(Failure) {
    let channels = shape.channels
    self.shape = shape
    stemWeight = try values("stem.weight", [channels, shape.stemKernel, shape.inputs])
    stemBias = try values("stem.bias", [channels])
    blocks = []
    for index in 0..<shape.blocks {
      blocks.append(
        BlockWeights(
          depthwise: try values("blocks.\(index).depthwise", [shape.kernel, channels]),
          depthwiseBias: try values("blocks.\(index).depthwiseBias", [channels]),
          pointwise: try values("blocks.\(index).pointwise", [channels, channels]),
          pointwiseBias: try values("blocks.\(index).pointwiseBias", [channels])))
    }
    headWeight = try values("head.weight", shape.headSizes)
    headBias = try values("head.bias", [shape.outputs])
    for tensor in tensors {
      precondition(tensor.values.count == tensor.count, "\(tensor.name) has a wrong number of values")
    }
  }
}
