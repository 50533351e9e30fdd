import Platform

/// What the synthetic speakers say: the phrase in several intonations, and everything but the phrase.
package struct PhraseScript: Sendable {
  /// The phrase as its words in small letters.
  package let words: [String]
  private let similar: [String]
  private let related: [String]
  private let vocabulary: [String]

  /// - Throws: ``TrainingFault/emptyPhrase`` and ``TrainingFault/unspeakable(phrase:character:)``.
  package init(_ phrase: String, pronunciations: Pronunciations?) throws(TrainingFault) {
    words = try Self.words(of: phrase)
    let limit = 400
    var similar: [String] = []
    var related: [String] = []
    if let pronunciations {
      for word in words {
        similar += pronunciations.neighbours(of: word, within: 2, limit: limit / words.count)
        related += pronunciations.relatives(of: word, sharing: 3).prefix(limit)
      }
    }
    // "computers" holds "computer": neither for nor against the phrase, so nobody says it.
    let phrase = words
    func isOther(_ word: String) -> Bool { pronunciations?.says(word, oneOf: phrase) == false }
    self.similar = similar.filter(isOther)
    self.related = related.filter(isOther)
    vocabulary =
      pronunciations.map { dictionary in
        stride(from: 0, to: dictionary.entries.count, by: 29).map { dictionary.entries[$0].word }
          .filter(isOther)
      } ?? []
  }

  /// The words of `phrase` in small letters, with nothing but letters and apostrophes.
  package static func words(of phrase: String) throws(TrainingFault) -> [String] {
    for character in phrase {
      let isLatin = character.unicodeScalars.first.map { $0.value < 0x250 } ?? false
      if (character.isLetter && !isLatin) || character.isNumber || (character.isSymbol && character != "-") {
        throw .unspeakable(phrase: phrase, character: String(character))
      }
    }
    let words = phrase.lowercased().split { !($0.isLetter || $0 == "'") }.map(String.init)
      .filter { $0.contains(where: \.isLetter) }
    guard !words.isEmpty else { throw .emptyPhrase }
    return words
  }

  /// The phrase as one speaker may say it.
  package func positive(_ random: inout RandomSource) -> String {
    let text = words.joined(separator: words.count > 1 && random.chance(0.12) ? ", " : " ")
    return text + [".", "!", "?", ",", "", ""][Int(random.next() % 6)]
  }

  /// Something else: near words, parts and rotations of the phrase, words, sentences.
  package func negative(_ random: inout RandomSource) -> String {
    let draw = random.uniform()
    if draw < 0.2, let text = near(&random) { return text }
    if draw < 0.33, let word = pick(related, &random) { return word }
    if draw < 0.45, let text = rearranged(&random) { return text }
    if draw < 0.7, !vocabulary.isEmpty {
      let count = 1 + Int(random.next() % 4)
      return (0..<count).map { _ in pick(vocabulary, &random)! }.joined(separator: " ")
    }
    return withoutPhrase(pick(Sentences.all, &random)!)
  }

  private func near(_ random: inout RandomSource) -> String? {
    guard let word = pick(similar, &random) else { return nil }
    guard words.count > 1 else { return word }
    var changed = words
    // A near word in the place of one of the phrase's own, so that each single word must be right.
    changed[Int(random.next() % UInt64(words.count))] = word
    return changed.joined(separator: " ")
  }

  private func rearranged(_ random: inout RandomSource) -> String? {
    guard words.count > 1 else {
      // Halves of a single word, as letters let it be cut.
      let letters = Array(words[0])
      guard letters.count >= 5 else { return nil }
      let cut = letters.count / 2 + Int(random.next() % 2)
      return String(random.chance(0.5) ? letters[..<cut] : letters[(letters.count - cut)...])
    }
    switch random.next() % 3 {
    case 0: return words[Int(random.next() % UInt64(words.count))]
    case 1: return words.reversed().joined(separator: " ")
    default:
      let kept = words[Int(random.next() % UInt64(words.count))]
      return "\(kept) \(pick(vocabulary.isEmpty ? Sentences.words : vocabulary, &random)!)"
    }
  }

  private func withoutPhrase(_ sentence: String) -> String {
    let phrase = words.joined(separator: " ")
    let spoken = sentence.lowercased().split { !($0.isLetter || $0 == "'") }.joined(separator: " ")
    return " \(spoken) ".contains(" \(phrase) ") ? Sentences.all[0] : sentence
  }

  private func pick(_ words: [String], _ random: inout RandomSource) -> String? {
    words.isEmpty ? nil : words[Int(random.next() % UInt64(words.count))]
  }
}
