import Detection
import Platform

/// The file of a space: safetensors.
extension VoiceSpace {
  /// The path in a model folder.
  private static let file = "speakers/voices.safetensors"
  private static let format = "hotword-voices-1"

  /// The space in the first model folder that has one; nil without one.
  ///
  /// - Throws: ``VoiceFault`` for a file that cannot be read or is damaged.
  public static func standard(in store: ModelStore = .standard()) throws(VoiceFault) -> VoiceSpace? {
    guard let path = store.folders.map({ "\($0)/\(file)" }).first(where: { Files.exists($0) }) else {
      return nil
    }
    let bytes: [UInt8]
    do {
      bytes = try Files.read(path, limit: Safetensors.fileLimit)
    } catch {
      throw .system(error)
    }
    do {
      return try VoiceSpace(decoding: bytes)
    } catch {
      throw .badVoice(path: path, defect: error)
    }
  }

  package var encoded: [UInt8] {
    let components = mixture.count
    return Safetensors(
      tensors: [
        .init(name: "means", shape: [components, Self.width], values: mixture.means),
        .init(name: "variances", shape: [components, Self.width], values: mixture.variances),
        .init(name: "shares", shape: [components], values: mixture.shares),
        .init(name: "channel", shape: [Self.width], values: channel),
        .init(name: "center", shape: [center.count], values: center),
        .init(name: "directions", shape: [dimensions, center.count], values: directions),
      ],
      metadata: [
        ("format", Self.format), ("odds", JSON.array(odds.map { .rounded($0, digits: 6) }).description),
      ]
    ).encoded
  }

  /// - Throws: the defect of the file.
  package init(decoding bytes: [UInt8]) throws(ModelDefect) {
    let file = try Safetensors(decoding: bytes)
    guard let format = file["format"] else { throw .missingMetadata("format") }
    guard format == Self.format else { throw .unknownVersion(format) }
    func values(_ name: String, _ isShape: ([Int]) -> Bool) throws(ModelDefect) -> [Float] {
      guard let tensor = file.tensor(name) else { throw .missingTensor(name) }
      guard isShape(tensor.shape), tensor.values.allSatisfy(\.isFinite) else { throw .malformedTensor(name) }
      return tensor.values
    }
    let shares = try values("shares") { $0.count == 1 && (1...4_096).contains($0[0]) }
    let shape = [shares.count, Self.width]
    let means = try values("means") { $0 == shape }
    let variances = try values("variances") { $0 == shape }
    guard variances.allSatisfy({ $0 > 0 }), shares.allSatisfy({ $0 > 0 }) else {
      throw .malformedTensor("variances")
    }
    let channel = try values("channel") { $0 == [Self.width] }
    let center = try values("center") { $0 == [shares.count * Self.width] }
    let directions = try values("directions") { $0.count == 2 && $0[0] > 0 && $0[1] == center.count }
    let odds = file["odds"].flatMap { try? JSON(parsing: Array($0.utf8), what: "odds") }?.array?
      .compactMap(\.number)
    guard let odds, odds.count == Self.inputs(similarity: 0, order: 1, voice: 1).count else {
      throw .badMetadata(name: "odds", allowed: "four numbers")
    }
    self.init(
      mixture: Mixture(means: means, variances: variances, shares: shares), channel: channel, center: center,
      directions: directions, odds: odds)
  }
}
