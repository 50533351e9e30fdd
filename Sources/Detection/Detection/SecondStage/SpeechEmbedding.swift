/// The weights of a network that describes 0.76 s of speech by 64 numbers, every 80 ms.
///
/// It is the speech embedding of J. Lin et al., "Training Keyword Spotters with Limited and Synthesized Speech Data", 2020,
/// which Google trained on the speech of very many people. Twenty convolutions, each of three taps along time or frequency
/// (the first along both), with `f(x) = max(x, 0.2 x, −0.4)` after all but the last, and five poolings. After the first, it is
/// `f(scale · max(x, 0) + shift)`. Of the 96 numbers of the last layer, the principal components of speech are left
/// (`Models/convert-embedding`).
public struct SpeechEmbedding: Sendable, Equatable {
  /// Bands of a row of its input.
  public static var bands: Int { @_noAllocation @_noLocks get { 32 } }
  /// Numbers of an embedding.
  public static var outputs: Int { @_noAllocation @_noLocks get { 64 } }
  /// Rows between two embeddings.
  public static var hop: Int { @_noAllocation @_noLocks get { 8 } }
  /// Rows on which an embedding depends.
  public static var reach: Int { @_noAllocation @_noLocks get { 76 } }
  /// Frames at the start of a stream without a row, because the window of the bands is not full.
  package static var firstFrames: Int { @_noAllocation @_noLocks get { 2 } }

  /// A layer's sizes.
  package struct Shape: Sendable {
    /// Whether the taps lie along time, along frequency, or both.
    package var isAlongTime = false
    package var isAlongFrequency = false
    /// The positions along frequency.
    package let positions: Int
    package let inputs: Int
    package let outputs: Int
    /// Whether the maximum of two neighbours along frequency follows, and of two along time besides.
    package var poolsFrequency = false
    package var poolsTime = false

    /// The numbers of a row of results, before pooling.
    package var width: Int { @_noAllocation @_noLocks get { positions * outputs } }
    /// The inputs of a tap.
    package var tapInputs: Int {
      @_noAllocation @_noLocks get { isAlongTime && isAlongFrequency ? 3 * inputs : inputs }
    }
    var weights: Int { 3 * tapInputs * outputs }
  }

  /// All layers, from the input on.
  package static let shapes: [Shape] = {
    var shapes = [
      Shape(isAlongTime: true, isAlongFrequency: true, positions: 32, inputs: 1, outputs: 24),
      Shape(isAlongFrequency: true, positions: 32, inputs: 24, outputs: 24),
      Shape(
        isAlongTime: true, positions: 32, inputs: 24, outputs: 24, poolsFrequency: true, poolsTime: true),
    ]
    for (positions, channels, poolsTime) in [(16, 48, false), (8, 72, true), (4, 96, false), (2, 96, true)] {
      for half in 0..<2 {
        let inputs = shapes[shapes.count - 1].outputs
        shapes += [
          Shape(isAlongFrequency: true, positions: positions, inputs: inputs, outputs: channels),
          Shape(
            isAlongTime: true, positions: positions, inputs: channels, outputs: channels,
            poolsFrequency: half == 1, poolsTime: half == 1 && poolsTime),
        ]
      }
    }
    return shapes + [Shape(isAlongTime: true, positions: 1, inputs: 96, outputs: Self.outputs)]
  }()

  /// For each layer, its weights [output][tap][input], those of the first layer [output][time][frequency], and its biases; then the first
  /// layer's factors and terms.
  package let tensors: [NetworkWeights.Tensor]

  /// The number of its weights and biases.
  public static let parameters = parts.reduce(0) { $0 + $1.sizes.reduce(1, *) }

  /// The version of the layout of a file of its own.
  public static let format = "hotword-embedding-1"

  /// The names and sizes of the tensors.
  private static let parts: [(name: String, sizes: [Int])] =
    shapes.enumerated().flatMap { index, shape in
      [
        ("\(index).weight", [shape.outputs, shape.weights / shape.outputs]),
        ("\(index).bias", [shape.outputs]),
      ]
    } + [("0.scale", [shapes[0].outputs]), ("0.shift", [shapes[0].outputs])]

  /// Reads the tensors of a file whose names begin with `prefix`, and removes them from `unread`.
  ///
  /// - Throws: the defect of the file.
  init(_ file: Safetensors, prefix: String, _ unread: inout Set<String>) throws(ModelDefect) {
    var tensors: [NetworkWeights.Tensor] = []
    for (name, sizes) in Self.parts {
      guard let tensor = file.tensor(prefix + name) else { throw .missingTensor(prefix + name) }
      guard tensor.shape == sizes else {
        throw .wrongShape(tensor: tensor.name, expected: sizes, found: tensor.shape)
      }
      unread.remove(tensor.name)
      tensors.append(NetworkWeights.Tensor(name: name, shape: sizes, values: tensor.values))
    }
    self.tensors = tensors
  }

  /// Weights in the order of ``tensors``.
  ///
  /// - Precondition: `values` returns as many numbers as the sizes require.
  package init(values: (_ name: String, _ sizes: [Int]) -> [Float]) {
    tensors = Self.parts.map { name, sizes in
      let tensor = NetworkWeights.Tensor(name: name, shape: sizes, values: values(name, sizes))
      precondition(tensor.values.count == tensor.count, "\(name) has a wrong number of values")
      return tensor
    }
  }

  /// Reads a file of its own.
  ///
  /// - Throws: ``DetectionFault/system(_:)``, ``DetectionFault/badModel(path:defect:)``.
  public init(reading path: String) throws(DetectionFault) {
    let file = try Safetensors(reading: path)
    do throws(ModelDefect) {
      try ModelMetadata(file).requireFormat(Self.format)
      var unread = Set(file.tensors.map(\.name))
      try self.init(file, prefix: "", &unread)
      if let unexpected = unread.min() { throw .unexpectedTensor(unexpected) }
    } catch {
      throw .badModel(path: path, defect: error)
    }
  }

  /// The weights and biases of a layer.
  package func layer(_ index: Int) -> (weight: [Float], bias: [Float]) {
    (tensors[2 * index].values, tensors[2 * index + 1].values)
  }

  /// The factors and terms after the first layer.
  package var factors: (scale: [Float], shift: [Float]) {
    let first = 2 * Self.shapes.count
    return (tensors[first].values, tensors[first + 1].values)
  }

}
