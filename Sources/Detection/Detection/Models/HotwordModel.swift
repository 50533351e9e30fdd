import FrontEnd
import Platform

/// A model of one phrase: one file, `NAME.safetensors`.
///
/// The arrays of the networks are the file's tensors: `n.…` for the n-th network, `encoder.…` for the encoder, `second.…` and `embedding.…` for
/// the second stage. The metadata contains text only: `format`, `name`, `phrase`, and, as JSON text, `frontEnd`, `features`, `encoder` (its
/// shape, if any), `sounds` (if the networks read them), `network` (the shape), `networks` (the number), `path`, `secondStage` and `lastSounds`
/// (if any), `decision`, `curve` and `training`.
public struct HotwordModel: Sendable, Equatable {
  /// The name in commands and events: 1 to 64 letters, digits, dashes, underscores, dots, apostrophes or spaces, the first one a
  /// letter or digit.
  public let name: String
  /// The spoken words, 1 to 200 characters on one line.
  public let phrase: String
  public var frontEnd: FrontEndSettings
  public let features: FeatureSettings
  /// The network between the features and the networks, with one output for each phoneme; the same in all models that were
  /// trained with it.
  public let encoder: NetworkWeights?
  /// How the encoder's outputs become the input of the networks and of the verifier; nil without an encoder and in models of
  /// earlier versions, where they read the outputs.
  public let sounds: SoundScores?
  /// Networks of one shape, trained from different initial weights; the mean of their logits is used.
  ///
  /// Independent networks fail on different voices: see L. K. Hansen and P. Salamon, "Neural network
  /// ensembles", 1990.
  public let networks: [NetworkWeights]
  /// The verifier of the networks' result, on the encoder's outputs.
  public let path: PhrasePathSettings?
  /// What judges the proposals of the networks and the verifier; nil in models of earlier versions.
  public let secondStage: SecondStage?
  /// The sounds with which the phrase may end; nil if they are not known.
  public let lastSounds: LastSounds?
  public var decision: DecisionSettings
  public var curve: OperatingCurve
  /// The origin of the model: data, command, seed, results; in any form, members sorted by name.
  public let training: JSON

  /// The version of the file's layout.
  public static let format = "hotword-3"
  /// Those of earlier versions, without 8-bit tensors: with ``sounds`` and without them.
  static let formatWithSounds = "hotword-2"
  static let formatWithoutSounds = "hotword-1"
  /// The largest number of networks in a model.
  public static let networkLimit = 8

  /// The shape of each of the networks.
  public var shape: NetworkShape { networks[0].shape }

  /// Seconds between two scores.
  public var stepSeconds: Double {
    shape.stepSeconds * Double(encoder?.shape.stride ?? 1)
  }

  /// The number of weights and biases of all its networks.
  public var parameters: Int {
    (encoder?.shape.parameters ?? 0) + networks.count * shape.parameters
      + (secondStage.map { SpeechEmbedding.parameters + $0.network.shape.parameters } ?? 0)
  }

  /// Multiply-accumulate operations of its networks for a second of audio, without front end, features and second stage.
  public var multiplyAddsPerSecond: Double {
    let encoding = encoder.map { Double($0.shape.multiplyAdds) / $0.shape.stepSeconds } ?? 0
    return encoding + Double(networks.count * shape.multiplyAdds) / stepSeconds
  }

  /// The language of its phrase, by its code in espeak-ng.
  public var language: String { training["language"]?.string ?? "en" }

  /// Whether it, or a version before it, was made for one person, from recordings of that voice.
  public var isPersonal: Bool { versions.contains { $0["enrolled"] != nil } }

  /// The facts in ``training`` about this version and those before it, the latest first.
  package var versions: [JSON] { [training] + (training["before"]?.array ?? []) }

  /// The size of the networks' input vectors.
  private static func inputs(_ features: FeatureSettings, _ encoder: NetworkWeights?) -> Int {
    encoder?.shape.outputs ?? features.coefficients
  }

