import FrontEnd
import Platform

/// All that it takes to hear one phrase: one file, `NAME.safetensors`.
///
/// The networks' arrays are the file's tensors, those of the n-th network named `n.…`, the encoder's `encoder.…`. Its
/// metadata hold text only: `format`, `name`, `phrase`, and, as JSON text, `frontEnd`, `features`, `encoder` (its
/// shape, where there is one), `network` (the shape), `networks` (how many), `path` (where there is one), `decision`,
/// `curve` and `training`.
public struct HotwordModel: Sendable, Equatable {
  /// What users and events call it: 1 to 64 letters, digits, `-`, `_`, `.` or spaces, the first one a letter or digit.
  public let name: String
  /// The spoken words, 1 to 200 characters on one line.
  public let phrase: String
  public var frontEnd: FrontEndSettings
  public let features: FeatureSettings
  /// What hears the features for the networks: a network of many outputs, the same in every model made with it.
  public let encoder: NetworkWeights?
  /// Networks of one shape, fitted from different beginnings; the mean of their logits is what counts.
  ///
  /// Independent networks err on different voices: see L. K. Hansen and P. Salamon, "Neural network
  /// ensembles", 1990.
  public let networks: [NetworkWeights]
  /// The second look at what they believe, over the encoder's outputs.
  public let path: PhrasePathSettings?
  public var decision: DecisionSettings
  public var curve: OperatingCurve
  /// What it was made of: data, command, seed, results; free in form, members sorted by name.
  public let training: JSON

  /// The version of the file's layout.
  public static let format = "hotword-1"
  /// The most networks of one model.
  public static let networkLimit = 8

  /// The shape of each of the networks.
  public var shape: NetworkShape { networks[0].shape }

  /// Seconds from score to score.
  public var stepSeconds: Double {
    shape.stepSeconds * Double(encoder?.shape.stride ?? 1)
  }

  /// The number of weights and biases of all its networks.
  public var parameters: Int { (encoder?.shape.parameters ?? 0) + networks.count * shape.parameters }

  /// Multiplications and additions of its networks for a second of audio; front end and features not counted.
  public var multiplyAddsPerSecond: Double {
    let encoding = encoder.map { Double($0.shape.multiplyAdds) / $0.shape.stepSeconds } ?? 0
    return encoding + Double(networks.count * shape.multiplyAdds) / stepSeconds
  }

  /// The language of its phrase, as espeak-ng names it.
  public var language: String { training["language"]?.string ?? "en" }

  /// Numbers in the vectors that the networks take.
  private static func inputs(_ features: FeatureSettings, _ encoder: NetworkWeights?) -> Int {
    encoder?.shape.outputs ?? features.coefficients
  }

  /// - Throws: ``DetectionFault/badSetting(name:allowed:)`` for names that would not fit one line, settings out of
  ///   range, networks of different shapes, and inputs that are not the features' coefficients.
  public init(
    name: String, phrase: String, frontEnd: FrontEndSettings, features: FeatureSettings,
    encoder: NetworkWeights? = nil, networks: [NetworkWeights], path: PhrasePathSettings? = nil,
    decision: DecisionSettings, curve: OperatingCurve = .unmeasured, training: JSON = .object([])
  ) throws(DetectionFault) {
    guard Self.isName(name) else {
      throw .badSetting(name: "name", allowed: "1 to 64 letters, digits, dashes, dots or spaces")
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
    if let path {
      guard let encoder else { throw .badSetting(name: "path", allowed: "there only with an encoder") }
      try path.validate(outputs: encoder.shape.outputs)
    }
    try decision.validate()
    self.name = name
    self.phrase = phrase
    self.frontEnd = frontEnd
    self.features = features
    self.encoder = encoder
    self.networks = networks
    self.path = path
    self.decision = decision
    self.curve = curve
    self.training = Self.sorted(training)
  }

  /// As a parser gives the members back, so that reading and writing again changes nothing.
  private static func sorted(_ json: JSON) -> JSON {
    switch json {
    case .array(let values): .array(values.map(sorted))
    case .object(let members):
      .object(members.map { JSON.Member($0.name, sorted($0.value)) }.sorted { $0.name < $1.name })
    default: json
    }
  }

  /// Whether `text` can name a model: no separator of paths, nothing that hides in a terminal or a file list.
  static func isName(_ text: String) -> Bool {
    guard (1...64).contains(text.unicodeScalars.count), let first = text.unicodeScalars.first else {
      return false
    }
    func isWordLike(_ scalar: Unicode.Scalar) -> Bool {
      scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
    }
    return isWordLike(first)
      && text.unicodeScalars.allSatisfy { isWordLike($0) || "-_. ".unicodeScalars.contains($0) }
  }
}

extension HotwordModel {
  /// Reads the model file at `path`, which may come from a stranger.
  ///
  /// - Throws: ``DetectionFault/system(_:)`` when there is no reading it, ``DetectionFault/badModel(path:defect:)``
  ///   when it is no model.
  public init(reading path: String) throws(DetectionFault) {
    let file = try Safetensors(reading: path)
    do {
      self = try HotwordModel(file)
    } catch {
      throw .badModel(path: path, defect: error)
    }
  }

  /// Writes the model file so that it appears whole; the same model always gives the same bytes.
  public func write(to path: String) throws(DetectionFault) {
    do {
      try Files.write(encoded, to: path)
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
      ("format", Self.format), ("name", name), ("phrase", phrase), ("frontEnd", frontEnd.json.description),
      ("features", features.json.description), ("network", shape.json.description),
      ("networks", JSON.number(Double(networks.count)).description),
      ("decision", decision.json.description), ("curve", curve.json.description),
      ("training", training.description),
    ]
    if let encoder { metadata.append(("encoder", encoder.shape.json.description)) }
    if let path { metadata.append(("path", path.json.description)) }
    return Safetensors(tensors: tensors, metadata: metadata).encoded
  }

  /// Decodes the bytes of a model's file.
  public init(decoding bytes: [UInt8]) throws(ModelDefect) {
    try self.init(Safetensors(decoding: bytes))
  }

  private init(_ file: Safetensors) throws(ModelDefect) {
    let metadata = ModelMetadata(file)
    try metadata.requireFormat(Self.format)
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
    if let stranger = unread.min() { throw .unexpectedTensor(stranger) }
    do {
      try self.init(
        name: file["name"] ?? "", phrase: file["phrase"] ?? "",
        frontEnd: metadata.value("frontEnd") { try FrontEndSettings(json: $0) },
        features: metadata.value("features") { try FeatureSettings(json: $0) }, encoder: encoder,
        networks: networks,
        path: file["path"] == nil ? nil : metadata.value("path") { try PhrasePathSettings(json: $0) },
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
