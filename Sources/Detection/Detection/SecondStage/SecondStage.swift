import Platform

/// Judges what the networks of a model propose, by embeddings of the speech.
///
/// Where the highest of the last ``hold`` smoothed logits of the networks and the verifier reaches ``limit``, ``weight`` times the logit of a small network is added to it, and
/// elsewhere the least that this can be. The small network reads the last embeddings, 1.3 s of speech. The stages have different errors,
/// because the embedding learned from other speech than the encoder; and the second one costs nothing while nobody says anything like the phrase.
public struct SecondStage: Sendable, Equatable {
  /// The smoothed logit from which on there is a second opinion, -100...100.
  public let limit: Float
  /// The weight of the second logit, 0...10.
  public let weight: Float
  /// One output from ``window`` embeddings: 1 step for all of them.
  public let network: NetworkWeights
  public let embedding: SpeechEmbedding

  /// The largest logit of the second stage, and the least one negated.
  public static var largest: Float { @_noAllocation @_noLocks get { 12 } }
  /// The steps for which a proposal waits for embeddings of all of the phrase: 160 ms.
  public static var hold: Int { @_noAllocation @_noLocks get { 8 } }
  /// The embeddings that its network reads.
  public static var window: Int { @_noAllocation @_noLocks get { 8 } }

  /// - Throws: ``DetectionFault/badSetting(name:allowed:)``.
  public init(limit: Float, weight: Float, network: NetworkWeights, embedding: SpeechEmbedding)
    throws(DetectionFault)
  {
    guard (-100...100).contains(limit) else {
      throw .badSetting(name: "secondStage.limit", allowed: "a number from -100 to 100")
    }
    guard (0...10).contains(weight) else {
      throw .badSetting(name: "secondStage.weight", allowed: "a number from 0 to 10")
    }
    let shape = network.shape
    guard shape.inputs == SpeechEmbedding.outputs, shape.stemKernel == Self.window,
      shape.stride == Self.window, shape.outputs == 1
    else {
      throw .badSetting(
        name: "secondStage.network",
        allowed: "of \(Self.window) embeddings of \(SpeechEmbedding.outputs) numbers for each step")
    }
    self.limit = limit
    self.weight = weight
    self.network = network
    self.embedding = embedding
  }

  /// Returns the logit of both stages from that of each, the first one the highest of the last ``hold``.
  @_noAllocation @_noLocks
  public static func judged(_ logit: Float, _ second: Float, limit: Float, weight: Float) -> Float {
    guard logit >= limit else { return logit - weight * largest }
    return logit + weight * max(-largest, min(largest, second))
  }

  /// The same with the settings of this one.
  public func judged(_ logit: Float, _ second: Float) -> Float {
    Self.judged(logit, second, limit: limit, weight: weight)
  }
}

extension SecondStage {
  /// The metadata of the model file.
  public var json: JSON {
    ["limit": .number(Double(limit)), "weight": .number(Double(weight)), "network": network.shape.json]
  }

  /// The tensors of the model file.
  var tensors: [NetworkWeights.Tensor] {
    Safetensors.tensors(of: network, named: "second")
      + embedding.tensors.map { .init(name: "embedding.\($0.name)", shape: $0.shape, values: $0.values) }
  }

  /// Reads it from a model file whose metadata has it, and removes its tensors from `unread`.
  init(_ file: Safetensors, _ unread: inout Set<String>) throws(ModelDefect) {
    let name = "secondStage"
    let (limit, weight, shape) = try ModelMetadata(file).value(name) { json in
      let settings = SettingsReader(json)
      return (
        try settings.number("limit"), try settings.number("weight"),
        try NetworkShape(json: json["network"] ?? .null)
      )
    }
    let network = try file.network("second", shape: shape, &unread)
    let embedding = try SpeechEmbedding(file, prefix: "embedding.", &unread)
    do {
      try self.init(limit: Float(limit), weight: Float(weight), network: network, embedding: embedding)
    } catch {
      throw ModelMetadata.defect(of: error, in: nil)
    }
  }
}