  /// - Throws: ``DetectionFault/badSetting(name:allowed:)`` for names of more than one line, settings out of range,
  ///   networks of different shapes, and inputs that do not match the features.
  public init(
    name: String, phrase: String, frontEnd: FrontEndSettings, features: FeatureSettings,
    encoder: NetworkWeights? = nil, sounds: SoundScores? = nil, networks: [NetworkWeights],
    path: PhrasePathSettings? = nil, secondStage: SecondStage? = nil,
    lastSounds: LastSounds? = nil, decision: DecisionSettings, curve: OperatingCurve = .unmeasured,
    training: JSON = .object([])
  ) throws(DetectionFault) {
    guard Self.isName(name) else {
      throw .badSetting(name: "name", allowed: Self.allowedName)
    }
    guard (1...200).contains(phrase.count), phrase.unicodeScalars.count <= 800,
      phrase.unicodeScalars.allSatisfy({ $0.value >= 32 && $0.properties.generalCategory != .control })
    else {
      throw .badSetting(name: "phrase", allowed: "1 to 200 characters on one line")
    }
    guard (1...Self.networkLimit).contains(networks.count),
      networks.allSatisfy({ $0.shape == networks[0].shape })
    else {
      throw .badSetting(name: "networks", allowed: "1 to \(Self.networkLimit) of one shape")
    }
    guard (encoder ?? networks[0]).shape.inputs == features.coefficients else {
      throw .badSetting(
        name: "inputs", allowed: "as many as the features' coefficients, \(features.coefficients)")
    }
    guard networks[0].shape.inputs == Self.inputs(features, encoder), networks[0].shape.outputs == 1 else {
      throw .badSetting(
        name: "network", allowed: "as many inputs as the encoder has outputs, and one output")
    }
    if let sounds {
      guard let encoder else { throw .badSetting(name: "sounds", allowed: "present only with an encoder") }
      try sounds.validate(outputs: encoder.shape.outputs)
      guard path?.offsets.isEmpty ?? true else {
        throw .badSetting(name: "path.offsets", allowed: "absent where there are sounds")
      }
    }
    if let path {
      guard let encoder else { throw .badSetting(name: "path", allowed: "present only with an encoder") }
      try path.validate(outputs: encoder.shape.outputs)
    }
    if let lastSounds {
      guard let encoder else {
        throw .badSetting(name: "lastSounds", allowed: "present only with an encoder")
      }
      try lastSounds.validate(outputs: encoder.shape.outputs)
    }
    try decision.validate()
    self.name = name
    self.phrase = phrase
    self.frontEnd = frontEnd
    self.features = features
    self.encoder = encoder
    self.sounds = sounds
    self.networks = networks
    self.path = path
    self.secondStage = secondStage
    self.lastSounds = lastSounds
    self.decision = decision
    self.curve = curve
    self.training = Self.sorted(training)
  }

  /// In the form of a parsed object, so that reading and writing again changes nothing.
  private static func sorted(_ json: JSON) -> JSON {
    switch json {
    case .array(let values): .array(values.map(sorted))
    case .object(let members):
      .object(members.map { JSON.Member($0.name, sorted($0.value)) }.sorted { $0.name < $1.name })
    default: json
    }
  }

  /// What a name may have, for messages.
  package static let allowedName = "1 to 64 letters, digits, dashes, underscores, dots, apostrophes or spaces"

  /// Whether `text` can name a model: without path separators and invisible characters.
  package static func isName(_ text: String) -> Bool {
    guard (1...64).contains(text.unicodeScalars.count), let first = text.unicodeScalars.first else {
      return false
    }
    func isWordLike(_ scalar: Unicode.Scalar) -> Bool {
      scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
    }
    // Vowel signs and accents that are characters of their own.
    func isMark(_ scalar: Unicode.Scalar) -> Bool {
      [.nonspacingMark, .spacingMark].contains(scalar.properties.generalCategory)
    }
    return isWordLike(first)
      && text.unicodeScalars.allSatisfy {
        isWordLike($0) || isMark($0) || "-_. '’".unicodeScalars.contains($0)
      }
  }
}

extension HotwordModel {
  /// Reads the model file at `path`, which may be untrusted.
  ///
  /// - Throws: ``DetectionFault/system(_:)`` if it cannot be read, ``DetectionFault/badModel(path:defect:)`` if it is
  ///   not a model.
  public init(reading path: String) throws(DetectionFault) {
    let file = try Safetensors(reading: path)
    do {
      self = try HotwordModel(file)
    } catch {
      throw .badModel(path: path, defect: error)
    }
  }

