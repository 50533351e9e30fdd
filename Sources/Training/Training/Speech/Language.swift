import Platform

/// A language that espeak-ng speaks.
package struct Language: Sendable, Equatable {
  /// espeak-ng's voice of it: `de`.
  package let voice: String

  package static let english = Language(voice: "en")

  private init(voice: String) { self.voice = voice }

  /// The language of a code as `espeak-ng --voices` lists them, in either case: `de`, `pt-br`.
  ///
  /// - Throws: ``TrainingFault/unknownLanguage(_:suggestion:)``.
  package init(_ code: String, _ synthesizer: Synthesizer) throws(TrainingFault) {
    let code = code.lowercased()
    let voices = synthesizer.voices()
    let found =
      voices.first { $0.name == code }
      ?? voices.filter { $0.languages[code] != nil }.min { $0.languages[code]! < $1.languages[code]! }
    guard let found else {
      let known = Set(voices.map(\.name)).union(voices.flatMap(\.languages.keys)).sorted()
      throw .unknownLanguage(code, suggestion: Suggestion.nearest(to: code, among: known))
    }
    // Of Mandarin's two voices this one reads characters.
    voice = found.name == "cmn" ? "cmn-latn-pinyin" : found.name
  }

  package var isEnglish: Bool { voice == "en" || voice.hasPrefix("en-") }

  /// Whether its speakers come with every English accent.
  package var isAnyEnglish: Bool { voice == "en" }
}
