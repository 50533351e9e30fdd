import Platform
import TestServers
import Testing
import Training

@Suite(.limited(minutes: 15)) struct PhraseScriptTests {

  private func script(
    _ phrase: String, _ language: String = "en", _ pronunciations: [String] = [],
    dictionary: Pronunciations? = nil
  ) throws -> PhraseScript {
    var settings = TrainingSettings(phrase: phrase)
    settings.language = language
    settings.pronunciations = pronunciations
    return try settings.script(dictionary: dictionary, try Synthesizer())
  }

  private func text(_ input: SynthesisInput) -> String {
    switch input {
    case .text(let text), .english(let text), .sounds(let text): text
    }
  }

  @Test func negativesNeverContainThePhrase() throws {
    let script = try script("Good Morning", dictionary: Pronunciations())
    var random = RandomSource(seed: 2)
    for _ in 0..<2000 {
      let input = script.negative(&random)
      #expect(!text(input).lowercased().contains("good morning"), "\(input)")
    }
  }

  @Test func negativesContainPartsAndOtherOrdersOfThePhrase() throws {
    let script = try script("good morning", dictionary: nil)
    var random = RandomSource(seed: 4)
    let said = Set((0..<2000).map { _ in script.negative(&random) })
    for expected in ["good", "morning", "morning good"] { #expect(said.contains(.text(expected))) }
    #expect(said.contains { if case .sounds = $0 { true } else { false } })
  }

  @Test(.enabled(if: Files.exists(Pronunciations.installedPath), "needs pocketsphinx-en-us"))
  func whatIsMeasuredIsSimilarAndIsNotTrained() throws {
    for phrase in ["hey jupiter", "computer", "Rechner"] {
      let isForeign = phrase == "Rechner"
      let script = try script(phrase, isForeign ? "de" : "en", dictionary: Pronunciations())
      let measured = script.similar.measured
      let similar = measured.filter { !$0.isPart }.map(\.input)
      #expect(measured.contains(where: \.isPart) && similar.count >= 40, "\(phrase) \(similar.count)")
      #expect(measured == script.similar.measured)
      var random = RandomSource(seed: 4)
      let trained = Set((0..<4000).map { _ in script.negative(&random) })
      #expect(trained.intersection(similar).count <= (isForeign ? similar.count / 2 : 0))
      let texts = Set(similar.map(text))
      #expect(!texts.contains { $0.contains(phrase) })
      if phrase == "hey jupiter" {
        #expect(measured.contains { $0.isPart && $0.input == .text("jupiter") })
        #expect(trained.contains(.text("jupiter")) && trained.contains(.text("hey")))
        #expect(texts.allSatisfy { $0.hasPrefix("hey ") || $0.hasSuffix(" jupiter") })
      }
    }
  }

  @Test func rejectsWhatCannotBeSpoken() throws {
    #expect(throws: TrainingFault.emptyPhrase) { try script(" !") }
    for phrase in ["你好", "привет"] {
      #expect(
        throws: TrainingFault.unspeakable(phrase: phrase, character: String(phrase.first!), language: "en")
      ) {
        try script(phrase)
      }
    }
    #expect(throws: TrainingFault.unspeakable(phrase: "привет", character: "п", language: "de")) {
      try script("привет", "de")
    }
  }

  @Test(arguments: [
    ("Grüß Gott", "de"), ("привет", "ru"), ("你好", "zh"), ("नमस्ते", "hi"), ("hey r2d2", "en"),
    ("naïve", "EN-US"),
    ("ça va", "fr"),
  ])
  func speaksWhatEspeakSupports(_ phrase: String, _ language: String) throws {
    let script = try script(phrase, language)
    let synthesizer = try Synthesizer()
    #expect(!script.readings.isEmpty && script.readings.allSatisfy { $0.joined().count >= 3 })
    var random = RandomSource(seed: 5)
    for _ in 0..<20 {
      let input = script.positive(&random)
      #expect(synthesizer.speak(input, script.voice(for: input, &random)).count > 1600)
      let other = script.negative(&random)
      #expect(!synthesizer.speak(other, script.voice(for: other, &random)).isEmpty, "\(other)")
    }
  }

  @Test func aPronunciationReplacesTheSpelling() throws {
    let script = try script("computer", "en", ["SH IH V AO1 N", "[[k@mpj'u:t3]]"])
    var random = RandomSource(seed: 6)
    let said = Set((0..<50).map { _ in script.positive(&random) })
    #expect(said == [.sounds("S|I|v|'O:|n"), .sounds("k@mpj'u:t3")])
    #expect(script.readings.contains([[.sh, .ih, .v, .ao, .n]]), "\(script.readings)")
    let both = try self.script("computer", "en", ["SH IH V AO N", "spelled"])
    let either = (0..<50).map { _ in both.positive(&random) }
    #expect(either.contains(.sounds("S|I|v|'O:|n")) && either.contains { text($0).hasPrefix("computer") })
  }

  @Test(arguments: [("K AH M P J UW", "J"), ("K AH1 M1", "M1"), ("[[k@m~pa]]", "~"), ("[[]]", ""), ("", "")])
  func aBadSymbolIsNamed(_ pronunciation: String, _ symbol: String) {
    #expect {
      try script("computer", "en", [pronunciation])
    } throws: { error in
      guard case .badPronunciation(_, let named, _)? = error as? TrainingFault else { return false }
      return named == symbol
    }
  }

  @Test func arpabetIsForEnglish() {
    #expect(throws: TrainingFault.self) { try script("Rechner", "de", ["R EH K N ER"]) }
    #expect(throws: Never.self) { try script("Rechner", "de", ["[[r'ECn3]]"]) }
  }

  @Test func anUnknownLanguageGetsASuggestion() {
    #expect(throws: TrainingFault.unknownLanguage("dee", suggestion: "de")) { try script("hallo", "dee") }
    #expect(throws: TrainingFault.unknownLanguage("", suggestion: nil)) { try script("hallo", "") }
  }

  @Test(.enabled(if: Files.exists(Pronunciations.installedPath), "needs pocketsphinx-en-us"))
  func severalDictionaryPronunciationsAreUsed() throws {
    let script = try script("tomato", dictionary: Pronunciations())
    var random = RandomSource(seed: 7)
    let said = Set((0..<100).map { _ in script.positive(&random) })
    #expect(said.count { if case .sounds = $0 { true } else { false } } >= 1, "\(said)")
    #expect(script.readings.contains([[.t, .ah, .m, .aa, .t, .ow]]), "\(script.readings)")
  }
}