  /// Writes the model file atomically; the same model always has the same bytes. Only the owner can read a personal one.
  public func write(to path: String) throws(DetectionFault) {
    do {
      try Files.write(encoded, to: path, mode: isPersonal ? 0o600 : 0o644)
    } catch {
      throw .system(error)
    }
  }

  /// The bytes of the model's file.
  public var encoded: [UInt8] {
    var tensors = encoder.map { Safetensors.tensors(of: $0, named: "encoder") } ?? []
    for (index, network) in networks.enumerated() {
      tensors += Safetensors.tensors(of: network, named: "\(index)")
    }
    var metadata: [(name: String, text: String)] = [
      ("format", Self.format), ("name", name), ("phrase", phrase),
      ("frontEnd", frontEnd.json.description),
      ("features", features.json.description), ("network", shape.json.description),
      ("networks", JSON.number(Double(networks.count)).description),
      ("decision", decision.json.description), ("curve", curve.json.description),
      ("training", training.description),
    ]
    if let encoder { metadata.append(("encoder", encoder.shape.json.description)) }
    metadata.append(("sounds", (sounds?.json ?? .null).description))
    if let path { metadata.append(("path", path.json.description)) }
    if let secondStage {
      metadata.append(("secondStage", secondStage.json.description))
      tensors += secondStage.tensors
    }
    if let lastSounds { metadata.append(("lastSounds", lastSounds.json.description)) }
    return Safetensors(tensors: tensors, metadata: metadata, hasEightBits: true).encoded
  }

  /// Decodes the bytes of a model's file.
  public init(decoding bytes: [UInt8]) throws(ModelDefect) {
    try self.init(Safetensors(decoding: bytes))
  }

  /// Decodes the bytes of the file of one of several models, which share the memory of what they have in common.
  public init(decoding bytes: [UInt8], sharing shared: inout SharedTensors) throws(ModelDefect) {
    try self.init(Safetensors(decoding: bytes, sharing: &shared))
  }

  private init(_ file: Safetensors) throws(ModelDefect) {
    let metadata = ModelMetadata(file)
    let format = try metadata.text("format")
    if ![Self.formatWithSounds, Self.formatWithoutSounds].contains(format) {
      try metadata.requireFormat(Self.format)
    }
    let shape = try metadata.value("network") { try NetworkShape(json: $0) }
    let count = try metadata.value("networks") { $0.number }
    guard let count, let count = Int(exactly: count), (1...Self.networkLimit).contains(count) else {
      throw .badMetadata(name: "networks", allowed: "a number from 1 to \(Self.networkLimit)")
    }
    var unread = Set(file.tensors.map(\.name))
    let encoder =
      file["encoder"] == nil
      ? nil
      : try file.network("encoder", shape: metadata.value("encoder") { try NetworkShape(json: $0) }, &unread)
    var networks: [NetworkWeights] = []
    for index in 0..<count { networks.append(try file.network("\(index)", shape: shape, &unread)) }
    let secondStage = file["secondStage"] == nil ? nil : try SecondStage(file, &unread)
    if let unexpected = unread.min() { throw .unexpectedTensor(unexpected) }
    do {
      try self.init(
        name: file["name"] ?? "", phrase: file["phrase"] ?? "",
        frontEnd: metadata.value("frontEnd") { try FrontEndSettings(json: $0) },
        features: metadata.value("features") { try FeatureSettings(json: $0) }, encoder: encoder,
        sounds: format == Self.formatWithoutSounds
          ? nil : metadata.value("sounds") { $0 == .null ? nil : try SoundScores(json: $0) },
        networks: networks,
        path: file["path"] == nil ? nil : metadata.value("path") { try PhrasePathSettings(json: $0) },
        secondStage: secondStage,
        lastSounds: file["lastSounds"] == nil
          ? nil : metadata.value("lastSounds") { try LastSounds(json: $0) },
        decision: metadata.value("decision") { try DecisionSettings(json: $0) },
        curve: metadata.value("curve") { try OperatingCurve(json: $0) },
        training: metadata.value("training") { $0 })
    } catch let defect as ModelDefect {
      throw defect
    } catch let fault as DetectionFault {
      throw ModelMetadata.defect(of: fault, in: nil)
    } catch {
      throw .headerNotJSON
    }
  }
}
