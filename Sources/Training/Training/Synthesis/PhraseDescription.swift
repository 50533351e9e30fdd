import Detection
import PCM
import Platform

/// How a phrase will be trained: its pronunciations, its synthetic voices, and what may cause false alarms.
package struct PhraseDescription: Sendable {
  /// The name of its model: the words, joined by `_`.
  package let name: String
  /// In ARPAbet, with a comma between words.
  package let pronunciations: [String]
  package let guesses: [Trainer.Guess]
  package let warnings: [PhraseWarning]
  /// The names of the voices; see ``spoken(by:_:)``.
  package let voices: [String]

  /// - Parameter store: the models whose phrases must not sound alike.
  /// - Throws: ``TrainingFault``.
  package init(_ settings: TrainingSettings, in store: ModelStore) throws {
    let script = try settings.script(dictionary: Pronunciations(), try Synthesizer())
    let name = try Trainer.words(of: settings).joined(separator: "_")
    let others = store.list().filter { $0.name != name }.compactMap { try? HotwordModel(reading: $0.path) }
      .filter { ($0.training["language"]?.string ?? "en") == settings.language }.map(\.phrase)
    self.name = name
    pronunciations = script.usualReadings.map { words in
      words.map { $0.map(\.arpabet).joined(separator: " ") }.joined(separator: ", ")
    }
    guesses = try Trainer.guesses(for: settings)
    warnings = try Trainer.warnings(of: settings, others: others)
    voices = SynthesisVoice.all(script.language).map(\.name)
  }

  package var json: JSON {
    [
      "name": .string(name), "pronunciations": .array(pronunciations.map { .string($0) }),
      "guessed": .array(guesses.map { .string($0.word) }),
      "warnings": .array(warnings.map { .string($0.message) }),
      "voices": .array(voices.map { .string($0) }),
    ]
  }

  /// Returns the phrase as `voice` says it: 16 kHz. The first pronunciation of the settings is used, or the spelling.
  ///
  /// - Throws: ``TrainingFault``.
  package static func spoken(by voice: String, _ settings: TrainingSettings) throws -> [Int16] {
    let synthesizer = try Synthesizer()
    let language = try Language(settings.language, synthesizer)
    guard let found = SynthesisVoice.all(language).first(where: { $0.name == voice }) else {
      throw TrainingFault.unknownVoice(voice)
    }
    let text = try Trainer.words(of: settings).joined(separator: " ")
    let input =
      try settings.pronunciations.first.map {
        try GivenPronunciation($0, phrase: text, language: language, synthesizer).input
      } ?? .text(text)
    let samples = synthesizer.speak(input, found)
    guard !samples.isEmpty else { throw TrainingFault.textOnlyVoice(voice) }
    // As loud as a person who speaks into the microphone.
    let peak = samples.reduce(Float(0.01)) { max($0, abs($1)) }
    return samples.map { Int16(20_000 * $0 / peak) }
  }
}
