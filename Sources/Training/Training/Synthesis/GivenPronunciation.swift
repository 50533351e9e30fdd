import Platform

/// A pronunciation of the phrase given by the user.
package struct GivenPronunciation: Sendable, Equatable {
  /// The input for espeak-ng.
  package let input: SynthesisInput

  /// Parses ARPAbet as in the CMU dictionary (`K AH M P Y UW T ER`, with optional stress digits and `,`
  /// between words), espeak-ng's phoneme names in double brackets (`[[k@mpj'u:t3]]`), or `spelled` for the
  /// pronunciation as spelled.
  ///
  /// - Throws: ``TrainingFault/badPronunciation(text:symbol:allowed:)``.
  package init(_ text: String, phrase: String, language: Language, _ synthesizer: Synthesizer)
    throws(TrainingFault)
  {
    let trimmed = text.split(separator: " ").joined(separator: " ")
    if trimmed == "spelled" {
      input = .text(phrase)
    } else if trimmed.hasPrefix("[[") {
      let names = trimmed.dropFirst(2)
      guard names.hasSuffix("]]") else { throw Self.fault(text, "[[", "]] at the end") }
      input = .sounds(try Self.espeak(String(names.dropLast(2)), text, language, synthesizer))
    } else {
      guard language.isEnglish else {
        throw Self.fault(
          text, trimmed, "espeak-ng's phoneme names in [[ ]], as ARPAbet has English sounds only")
      }
      input = .sounds(try Self.arpabet(trimmed, text))
    }
  }

  private static func fault(_ text: String, _ symbol: String, _ allowed: String) -> TrainingFault {
    .badPronunciation(text: text, symbol: symbol, allowed: allowed)
  }

  private static func espeak(
    _ names: String, _ text: String, _ language: Language, _ synthesizer: Synthesizer
  ) throws(TrainingFault) -> String {
    let allowed = "espeak-ng's phoneme names, as 'espeak-ng -v \(language.voice) -q -x WORD' prints them"
    // espeak-ng stops at an unknown name: sounds after it are missing from its output.
    func isRead(_ part: some StringProtocol) -> Bool {
      !part.contains(where: { "[]".contains($0) })
        && ["m", "k"].allSatisfy { (sound: String) in
          synthesizer.sounds(of: .sounds("\(part)|\(sound)"), language).last?.last == sound
        }
    }
    guard isRead(names) else {
      let bad = names.indices.first { !isRead(names[...$0]) }
      throw fault(text, bad.map { String(names[$0]) } ?? names, allowed)
    }
    guard !synthesizer.sounds(of: .sounds(names), language).isEmpty else { throw fault(text, names, allowed) }
    return names
  }

  /// Converts ARPAbet to espeak-ng's names. Without stress digits, the first full vowel of a word is
  /// stressed.
  private static func arpabet(_ symbols: String, _ text: String) throws(TrainingFault) -> String {
    let parts = symbols.split(whereSeparator: { $0 == "," || $0 == "|" })
    guard !parts.isEmpty else { throw fault(text, symbols, allowedARPAbet) }
    var words: [String] = []
    for part in parts {
      let names = part.split(separator: " ").map(String.init)
      var sounds: [(phoneme: Phoneme, stress: Character?)] = []
      for name in names {
        let stress = name.last.flatMap { "012".contains($0) ? $0 : nil }
        let letters = stress == nil ? name[...] : name.dropLast()
        guard let phoneme = Phoneme(arpabet: letters), phoneme.espeak != nil,
          letters.allSatisfy(\.isLetter), stress == nil || phoneme.isVowel
        else { throw fault(text, name, allowedARPAbet) }
        sounds.append((phoneme, stress))
      }
      words.append(phonemeNames(sounds))
    }
    return words.joined(separator: " ")
  }

  /// Returns a dictionary's pronunciation of words in espeak-ng's names.
  package static func names(of words: [[Phoneme]]) -> String {
    words.map { phonemeNames($0.map { ($0, nil) }) }.joined(separator: " ")
  }

  private static func phonemeNames(_ sounds: [(phoneme: Phoneme, stress: Character?)]) -> String {
    let isMarked = sounds.contains { $0.stress == "1" }
    let vowels = sounds.indices.filter { sounds[$0].phoneme.isVowel }
    let main = vowels.first { ![.ah, .er, .ih].contains(sounds[$0].phoneme) } ?? vowels.first
    return sounds.indices.map { index in
      let (phoneme, stress) = sounds[index]
      let isMain = isMarked ? stress == "1" : index == main
      let name = phoneme.espeak!
      if isMain { return "'" + name }
      if stress == "2" { return "," + name }
      return phoneme == .ah ? "@" : phoneme == .er ? "3" : name
    }.joined(separator: "|")
  }

  private static let allowedARPAbet = Phoneme.allCases.filter { $0.espeak != nil }
    .map { "\($0)".uppercased() }.joined(separator: " ")
}

extension Phoneme {
  /// espeak-ng's name for it in English; nil for silence and for sounds that English lacks.
  package var espeak: String? { Self.espeakNames[self] }

  package var isVowel: Bool { Self.vowels.contains(self) }

  private static let vowels: Set<Phoneme> = [
    .aa, .ae, .ah, .ao, .aw, .ay, .eh, .er, .ey, .ih, .iy, .ow, .oy, .uh, .uw, .ue, .oe,
  ]

  private static let espeakNames: [Phoneme: String] = [
    .aa: "A:", .ae: "a", .ah: "V", .ao: "O:", .aw: "aU", .ay: "aI", .eh: "E", .er: "3:", .ey: "eI", .ih: "I",
    .iy: "i:", .ow: "oU", .oy: "OI", .uh: "U", .uw: "u:", .b: "b", .ch: "tS", .d: "d", .dh: "D", .f: "f",
    .g: "g",
    .hh: "h", .jh: "dZ", .k: "k", .l: "l", .m: "m", .n: "n", .ng: "N", .p: "p", .r: "r", .s: "s", .sh: "S",
    .t: "t", .th: "T", .v: "v", .w: "w", .y: "j", .z: "z", .zh: "Z",
  ]
}
