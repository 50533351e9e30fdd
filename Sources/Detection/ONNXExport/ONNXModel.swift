import Detection
import Platform

/// A hotword model as a file of the Open Neural Network Exchange: its encoder, its networks, the verifier and the
/// smoothing, from the vectors of a ``FeatureExtractor`` to scores.
///
/// One input, `features` [1][frames][coefficients]: a whole clip from its beginning, because the network's state is empty
/// before it. For a model with a second stage another, `bands` [1][frames + 2][32]: the rows of ``EmbeddingBands``. Two outputs with a value for each step: `logit` [1][steps], and `score` [1][steps], 0...1, which equals the
/// score of ``KeywordSpotter`` after the warm-up. The file's metadata contains the settings of the decision. Only operators
/// of opset 13 are used. https://onnx.ai/onnx/operators/
public struct ONNXModel: Sendable {
  /// The version of the inputs and the metadata, without a second stage and with it.
  public static let format = "hotword-onnx-1"
  public static let formatWithSecondStage = "hotword-onnx-2"
  /// The version of the operators.
  public static let opset = 13
  private static let intermediateVersion = 7

  private let model: HotwordModel

  public init(_ model: HotwordModel) { self.model = model }

  /// Texts by name: `format`, `name`, `phrase`, `threshold` (the threshold at sensitivity 0.5), `stepSeconds`,
  /// and, as JSON, `frontEnd`, `features`, `decision`, `curve` and `training`, as in model files.
  public var metadata: [(name: String, text: String)] {
    [
      ("format", model.secondStage == nil ? Self.format : Self.formatWithSecondStage), ("name", model.name),
      ("phrase", model.phrase),
      ("threshold", "\(model.decision.threshold)"), ("stepSeconds", "\(model.stepSeconds)"),
      ("frontEnd", "\(model.frontEnd.json)"), ("features", "\(model.features.json)"),
      ("decision", "\(model.decision.json)"), ("curve", "\(model.curve.json)"),
      ("training", "\(model.training)"),
    ]
  }

  /// The bytes of the file: the same for the same model.
  ///
  /// - Parameter version: the version of this program, stored as the producer's.
  public func encoded(version: String) -> [UInt8] {
    var operators = ProtobufMessage()
    operators.add(1, "")
    operators.add(2, Self.opset)
    var message = ProtobufMessage()
    message.add(1, Self.intermediateVersion)
    message.add(2, "hotword")
    message.add(3, version)
    message.add(6, "Detects \"\(model.phrase)\": feature vectors of 10 ms in, a score for each step out.")
    message.add(7, graph.message)
    message.add(8, operators)
    for entry in metadata {
      var pair = ProtobufMessage()
      pair.add(1, entry.name)
      pair.add(2, entry.text)
      message.add(14, pair)
    }
    return message.bytes
  }

  private var graph: ONNXGraph {
    var graph = ONNXGraph(name: "hotword")
    graph.input(
      "features", [.exactly(1), .any("frames"), .exactly(model.features.coefficients)],
      note: "cepstra of 16 kHz speech behind the front end, one vector every 10 ms")
    let columns = graph.node("columns", "Transpose", ["features"], [("perm", .integers([0, 2, 1]))])
    let outputs = model.encoder.map { graph.network($0, over: columns, named: "encoder") } ?? columns
    let vectors = model.sounds.map { graph.scores($0, over: outputs, named: "sounds") } ?? outputs
    let logits = model.networks.enumerated().map { graph.network($1, over: vectors, named: "\($0)") }
    var logit = graph.node("mean", "Mean", logits)
    if let path = model.path {
      let added = graph.path(path, over: vectors, areScores: model.sounds != nil)
      logit = graph.node("judged", "Add", [logit, everyStep(added, in: &graph)])
    }
    let decision = model.decision
    var smooth = graph.node(
      "smoothed", "AveragePool", [logit],
      [
        ("kernel_shape", .integers([decision.smoothing])), ("pads", .integers([decision.smoothing - 1, 0])),
        ("count_include_pad", .integer(0)),
      ])
    if let second = model.secondStage {
      graph.input(
        "bands", [.exactly(1), .any("rows"), .exactly(SpeechEmbedding.bands)],
        note: "bands of the same speech, one row for each 10 ms, two more than the vectors")
      smooth = graph.secondStage(
        second, over: "bands", judging: smooth,
        hop: model.shape.stride * (model.encoder?.shape.stride ?? 1))
    }
    let scaled = graph.node("scaled", "Mul", [smooth, graph.constant("scale", [], [Float(decision.scale)])])
    let shifted = graph.node(
      "shifted", "Add", [scaled, graph.constant("offset", [], [Float(decision.offset)])])
    let score = graph.node("sigmoid", "Sigmoid", [shifted])
    for (name, value, note) in [
      ("logit", logit, "before smoothing"), ("score", score, "0...1; the threshold is in the metadata"),
    ] {
      let flat = graph.node(name, "Flatten", [value])
      graph.output(flat, [.exactly(1), .any("steps")], note: note)
    }
    return graph
  }

  /// Selects, from values for each step of the encoder, those at the steps of the networks.
  private func everyStep(_ values: String, in graph: inout ONNXGraph) -> String {
    let stride = model.shape.stride
    guard stride > 1 else { return values }
    return graph.node(
      "path.every", "Slice",
      [
        values, graph.constant("path.first", [stride - 1]), graph.constant("path.end", [Int.max]),
        graph.constant("path.axis", [2]), graph.constant("path.stride", [stride]),
      ])
  }
}

extension ONNXModel {
  /// Writes the file atomically.
  public func write(to path: String, version: String) throws(SystemFault) {
    try Files.write(encoded(version: version), to: path)
  }
}