@Suite(.limited(minutes: 15)) struct PronunciationsTests {
  @Test(.enabled(if: Files.exists(Pronunciations.installedPath), "needs pocketsphinx-en-us"))
  func findsNearWords() throws {
    let pronunciations = try #require(Pronunciations())
    let computer = try #require(pronunciations.phonemes(of: "computer"))
    let near = pronunciations.neighbours(of: computer, within: 2, limit: 50)
    #expect(near.contains("commuter") && !near.contains("computer"))
    #expect(pronunciations.says("computers", oneOf: [computer]))
    #expect(!pronunciations.says("commuter", oneOf: [computer]))
    // A name that is not in the dictionary, by its sounds.
    #expect(
      pronunciations.neighbours(of: [.jh, .aa, .r, .v, .ah, .k], within: 1, limit: 50).contains("jarvis"))
    let jarvis = try #require(pronunciations.phonemes(of: "jarvis"))
    #expect(pronunciations.relatives(of: jarvis, sharing: 3).contains("jarvi"))
  }
}

@Suite(.limited(minutes: 15)) struct NearSoundsTests {
  private let near = NearSounds(
    [["k", "@", "m", "p", "j", "'u:", "t", "3"]],
    others: [
      ["f", "'aI", "v"], ["s", "'E", "v", "@", "n"], ["n", "'aI", "n"], ["z", "'i", "r", "oU"],
      ["l", "'A:", "k"],
    ])

  @Test func changesAreOneOrTwoSoundsOfAnotherGroup() {
    let phrase = "k|@|m|p|j|'u:|t|3".split(separator: "|")
    var random = RandomSource(seed: 8)
    var kinds: Set<Int> = []
    for _ in 0..<500 {
      let changed = near.changed(&random).split(separator: "|")
      guard changed.count == phrase.count else { continue }
      let edits = zip(changed, phrase).count { $0 != $1 }
      kinds.insert(edits)
      // Changes of unstressed vowels and of voicing are variants of pronunciation, not other words.
      #expect(changed[1] == "@" && changed[7] == "3")
      #expect(!["g"].contains(changed[0]))
    }
    #expect(kinds == [1, 2])
  }

  @Test func partsAreShorterThanThePhrase() throws {
    var random = RandomSource(seed: 9)
    for _ in 0..<100 {
      let part = try #require(near.part(&random))
      #expect("k|@|m|p|j|'u:|t|3".contains(part) && (2...6).contains(part.split(separator: "|").count))
    }
  }

  @Test func wordsThatTheDictionaryLacksArePronouncedByOtherLanguagesToo() throws {
    try #require(Pronunciations() != nil)
    var settings = TrainingSettings(phrase: "hey dracarys")
    let guesses = try Trainer.guesses(for: settings)
    #expect(guesses.map(\.word) == ["dracarys"])
    #expect(guesses[0].pronunciations.count > 1)
    #expect(guesses[0].pronunciations.contains("D R AA K AA R IY S"))
    settings.pronunciations = ["HH EY1, D R AH K AA1 R IH S"]
    #expect(try Trainer.guesses(for: settings).isEmpty)
    settings.pronunciations = []
    settings.language = "de"
    #expect(try Trainer.guesses(for: settings).isEmpty)
  }

  @Test func wordsOfTwoWordsOfTheDictionaryArePronouncedAsThese() throws {
    let dictionary = try #require(Pronunciations())
    func compound(_ word: String) -> String? {
      dictionary.compound(word)?.map(\.arpabet).joined(separator: " ")
    }
    #expect(compound("mycroft") == "M AY K R AO F T")
    #expect(compound("chatterbox") == "CH AE T ER B AA K S")
    #expect(compound("dracarys") == nil)
    #expect(compound("nabu") == nil && compound("") == nil)
    let guesses = try Trainer.guesses(for: TrainingSettings(phrase: "hey mycroft"))
    #expect(guesses[0].pronunciations.dropFirst().first == "M AY K R AO F T")
  }

  @Test(arguments: [("go", true), ("hello", true), ("alexa", false), ("okay nabu", false), ("jarvis", false)])
  func phrasesOfFewSoundsAreShort(_ phrase: String, _ isShort: Bool) throws {
    let sounds = try Trainer.sounds(of: TrainingSettings(phrase: phrase))
    #expect((sounds < Trainer.fewestSounds) == isShort, "\(sounds)")
  }

  @Test(.enabled(if: Files.exists(Pronunciations.installedPath), "needs pocketsphinx-en-us"))
  func aPhraseThatSoundsLikeThatOfAnotherModelIsWarnedOf() throws {
    let others = ["computer", "okay nabu"]
    func similar(_ phrase: String) throws -> [PhraseWarning] {
      try Trainer.warnings(of: TrainingSettings(phrase: phrase), others: others).filter {
        if case .similar = $0 { true } else { false }
      }
    }
    #expect(try similar("commuter") == [.similar(phrase: "commuter", other: "computer")])
    #expect(try similar("hey nabu") == [.similar(phrase: "hey nabu", other: "okay nabu")])
    #expect(try similar("hey jupiter").isEmpty)
    #expect(try similar("Computer!").isEmpty, "the same model")
  }

  @Test func everyVoiceOfATrainingHasANameAndSpeaks() throws {
    let settings = TrainingSettings(phrase: "hello house")
    let voices = SynthesisVoice.all(.english).map(\.name)
    #expect(Set(voices).count == voices.count && voices.count > 20)
    for voice in voices.filter({ $0.hasPrefix("flite") }) + voices.prefix(3) {
      let samples = try PhraseDescription.spoken(by: voice, settings)
      #expect((4_000...48_000).contains(samples.count), "\(voice)")
    }
    var given = settings
    given.pronunciations = ["HH AH L OW, HH AW S"]
    #expect(try PhraseDescription.spoken(by: voices[0], given).count > 4_000)
    #expect(throws: TrainingFault.textOnlyVoice("flite slt")) {
      try PhraseDescription.spoken(by: "flite slt", given)
    }
    #expect(throws: TrainingFault.unknownVoice("nobody")) {
      try PhraseDescription.spoken(by: "nobody", settings)
    }
  }

  @Test(.enabled(if: Files.exists(Pronunciations.installedPath), "needs pocketsphinx-en-us"))
  func aPhraseThatTheBackgroundSaysIsCommon() throws {
    for (phrase, isCommon) in [("morning", true), ("go", true), ("hey jupiter", false), ("computer", false)] {
      let common = try #require(try Trainer.commonness(of: TrainingSettings(phrase: phrase)))
      #expect(common.isHigh == isCommon && common.hours > 3, "\(phrase): \(common)")
    }
    var german = TrainingSettings(phrase: "Morgen")
    german.language = "de"
    #expect(try Trainer.commonness(of: german) == nil)
  }
}
