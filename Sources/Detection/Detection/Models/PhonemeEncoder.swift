import FrontEnd
import Platform

/// The encoder before the networks of all phrases: one file, trained once on the speech of many people.
///
/// Its outputs are the logits of phonemes. Hotword models contain a copy of its network, so that detection needs their files
/// only; training needs this file.
public struct PhonemeEncoder: Sendable, Equatable {
  public let frontEnd: FrontEndSettings
  public let features: FeatureSettings
  public let network: NetworkWeights
  /// The name of each output.
  public let phonemes: [String]
  /// The look-ahead: vectors of 10 ms between the one that an output describes and the newest one that it depends on, 0…100.
  public let lookAhead: Int
  /// The origin of the encoder, in any form.
  public let training: JSON

  /// The version of the file's layout.
  public static let format = "hotword-encoder-1"

  /// The look-ahead of encoders for hotwords, which need low latency.
  public static let standardLookAhead = 8
  /// That of files that do not have it.
  private static let firstLookAhead = 4

  /// - Throws: ``DetectionFault/badSetting(name:allowed:)`` if the parts do not match.
  public init(
    frontEnd: FrontEndSettings, features: FeatureSettings, network: NetworkWeights, phonemes: [String],
    lookAhead: Int = PhonemeEncoder.standardLookAhead, training: JSON
  ) throws(DetectionFault) {
    guard network.shape.inputs == features.coefficients, network.shape.outputs == phonemes.count else {
      throw .badSetting(name: "encoder", allowed: "as wide as the features and the phonemes")
    }
    self.frontEnd = frontEnd
    self.features = features
    self.network = network
    guard (0...100).contains(lookAhead) else {
      throw .badSetting(name: "lookAhead", allowed: "from 0 to 100")
    }
    self.phonemes = phonemes
    self.lookAhead = lookAhead
    self.training = training
  }

  /// The bytes of its file.
  public var encoded: [UInt8] {
    Safetensors(
      tensors: Safetensors.tensors(of: network, named: "encoder"),
      metadata: [
        ("format", Self.format), ("frontEnd", frontEnd.json.description),
        ("features", features.json.description), ("encoder", network.shape.json.description),
        ("phonemes", JSON.array(phonemes.map { .string($0) }).description),
        ("lookAhead", "\(lookAhead)"), ("training", training.description),
      ], hasEightBits: true
    ).encoded
  }

  /// Reads its file.
  ///
  /// - Throws: ``DetectionFault/system(_:)``, ``DetectionFault/badModel(path:defect:)``.
  public init(reading path: String) throws(DetectionFault) {
    let file = try Safetensors(reading: path)
    do {
      try self.init(file)
    } catch {
      throw .badModel(path: path, defect: error)
    }
  }

  private init(_ file: Safetensors) throws(ModelDefect) {
    let metadata = ModelMetadata(file)
    try metadata.requireFormat(Self.format)
    var unread = Set(file.tensors.map(\.name))
    let shape = try metadata.value("encoder") { try NetworkShape(json: $0) }
    let network = try file.network("encoder", shape: shape, &unread)
    if let unexpected = unread.min() { throw .unexpectedTensor(unexpected) }
    let frontEnd = try metadata.value("frontEnd") { try FrontEndSettings(json: $0) }
    let features = try metadata.value("features") { try FeatureSettings(json: $0) }
    let phonemes = try metadata.value("phonemes") { $0.array?.compactMap(\.string) ?? [] }
    let training = try metadata.value("training") { $0 }
    let lookAhead =
      file["lookAhead"] == nil
      ? Self.firstLookAhead
      : try metadata.value("lookAhead") { $0.number.flatMap { Int(exactly: $0) } ?? -1 }
    do {
      try self.init(
        frontEnd: frontEnd, features: features, network: network, phonemes: phonemes,
        lookAhead: lookAhead, training: training)
    } catch {
      throw ModelMetadata.defect(of: error, in: nil)
    }
  }
}
