import Platform

/// The sounds with which a phrase may end: a detection ends where the last of them ends.
public struct LastSounds: Sendable, Equatable {
  /// 1…16 indices of the encoder's outputs.
  public var outputs: [Int]
  /// Seconds from the audio that an output describes to the newest audio that it depends on, 0…1.
  public var lookAhead: Double

  public init(outputs: [Int], lookAhead: Double) {
    self.outputs = outputs
    self.lookAhead = lookAhead
  }

  /// - Throws: ``DetectionFault/badSetting(name:allowed:)``.
  func validate(outputs count: Int) throws(DetectionFault) {
    let limit = min(count, PhraseEnd.outputLimit)
    guard (1...16).contains(outputs.count), outputs.allSatisfy({ $0 >= 0 && $0 < limit }) else {
      throw .badSetting(name: "outputs", allowed: "1 to 16 of the encoder's first \(limit) outputs")
    }
    guard (0...1).contains(lookAhead) else { throw .badSetting(name: "lookAhead", allowed: "0 to 1") }
  }
}

extension LastSounds {
  public var json: JSON {
    [
      "outputs": .array(outputs.map { .number(Double($0)) }), "lookAhead": .number(lookAhead),
    ]
  }

  /// Decodes ``json``.
  public init(json: JSON) throws(DetectionFault) {
    let reader = SettingsReader(json)
    outputs = try reader.integers("outputs")
    lookAhead = try reader.number("lookAhead")
  }
}
