import AudioCapture
import Detection
import FrontEnd
import Glibc
import ONNXExport
import PCM
import Platform
import TestServers
import Testing

/// What onnxruntime makes of an exported model is what we make of the model, on whole clips.
@Suite(
  .limited(minutes: 15),
  .enabled(if: PythonServer.python(with: ["onnxruntime"]) != nil, "needs python3 with onnxruntime"))
struct ONNXModelTests {
  private static let root = String(#filePath.dropLast("/Tests/ONNXExportTests/ONNXModelTests.swift".count))
  private static let tolerance = 1e-4
  /// The program rounds the inputs of an encoder's layers to 7 bits, the exported file does not.
  private static let toleranceOfRounding = 0.03

  @Test(.needsOptimization, arguments: ["computer", "alexa", "jarvis", "smart_mirror"])
  func aShippedModelScoresAsTheSpotterDoes(_ name: String) throws {
    let model = try HotwordModel(reading: "\(Self.root)/Models/\(name).safetensors")
    let clip = try AudioFile.read("\(Self.root)/Examples/turn-on-the-kitchen-light.wav")
    let cleaned = try cleaned(clip, for: model)
    let found = try Exported(model).run(
      try features(of: clip, for: model), bands: model.secondStage.map { _ in bands(of: cleaned) })
    expectEqual(found.logits, try logits(model, try features(of: clip, for: model)))
    let scores = try spotted(clip, by: model)
    try #require(found.scores.count == scores.count)
    // The spotter's score is 0 until its warm-up is over.
    let warm = try #require(scores.firstIndex { $0 > 0 })
    expectEqual(Array(found.scores[warm...]), Array(scores[warm...]), within: Self.toleranceOfRounding)
    if name == "computer" { #expect((scores.max() ?? 0) > 0.8, "the clip must hold the word") }
  }

  @Test func everySizeOfNetworkIsExported() throws {
    let shapes = try [
      NetworkShape(channels: 33, dilations: [1, 2, 4, 8]), NetworkShape(channels: 1, dilations: []),
      NetworkShape(stemKernel: 1, stride: 1, channels: 17, kernel: 1, dilations: [1, 1]),
      NetworkShape(stemKernel: 2, stride: 3, channels: 16, kernel: 3, dilations: [16, 1]),
      NetworkShape(stemKernel: 9, stride: 2, channels: 5, kernel: 2, dilations: [3]),
    ]
    for (seed, shape) in shapes.enumerated() {
      try expectExportedRight(try randomModel(shape, seed: UInt64(seed)), "\(shape)")
    }
  }

  @Test(arguments: [1, 2]) func theVerifierIsExportedToo(stride: Int) throws {
    let encoder = RandomNetwork.weights(
      try NetworkShape(channels: 16, kernel: 3, dilations: [1, 2], outputs: 12), seed: 5)
    var path = PhrasePathSettings(pronunciations: [[1, 2, 3, 2], [7], [11, 0]], weight: 2, span: 9)
    let sounds = SoundScores(offsets: (0..<12).map { 1 - 0.2 * Float($0) })
    let shape = try NetworkShape(
      inputs: 12, stemKernel: 3, stride: stride, channels: 8, kernel: 3, dilations: [2])
    try expectExportedRight(
      try randomModel(shape, seed: 3, encoder: encoder, sounds: sounds, path: path), "\(path.json)")
    // As models of the two earlier versions.
    for offsets in [[], sounds.offsets] {
      path.offsets = offsets
      try expectExportedRight(try randomModel(shape, seed: 3, encoder: encoder, path: path), "\(path.json)")
    }
  }

  @Test(.needsOptimization, arguments: [1, 2]) func theSecondStageIsExportedToo(stride: Int) throws {
    let clip = try AudioFile.read("\(Self.root)/Examples/turn-on-the-kitchen-light.wav")
    let encoder = RandomNetwork.weights(
      try NetworkShape(channels: 16, kernel: 3, dilations: [1, 2], outputs: 12), seed: 5)
    let shape = try NetworkShape(
      inputs: 12, stemKernel: 3, stride: stride, channels: 8, kernel: 3, dilations: [2])
    let second = try NetworkShape(
      inputs: SpeechEmbedding.outputs, stemKernel: SecondStage.window, stride: SecondStage.window,
      channels: 8, kernel: 1, dilations: [])
    var model = try randomModel(shape, seed: 3, encoder: encoder)
    let proposed = try spotted(clip, by: model).filter { $0 > 0 }.sorted()
    let median = (proposed[proposed.count / 2] + proposed[proposed.count / 2 + 1]) / 2
    let limit = (log(median / (1 - median)) - model.decision.offset) / model.decision.scale
    model = try randomModel(
      shape, seed: 3, encoder: encoder,
      second: SecondStage(
        limit: Float(limit), weight: 0.4, network: RandomNetwork.weights(second, seed: 6),
        embedding: try SpeechEmbedding(reading: "\(Self.root)/Models/training/embedding.safetensors")))
    let cleaned = try cleaned(clip, for: model)
    let found = try Exported(model).run(try features(of: clip, for: model), bands: bands(of: cleaned))
    #expect(found.metadata["format"]?.string == ONNXModel.formatWithSecondStage)
    let scores = try spotted(clip, by: model)
    try #require(found.scores.count == scores.count)
    // The highest of the last scores may be one of the warm-up, in which the spotter has none.
    let warm = try #require(scores.firstIndex { $0 > 0 }) + SecondStage.hold
    expectEqual(Array(found.scores[warm...]), Array(scores[warm...]), within: 1e-3)
    let lowest = try #require(scores[warm...].min())
    #expect(scores[warm...].count { $0 > lowest + 0.05 } > 20, "the second stage must have been asked")
  }

  @Test func theFileContainsTheSettingsOfTheDecision() throws {
    let model = try randomModel(try NetworkShape(channels: 4, dilations: [1]), seed: 1)
    let exported = try Exported(model)
    let metadata = try exported.run(RandomNetwork.features(40, seed: 1)).metadata
    #expect(metadata["format"]?.string == ONNXModel.format)
    #expect(metadata["name"]?.string == "word" && metadata["phrase"]?.string == "a \"wörd\"")
    #expect(metadata["threshold"]?.string.flatMap(Double.init) == model.decision.threshold)
    #expect(metadata["stepSeconds"]?.string.flatMap(Double.init) == 0.02)
    let text = try #require(metadata["features"]?.string)
    #expect(try FeatureSettings(json: JSON(parsing: Array(text.utf8), what: "features")) == .standard)
    #expect(ONNXModel(model).encoded(version: "1") == ONNXModel(model).encoded(version: "1"))
  }

  private func expectExportedRight(_ model: HotwordModel, _ comment: Comment) throws {
    for frames in [6, 131] {
      let features = RandomNetwork.features(frames, seed: 7)
      let expected = try logits(model, features)
      let found = try Exported(model).run(features).logits
      expectEqual(found, expected, comment)
      guard frames > 100, let low = expected.min(), let high = expected.max() else { continue }
      #expect(high - low > 0.02, "the logits must move for this to mean something: \(comment)")
    }
  }

  private func expectEqual(
    _ found: [Double], _ expected: [Double], within tolerance: Double = tolerance, _ comment: Comment? = nil
  ) {
    #expect(found.count == expected.count, comment)
    for (one, other) in zip(found, expected) {
      #expect(abs(one - other) <= tolerance * max(1, abs(other)), comment)
    }
  }

  /// The logits of the networks and the verifier for a whole clip, before smoothing.
  private func logits(_ model: HotwordModel, _ features: [Float]) throws -> [Double] {
    let outputs =
      model.encoder.map { WholeClip.logits($0, features: features, frames: features.count / $0.shape.inputs) }
      ?? features
    let vectors = model.sounds?.scores(of: outputs) ?? outputs
    let width = model.shape.inputs
    let path = model.path.map { PhrasePath($0, readsScores: model.sounds != nil) }
    let added = stride(from: 0, to: vectors.count, by: width).map { start in
      vectors[start..<start + width].withUnsafeBufferPointer { path?.push($0) ?? 0 }
    }
    let each = model.networks.map { StreamingNetwork($0).logits(vectors) }
    return each[0].indices.map { step in
      let mean = each.reduce(0) { $0 + Double($1[step]) } / Double(each.count)
      return mean + Double(added[(step + 1) * model.shape.stride - 1])
    }
  }

  private func features(of clip: [Int16], for model: HotwordModel) throws -> [Float] {
    try FeatureExtractor(model.features).vectors(of: cleaned(clip, for: model))
  }

  /// The rows of all frames, as of a stream after digital silence.
  private func bands(of cleaned: [Int16]) -> [Float] {
    let bands = EmbeddingBands()
    var rows: [Float] = []
    let silence = [Int16](repeating: 0, count: SpeechEmbedding.firstFrames * AudioFormat.frameLength)
    let all = silence + cleaned
    all.withUnsafeBufferPointer { all in
      for start in stride(from: 0, through: all.count - AudioFormat.frameLength, by: AudioFormat.frameLength)
      where bands.push(UnsafeBufferPointer(rebasing: all[start..<start + AudioFormat.frameLength])) {
        rows += bands.row
      }
    }
    return rows
  }

  /// The clip behind the front end.
  private func cleaned(_ clip: [Int16], for model: HotwordModel) throws -> [Int16] {
    let front = try FrontEnd(model.frontEnd)
    var cleaned = clip
    for start in stride(from: 0, through: clip.count - AudioFormat.frameLength, by: AudioFormat.frameLength) {
      cleaned.withUnsafeMutableBufferPointer {
        _ = front.process(UnsafeMutableBufferPointer(rebasing: $0[start..<start + AudioFormat.frameLength]))
      }
    }
    return cleaned
  }

  private func spotted(_ clip: [Int16], by model: HotwordModel) throws -> [Double] {
    let spotter = try KeywordSpotter([(model, .standard)], skipsSilence: false)
    return clip.withUnsafeBufferPointer { clip in
      stride(from: 0, through: clip.count - AudioFormat.frameLength, by: AudioFormat.frameLength).compactMap {
        _ = spotter.push(UnsafeBufferPointer(rebasing: clip[$0..<$0 + AudioFormat.frameLength]))
        return spotter.score(of: 0)?.score
      }
    }
  }

  private func randomModel(
    _ shape: NetworkShape, seed: UInt64, encoder: NetworkWeights? = nil, sounds: SoundScores? = nil,
    path: PhrasePathSettings? = nil, second: SecondStage? = nil
  ) throws -> HotwordModel {
    try HotwordModel(
      name: "word", phrase: "a \"wörd\"", frontEnd: .bypass, features: .standard, encoder: encoder,
      sounds: sounds,
      networks: (0..<3).map { RandomNetwork.weights(shape, seed: 10 * seed + $0) }, path: path,
      secondStage: second,
      decision: DecisionSettings(smoothing: 4, threshold: 0.4, scale: 0.7, offset: -0.2))
  }
}

/// A model exported to a file of its own.
private struct Exported {
  struct Result {
    let logits: [Double]
    let scores: [Double]
    let metadata: JSON
  }

  private let path = PythonServer.temporaryFolder() + "/model.onnx"

  init(_ model: HotwordModel) throws { try ONNXModel(model).write(to: path, version: "0") }

  /// What onnxruntime makes of `features` [frames][40] and `bands` [rows][32].
  func run(_ features: [Float], bands: [Float]? = nil) throws -> Result {
    func file(_ values: [Float], _ name: String) throws -> String {
      let bytes = values.flatMap { value in
        (0..<4).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * UInt32($0))) }
      }
      try Files.write(bytes, to: "\(path).\(name)")
      return "\(path).\(name)"
    }
    let python = try #require(PythonServer.python(with: ["onnxruntime"]))
    let words = [
      python, PythonServer.script("onnx_scores.py"), "", path, try file(features, "features"), "40",
    ]
    let result = try Subprocess(words + (bands.map { [try file($0, "bands")] } ?? [])).run(timeout: 60)
    let json = try JSON(parsing: result.output, what: "onnxruntime's outputs")
    func numbers(_ name: String) -> [Double] { json["outputs"]?[name]?.array?.compactMap(\.number) ?? [] }
    return Result(
      logits: numbers("logit"), scores: numbers("score"), metadata: try #require(json["metadata"]))
  }
}

private enum RandomNetwork {
  /// Weights of a sensible size, the same for the same seed.
  static func weights(_ shape: NetworkShape, seed: UInt64) -> NetworkWeights {
    var random = RandomSource(seed: seed)
    return NetworkWeights(shape: shape) { name, sizes in
      let count = sizes.reduce(1, *)
      let inputs = name.hasSuffix("depthwise") ? sizes[0] : max(1, count / shape.channels)
      let scale = sizes.count == 1 ? 0.2 : 2.5 / Float(inputs).squareRoot()
      return (0..<count).map { _ in random.uniform(-scale...scale) }
    }
  }

  /// Vectors that look like noise, [frames][40].
  static func features(_ frames: Int, seed: UInt64) -> [Float] {
    var random = RandomSource(seed: seed)
    return (0..<frames * 40).map { _ in random.uniform(-1...1) }
  }
}
