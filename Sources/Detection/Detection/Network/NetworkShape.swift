import PCM
import Platform

/// The sizes of a network: a strided convolution, residual depthwise-separable blocks, and outputs linear in the last.
///
/// A keyword network has one output, the phrase's logit; an encoder has one for each phoneme.
///
/// All convolutions are causal: before the stream begins every layer sees zeros.
/// After MDTC (Xu et al. 2021, "wekws") and DS-CNN (Zhang et al. 2017, arXiv:1711.07128).
public struct NetworkShape: Sendable, Hashable {
  /// Features per frame of 10 ms, 1...256.
  public let inputs: Int
  /// Taps of the stem's convolution over feature frames, 1...64.
  public let stemKernel: Int
  /// Feature frames per step of the network, 1...8; the steps take 10 ms × stride.
  public let stride: Int
  /// Channels of the stem and of every block, 1...512.
  public let channels: Int
  /// Taps of every block's depthwise convolution over steps, 1...64.
  public let kernel: Int
  /// The dilation in steps of each block in turn, 0 to 64 blocks; (kernel − 1) × dilation is at most 1,024 steps.
  public let dilations: [Int]
  /// Outputs of each step, 1...256.
  public let outputs: Int

  /// The largest number of parameters: a malicious file cannot allocate more memory.
  public static let parameterLimit = 4_000_000
  static let historyLimit = 1_024

  /// - Throws: ``DetectionFault/badSetting(name:allowed:)`` for sizes outside the ranges above.
  public init(
    inputs: Int = 40, stemKernel: Int = 5, stride: Int = 2, channels: Int, kernel: Int = 5, dilations: [Int],
    outputs: Int = 1
  ) throws(DetectionFault) {
    try Self.check("inputs", inputs, 1...256)
    try Self.check("stemKernel", stemKernel, 1...64)
    try Self.check("stride", stride, 1...8)
    try Self.check("channels", channels, 1...512)
    try Self.check("kernel", kernel, 1...64)
    try Self.check("outputs", outputs, 1...256)
    guard dilations.count <= 64 else {
      throw .badSetting(name: "dilations", allowed: "a list of up to 64 numbers")
    }
    for dilation in dilations {
      try Self.check("dilations", dilation, 1...max(1, Self.historyLimit / max(1, kernel - 1)))
    }
    self.inputs = inputs
    self.stemKernel = stemKernel
    self.stride = stride
    self.channels = channels
    self.kernel = kernel
    self.dilations = dilations
    self.outputs = outputs
    guard parameters <= Self.parameterLimit else {
      throw .badSetting(name: "channels", allowed: "such that the network has up to 4 million parameters")
    }
  }

  private static func check(_ name: String, _ value: Int, _ range: ClosedRange<Int>) throws(DetectionFault) {
    guard range.contains(value) else {
      throw .badSetting(name: name, allowed: "a whole number in \(range.lowerBound)...\(range.upperBound)")
    }
  }

  /// The number of residual blocks.
  public var blocks: Int { dilations.count }

  /// The sizes of the head's tensor: a vector for one output.
  var headSizes: [Int] { outputs == 1 ? [channels] : [outputs, channels] }

  /// The number of weights and biases.
  public var parameters: Int {
    channels * (stemKernel * inputs + 1) + blocks * channels * (kernel + 1 + channels + 1)
      + outputs * (channels + 1)
  }

  /// Multiplications and additions of one step.
  public var multiplyAdds: Int {
    channels * stemKernel * inputs + blocks * channels * (kernel + channels) + outputs * channels
  }

  /// The number of feature frames that an output depends on, the current one included.
  public var receptiveField: Int {
    stemKernel + stride * (kernel - 1) * dilations.reduce(0, +)
  }

  /// Seconds of audio per step.
  public var stepSeconds: Double { AudioFormat.seconds(stride * AudioFormat.frameLength) }
}

extension NetworkShape {
  /// The shape as an object with the names of its properties.
  public var json: JSON {
    [
      "inputs": .number(Double(inputs)), "stemKernel": .number(Double(stemKernel)),
      "stride": .number(Double(stride)), "channels": .number(Double(channels)),
      "kernel": .number(Double(kernel)), "dilations": .array(dilations.map { .number(Double($0)) }),
      "outputs": .number(Double(outputs)),
    ]
  }

  /// Decodes ``json``.
  ///
  /// - Throws: ``DetectionFault/badSetting(name:allowed:)`` for missing members and sizes out of range.
  public init(json: JSON) throws(DetectionFault) {
    let settings = SettingsReader(json)
    try self.init(
      inputs: settings.integer("inputs"), stemKernel: settings.integer("stemKernel"),
      stride: settings.integer("stride"), channels: settings.integer("channels"),
      kernel: settings.integer("kernel"), dilations: settings.integers("dilations"),
      outputs: json["outputs"] == nil ? 1 : settings.integer("outputs"))
  }
}
