import Platform

/// The text of the synthetic speech: the phrase in its pronunciations, and text without the phrase.
package struct PhraseScript: Sendable {
  /// The words of the phrase in lower case.
  package let words: [String]
  package let language: Language
  /// The pronunciations of the phrase, each as the sounds of its words.
  package let readings: [[[Phoneme]]]
  /// One pronunciation for each reading, without other accents.
  package let usualReadings: [[[Phoneme]]]
  /// The words that the English dictionary lacks.
  let unknownWords: [String]
  /// The inputs for the phrase; several are used equally often.
  private let phraseInputs: [SynthesisInput]
  package let similar: SimilarPhrases
  private let vocabulary: [String]
  private let near: NearSounds

  /// - Parameters:
  ///   - given: the pronunciations given by the user; if empty, the phrase is pronounced as spelled.
  ///   - dictionary: an English dictionary.
  /// - Throws: ``TrainingFault/emptyPhrase`` and ``TrainingFault/unspeakable(phrase:character:language:)``.
  package init(
    _ phrase: String, language: Language = .english, given: [GivenPronunciation] = [],
    dictionary: Pronunciations?, _ synthesizer: Synthesizer
  ) throws(TrainingFault) {
    let words = try Self.words(of: phrase)
    self.words = words
    self.language = language
    let sounds = try Self.sounds(of: phrase, words, language, given, synthesizer)
    let text = words.joined(separator: " ")
    let said =
      given.isEmpty ? [.text(text)] : given.map { $0.input == .text(phrase) ? .text(text) : $0.input }
    let known = language.isEnglish ? dictionary : nil
    let variants = Self.variants(of: words, known, synthesizer)
    unknownWords = given.isEmpty ? words.filter { known?.readings(of: $0).isEmpty == true } : []
    phraseInputs =
      given.isEmpty ? said + variants.dropFirst().map { .sounds(GivenPronunciation.names(of: $0)) } : said
    let accents = language.isAnyEnglish ? ["en-us", "en"] : [language.voice]
    func reading(_ input: SynthesisInput, _ accent: String) -> [[Phoneme]] {
      Self.parts(of: input).map { synthesizer.phonemes(of: $0, SynthesisVoice(.espeak(accent))) }
    }
    var usual: [[[Phoneme]]] = []
    for input in said {
      usual += input == .text(text) && !variants.isEmpty ? variants : [reading(input, accents[0])]
    }
    usual = usual.filter { !$0.joined().isEmpty }
    usualReadings = Array(usual.prefix(Self.mostReadings))
    for input in said {
      for accent in accents {
        let other = reading(input, accent)
        if !other.joined().isEmpty, !usual.contains(other) { usual.append(other) }
      }
    }
    let ways = Array(usual.prefix(Self.mostReadings))
    readings = ways
    near = NearSounds(sounds, others: Self.numbers(language, synthesizer))
    // The words of all readings that have as many words as the phrase.
    let targets = words.indices.map { word in
      ways.filter { $0.count == words.count }.map { $0[word] }
    }
    // "computers" contains "computer", so it is neither a positive nor a negative and is not used.
    func isOther(_ word: String) -> Bool {
      !words.contains(word) && dictionary?.says(word, oneOf: targets.flatMap { $0 }) == false
    }
    vocabulary =
      dictionary.map { dictionary in
        stride(from: 0, to: dictionary.entries.count, by: 29).map { dictionary.entries[$0].word }
          .filter(isOther)
      } ?? []
    similar = SimilarPhrases(
      words, targets: targets, dictionary: known, sounds: near, vocabulary: vocabulary, isOther: isOther)
  }

  /// Returns the words of `phrase` in lower case, with only letters, digits and apostrophes.
  package static func words(of phrase: String) throws(TrainingFault) -> [String] {
    let words = phrase.lowercased().split { !($0.isLetter || $0.isNumber || $0 == "'" || $0 == "’") }
      .map(String.init).filter { $0.contains { $0.isLetter || $0.isNumber } }
    guard !words.isEmpty else { throw .emptyPhrase }
    return words
  }

  /// Returns the phrase in a random variant.
  ///
  /// - Parameter isText: only pronunciations that are given as text; there must be one.
  package func positive(_ random: inout RandomSource, isText: Bool = false) -> SynthesisInput {
    let inputs = isText ? phraseInputs.filter { $0.isText(in: language) } : phraseInputs
    let saying = inputs[inputs.count > 1 ? Int(random.next() % UInt64(inputs.count)) : 0]
    guard case .text = saying else { return saying }
    let text = words.joined(separator: words.count > 1 && random.chance(0.12) ? ", " : " ")
    return .text(text + [".", "!", "?", ",", "", ""][Int(random.next() % 6)])
  }

  /// Returns a random negative: similar words and sounds, parts and rotations of the phrase, other words,
  /// sentences.
  package func negative(_ random: inout RandomSource) -> SynthesisInput {
    if !near.isEmpty, random.chance(language.isEnglish ? Self.nearShare : Self.foreignNearShare) {
      let draw = random.uniform()
      if draw < 0.5 { return .sounds(near.changed(&random)) }
      if draw < 0.75, let part = near.part(&random) { return .sounds(part) }
      if let word = near.invented(&random) { return .sounds(word) }
    }
    let draw = random.uniform()
    if draw < 0.33, let text = similar.trained(&random) { return .text(text) }
    if draw < 0.43, let text = rearranged(&random) { return .text(text) }
    if draw < 0.55, let text = similar.trainedPart(&random) { return .text(text) }
    if !language.isEnglish, draw < 0.6 { return .text("\(random.next() % 10_000)") }
    if draw < 0.7, !vocabulary.isEmpty {
      let count = 1 + Int(random.next() % 4)
      return .english((0..<count).map { _ in pick(vocabulary, &random)! }.joined(separator: " "))
    }
    return .english(withoutPhrase(pick(Sentences.all, &random)!))
  }

  /// Whether a pronunciation of the phrase is given as text, which every voice speaks.
  var isSpokenAsText: Bool { phraseInputs.contains { $0.isText(in: language) } }

  /// Returns a random voice that can speak `input`.
  package func voice(for input: SynthesisInput, _ random: inout RandomSource) -> SynthesisVoice {
    switch input {
    case .text: .random(&random, language)
    case .sounds: .random(&random, language, bySounds: true)
    case .english: .random(&random)
    }
  }

  private static let mostReadings = 16

  /// The shares of sound sequences among the negatives. Fewer are needed if a dictionary contains real
  /// similar words.
  private static let nearShare: Float = 0.12
  private static let foreignNearShare: Float = 0.45

  private func rearranged(_ random: inout RandomSource) -> String? {
    guard words.count > 1 else {
      // Halves of a single word, split by letters.
      let letters = Array(words[0])
      guard letters.count >= 5 else { return nil }
      let cut = letters.count / 2 + Int(random.next() % 2)
      return String(random.chance(0.5) ? letters[..<cut] : letters[(letters.count - cut)...])
    }
    if random.chance(0.5), words.reversed() != words { return words.reversed().joined(separator: " ") }
    let kept = words[Int(random.next() % UInt64(words.count))]
    return "\(kept) \(pick(vocabulary.isEmpty ? Sentences.words : vocabulary, &random)!)"
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

extension PhraseScript {
  /// Returns espeak-ng's names of the sounds of each word.
  private static func sounds(
    of phrase: String, _ words: [String], _ language: Language, _ given: [GivenPronunciation],
    _ synthesizer: Synthesizer
  ) throws(TrainingFault) -> [[String]] {
    let said = given.first?.input ?? .text(words.joined(separator: " "))
    let sounds = synthesizer.sounds(of: said, language)
    let isForeign = sounds.joined().contains { $0.hasPrefix("(") }
    // espeak-ng spells out letters of another script, which no speaker would.
    let foreignLetter = phrase.first { character in
      character.isLetter
        && character.unicodeScalars.contains { $0.value >= 0x250 && $0.properties.isAlphabetic }
    }
    if given.isEmpty, let foreignLetter, language.isEnglish || isForeign {
      throw .unspeakable(phrase: phrase, character: String(foreignLetter), language: language.voice)
    }
    let clean = sounds.map { $0.filter { !$0.hasPrefix("(") } }.filter { !$0.isEmpty }
    guard !clean.isEmpty else {
      throw .unspeakable(phrase: phrase, character: phrase, language: language.voice)
    }
    return clean
  }

  /// Returns up to six pronunciations of the words together, from the dictionary or else espeak-ng; empty
  /// without a dictionary.
  private static func variants(
    of words: [String], _ dictionary: Pronunciations?, _ synthesizer: Synthesizer
  ) -> [[[Phoneme]]] {
    guard let dictionary else { return [] }
    var variants: [[[Phoneme]]] = [[]]
    for word in words {
      let known = dictionary.readings(of: word)
      let readings = known.isEmpty ? guesses(word, dictionary, synthesizer) : known
      variants = variants.flatMap { variant in readings.map { variant + [$0] } }
    }
    return Array(variants.prefix(6))
  }

  /// Returns the pronunciations of a word that is not in the dictionary, often a name from another language: by the rules of
  /// English, as two words of the dictionary, and by the rules of languages whose letters have one sound each.
  static func guesses(_ word: String, _ dictionary: Pronunciations, _ synthesizer: Synthesizer) -> [[Phoneme]]
  {
    let foreign = ["es", "it", "de"].map {
      synthesizer.phonemes(of: .text(word), SynthesisVoice(.espeak($0))).map(\.inEnglish)
    }
    var guesses = [synthesizer.phonemes(of: word)]
    for sounds in [dictionary.compound(word)].compactMap({ $0 }) + foreign
    where !sounds.isEmpty && !guesses.contains(sounds) { guesses.append(sounds) }
    return guesses
  }

  private static func parts(of input: SynthesisInput) -> [SynthesisInput] {
    switch input {
    case .text(let text): text.split(separator: " ").map { .text(String($0)) }
    case .english(let text): text.split(separator: " ").map { .english(String($0)) }
    case .sounds(let names): names.split(separator: " ").map { .sounds(String($0)) }
    }
  }

  /// Returns the sounds of number words, which espeak-ng supports in every language.
  private static func numbers(_ language: Language, _ synthesizer: Synthesizer) -> [[String]] {
    (Array(0...20) + [30, 48, 57, 69, 73, 86, 92, 100, 500, 1000, 1_000_000]).flatMap {
      synthesizer.sounds(of: .text("\($0)"), language)
    }.map { $0.filter { !$0.hasPrefix("(") } }
  }
}

extension TrainingSettings {
  /// Returns the text of the synthetic speech for these settings.
  ///
  /// - Throws: ``TrainingFault``.
  package func script(
    dictionary: Pronunciations?, _ synthesizer: Synthesizer
  ) throws(TrainingFault) -> PhraseScript {
    let language = try Language(language, synthesizer)
    var given: [GivenPronunciation] = []
    for text in pronunciations {
      given.append(try GivenPronunciation(text, phrase: phrase, language: language, synthesizer))
    }
    return try PhraseScript(phrase, language: language, given: given, dictionary: dictionary, synthesizer)
  }
}
