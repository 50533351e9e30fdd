import Platform

/// A property of a phrase because of which its model may have many false alarms.
public enum PhraseWarning: Sendable, Equatable {
  /// The sounds of the phrase occur `count` times in `hours` of speech about other things.
  case common(phrase: String, count: Int, hours: Double)
  /// The phrase has few sounds.
  case short(phrase: String, sounds: Int)
  /// The phrase sounds like that of an installed model.
  case similar(phrase: String, other: String)

  /// What is wrong, and what to do.
  public var message: String {
    switch self {
    case .common(let phrase, let count, let hours):
      "the sounds of '\(phrase)' occur \(count) times in \(Int(hours.rounded())) hours of read English: "
        + "expect false alarms, or choose a phrase that is seldom said"
    case .short(let phrase, let sounds):
      "'\(phrase)' has only \(sounds) sounds, and other speech contains them often: expect false alarms, or choose a "
        + "longer phrase"
    case .similar(let phrase, let other):
      "'\(phrase)' sounds like '\(other)', for which there is a model: each may trigger the other, so choose another phrase"
    }
  }
}

extension Trainer {
  /// Returns what may cause false alarms of a phrase.
  ///
  /// - Parameter others: the phrases of other models, in the same language.
  /// - Throws: ``TrainingFault``.
  public static func warnings(
    of settings: TrainingSettings, others: [String] = []
  ) throws -> [PhraseWarning] {
    var warnings: [PhraseWarning] = []
    let sounds = try sounds(of: settings)
    if let common = try commonness(of: settings), common.isHigh {
      warnings.append(.common(phrase: settings.phrase, count: common.count, hours: common.hours))
    }
    if sounds < fewestSounds { warnings.append(.short(phrase: settings.phrase, sounds: sounds)) }
    guard !others.isEmpty else { return warnings }
    let (synthesizer, dictionary) = (try Synthesizer(), Pronunciations())
    let own = try settings.script(dictionary: dictionary, synthesizer)
    for phrase in others {
      var other = TrainingSettings(phrase: phrase)
      other.language = settings.language
      guard let script = try? other.script(dictionary: dictionary, synthesizer), script.words != own.words,
        isSimilar(own, script)
      else { continue }
      warnings.append(.similar(phrase: settings.phrase, other: phrase))
    }
    return warnings
  }

  /// The part of the sounds in which similar phrases differ at most.
  private static let similarShare = 0.34

  private static func isSimilar(_ one: PhraseScript, _ other: PhraseScript) -> Bool {
    one.usualReadings.contains { reading in
      other.usualReadings.contains { otherReading in
        let (a, b) = (Array(reading.joined()), Array(otherReading.joined()))
        let limit = Int(similarShare * Double(max(a.count, b.count)))
        return Pronunciations.edits(a, b, atMost: limit) <= limit
      }
    }
  }
}
