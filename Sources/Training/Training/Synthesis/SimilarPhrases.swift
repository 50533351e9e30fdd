import Platform

/// Phrases that are similar to a phrase and are not it, for the negatives of its training and to measure how often they
/// wake the model.
///
/// In a phrase of several words, one word is replaced: by a word that differs in one or two sounds, by one that begins or
/// ends alike, by another name or greeting, or by any word. A fifth of these phrases is measured and not trained.
package struct SimilarPhrases: Sendable {
  /// A phrase to measure.
  package struct Measured: Sendable, Equatable {
    package let input: SynthesisInput
    /// Whether it is a part of the phrase; the training contains parts too, by other voices.
    package let isPart: Bool
  }

  private let words: [String]
  /// For each word of the phrase, words that differ from it in one or two sounds, the nearest first. None for short words:
  /// "ay jupiter" is "hey jupiter", said carelessly.
  private let near: [[String]]
  /// For each word of the phrase, words that begin or end like it.
  private let related: [[String]]
  /// For each word of the phrase, other names or greetings.
  private let usual: [[String]]
  /// Other words.
  private let vocabulary: [String]
  private let sounds: NearSounds

  /// What assistants are called, and what is said before that.
  private static let names = [
    "alexa", "computer", "google", "siri", "jarvis", "cortana", "mycroft", "nabu", "echo", "amazon", "bixby",
    "house", "home", "there",
  ]
  private static let greetings = ["hey", "okay", "hi", "hello", "oh", "the", "my", "no", "yo", "good", "say"]

  /// - Parameters:
  ///   - words: the words of the phrase.
  ///   - targets: the pronunciations of each word; empty for words without one.
  ///   - dictionary: an English dictionary; nil for a phrase of another language.
  ///   - sounds: sounds similar to those of the phrase.
  ///   - vocabulary: words that are not of the phrase.
  ///   - isOther: whether a word does not contain one of the phrase.
  init(
    _ words: [String], targets: [[[Phoneme]]], dictionary: Pronunciations?, sounds: NearSounds,
    vocabulary: [String], isOther: (String) -> Bool
  ) {
    self.words = words
    self.sounds = sounds
    self.vocabulary = vocabulary
    guard let dictionary else {
      near = words.map { _ in [] }
      related = near
      usual = near
      return
    }
    let readings = targets.map { $0.first ?? [] }
    near = readings.map {
      $0.count < Self.fewestSounds
        ? [] : dictionary.neighbours(of: $0, within: 2, limit: Self.most / words.count).filter(isOther)
    }
    related = readings.map {
      Array(dictionary.relatives(of: $0, sharing: 3).prefix(Self.most)).filter(isOther)
    }
    usual = words.indices.map { index in
      (index == words.count - 1 ? Self.names : index == 0 ? Self.greetings : []).filter(isOther)
    }
  }

  private static let most = 400
  private static let fewestSounds = 4

  /// Returns a part of a phrase of several words, alone or next to another word; nil for one word.
  func trainedPart(_ random: inout RandomSource) -> String? {
    guard words.count > 1 else { return nil }
    let count = 1 + Int(random.next() % UInt64(words.count - 1))
    let isBeginning = random.chance(0.4)
    let part = (isBeginning ? words.prefix(count) : words.suffix(count)).joined(separator: " ")
    guard !vocabulary.isEmpty, random.chance(0.4) else { return part }
    let other = vocabulary[Int(random.next() % UInt64(vocabulary.count))]
    let text = isBeginning ? "\(part) \(other)" : "\(other) \(part)"
    return Self.isMeasured(text) ? part : text
  }

  /// Returns a similar phrase for the training; nil if none is known.
  func trained(_ random: inout RandomSource) -> String? {
    for _ in 0..<8 {
      let place = Int(random.next() % UInt64(words.count))
      let draw = random.uniform()
      let others =
        draw < 0.4 ? near[place] : draw < 0.65 ? related[place] : draw < 0.8 ? usual[place] : vocabulary
      guard !others.isEmpty else { continue }
      let text = replacing(place, with: others[Int(random.next() % UInt64(others.count))])
      if !Self.isMeasured(text) { return text }
    }
    return nil
  }

  /// The phrases to measure, always the same: parts of the phrase and similar phrases.
  package var measured: [Measured] {
    let parts = parts.map { Measured(input: $0, isPart: true) }
    var similar: [SynthesisInput] = []
    for place in words.indices {
      let kinds = [near[place], related[place], usual[place], vocabulary].map { others in
        others.map { replacing(place, with: $0) }.filter(Self.isMeasured)
      }
      // The same number of each kind, and more of the others where one has few.
      let mixed = (0..<Self.mostMeasured).flatMap { index in
        kinds.compactMap { index < $0.count ? $0[index] : nil }
      }
      similar += mixed.prefix(Self.mostMeasured / words.count).map { .text($0) }
    }
    if similar.isEmpty, !sounds.isEmpty {
      var random = RandomSource(seed: 5)
      similar = (0..<Self.mostMeasured).map { _ in .sounds(sounds.changed(&random)) }
    }
    return parts + similar.map { Measured(input: $0, isPart: false) }
  }

  private static let mostMeasured = 60

  /// The beginnings and the ends of the phrase: words, or halves of a single word.
  private var parts: [SynthesisInput] {
    guard words.count > 1 else { return sounds.halves.map { .sounds($0) } }
    return (1..<words.count).flatMap { count in [words.prefix(count), words.suffix(count)] }
      .map { .text($0.joined(separator: " ")) }
  }

  private func replacing(_ place: Int, with word: String) -> String {
    var changed = words
    changed[place] = word
    return changed.joined(separator: " ")
  }

  private static func isMeasured(_ text: String) -> Bool { stableHash("similar " + text) % 5 == 0 }
}
