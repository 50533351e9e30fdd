import Detection

extension ONNXGraph {
  /// Adds a second stage over `bands` [1][rows][32], with a row for each frame from the first on, and the smoothed logits `logits`
  /// [1][1][steps].
  ///
  /// - Parameter hop: the frames of a step.
  /// - Returns: the logits of both stages, [1][1][steps].
  mutating func secondStage(
    _ stage: SecondStage, over bands: String, judging logits: String, hop: Int
  ) -> String {
    let proposed = node(
      "second.proposed", "MaxPool", [logits],
      [
        ("kernel_shape", .integers([SecondStage.hold])), ("strides", .integers([1])),
        ("pads", .integers([SecondStage.hold - 1, 0])),
      ])
    let embeddings = embedding(stage.embedding, over: bands)
    let opinions = network(stage.network.atEveryVector, over: embeddings, named: "second")
    let atSteps = node(
      "second.steps", "Gather", [opinions, lastEmbeddings(atStepsOf: proposed, hop: hop)],
      [("axis", .integer(2))])
    let limited = node(
      "second.limited", "Clip",
      [
        atSteps, constant("second.least", [], [-SecondStage.largest]),
        constant("second.most", [], [SecondStage.largest]),
      ])
    let weighted = node("second.weighted", "Mul", [limited, constant("second.weight", [], [stage.weight])])
    let isProposed = node(
      "second.isProposed", "GreaterOrEqual", [proposed, constant("second.limit", [], [stage.limit])])
    let added = node(
      "second.added", "Where",
      [isProposed, weighted, constant("second.lowest", [], [-stage.weight * SecondStage.largest])])
    return node("second.judged", "Add", [proposed, added])
  }

  /// The place, among the embeddings, of the last one at the end of each step.
  private mutating func lastEmbeddings(atStepsOf logits: String, hop: Int) -> String {
    let sizes = node("second.sizes", "Shape", [logits])
    let count = node("second.count", "Gather", [sizes, whole("second.axis", 2)])
    let steps = node("second.range", "Range", [whole("second.zero", 0), count, whole("second.one", 1)])
    let vectors = node("second.vectors", "Mul", [steps, whole("second.hop", hop)])
    let frames = node(
      "second.frames", "Add", [vectors, whole("second.first", hop + SpeechEmbedding.firstFrames)])
    let hops = node("second.hops", "Div", [frames, whole("second.frameHop", SpeechEmbedding.hop)])
    return node("second.places", "Add", [hops, whole("second.before", SecondStage.window - 1)])
  }

  /// Adds an embedding, [1][outputs][embeddings]; the first one ends with the silence before the rows, and a second stage reads it and the next
  /// ones at the start.
  private mutating func embedding(_ embedding: SpeechEmbedding, over bands: String) -> String {
    let silent = SpeechEmbedding.reach + (SecondStage.window - 1) * SpeechEmbedding.hop
    let image = node("embedding.rows", "Unsqueeze", [bands, constant("embedding.axis", [1])])
    var x = node(
      "embedding.input", "Pad",
      [
        image, constant("embedding.silent", [0, 0, silent, 0, 0, 0, 0, 0]),
        constant("embedding.silence", [], [EmbeddingBands.silence]),
      ])
    let shapes = SpeechEmbedding.shapes
    for (index, shape) in shapes.enumerated() {
      let name = "embedding.\(index)"
      x = convolution(name, embedding.layer(index), shape, over: x)
      if index == 0 {
        x = node("\(name).relu", "Relu", [x])
        let channels = [shape.outputs, 1, 1]
        let factors = embedding.factors
        x = node(
          "\(name).scaled", "Mul", [x, constant("\(name).scale", channels, factors.scale)])
        x = node("\(name).shifted", "Add", [x, constant("\(name).shift", channels, factors.shift)])
      }
      if index < shapes.count - 1 {
        let part = node("\(name).part", "Mul", [x, constant("\(name).slope", [], [0.2])])
        x = node("\(name).leaky", "Max", [x, part, constant("\(name).least", [], [-0.4])])
      }
      if shape.poolsFrequency {
        let size = [shape.poolsTime ? 2 : 1, 2]
        x = node(
          "\(name).pooled", "MaxPool", [x],
          [("kernel_shape", .integers(size)), ("strides", .integers(size))])
      }
    }
    return node("embedding", "Squeeze", [x, constant("embedding.last", [3])])
  }

  /// Adds a layer over `input` [1][inputs][rows][positions].
  private mutating func convolution(
    _ name: String, _ layer: (weight: [Float], bias: [Float]), _ shape: SpeechEmbedding.Shape,
    over input: String
  ) -> String {
    let isFirst = shape.isAlongTime && shape.isAlongFrequency
    let kernel = [shape.isAlongTime ? 3 : 1, shape.isAlongFrequency ? 3 : 1]
    let inputs = shape.inputs
    var weight = layer.weight
    if !isFirst {
      for output in 0..<shape.outputs {
        for tap in 0..<3 {
          for input in 0..<inputs {
            weight[(output * inputs + input) * 3 + tap] = layer.weight[(output * 3 + tap) * inputs + input]
          }
        }
      }
    }
    let margin = shape.isAlongFrequency ? 1 : 0
    return node(
      name, "Conv",
      [
        input, constant("\(name).weight", [shape.outputs, inputs] + kernel, weight),
        constant("\(name).bias", [shape.outputs], layer.bias),
      ], [("kernel_shape", .integers(kernel)), ("pads", .integers([0, margin, 0, margin]))])
  }
}

extension NetworkWeights {
  /// The same for a step at every vector.
  fileprivate var atEveryVector: NetworkWeights {
    let shape = try! NetworkShape(
      inputs: shape.inputs, stemKernel: shape.stemKernel, stride: 1, channels: shape.channels,
      kernel: shape.kernel, dilations: shape.dilations, outputs: shape.outputs)
    let values = tensors
    return NetworkWeights(shape: shape) { name, _ in values.first { $0.name == name }!.values }
  }
}
