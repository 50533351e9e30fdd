/// Pronunciations in ARPAbet, the phones of the CMU dictionary and of PocketSphinx's English models.
public enum Pronunciation {
  /// All phones, without stress.
  static let phones: Set<String> = [
    "AA", "AE", "AH", "AO", "AW", "AY", "B", "CH", "D", "DH", "EH", "ER", "EY", "F", "G", "HH", "IH", "IY",
    "JH",
    "K", "L", "M", "N", "NG", "OW", "OY", "P", "R", "S", "SH", "T", "TH", "UH", "UW", "V", "W", "Y", "Z",
    "ZH",
  ]

  /// The phones of an English pronunciation in IPA, as printed by `espeak-ng --ipa`; nil for sounds that English does
  /// not have. Stress, length and tie marks are ignored.
  public static func arpabet(ipa: String) -> [String]? {
    if case .success(let phones) = read(ipa: ipa) { phones } else { nil }
  }

  /// The phones, or the first symbol without one; nil for text without symbols.
  static func read(ipa: String) -> Result<[String], UnknownSymbol>? {
    var rest = Substring(ipa.filter { !"ˈˌː͡‍ ̩-_'".unicodeScalars.contains($0.unicodeScalars.first!) })
    var phones: [String] = []
    while let first = rest.first {
      guard let (symbol, sounds) = match(rest, ipaTable) else {
        return .failure(UnknownSymbol(symbol: first))
      }
      phones += sounds
      rest = rest.dropFirst(symbol.count)
    }
    return phones.isEmpty ? nil : .success(phones)
  }

  /// A symbol of IPA for a sound that English does not have.
  struct UnknownSymbol: Error {
    let symbol: Character
  }

  /// The phones by English spelling rules: usually correct for regular words, a guess for others.
  ///
  /// Greedy letter-to-sound rules, longest match first. nil where `word` has anything but a–z and apostrophes.
  public static func arpabet(spelling word: String) -> [String]? {
    let letters = word.lowercased().filter { $0 != "'" && $0 != "-" }
    guard !letters.isEmpty, letters.allSatisfy({ $0.isASCII && $0.isLetter }) else { return nil }
    guard letters.contains(where: { "aeiouy".contains($0) }) else {
      return letters.flatMap { letterNames[$0] ?? [] }
    }
    var rest = Substring(letters)
    var phones: [String] = []
    while !rest.isEmpty {
      let atStart = rest.startIndex == letters.startIndex
      if let length = magic(rest, &phones) {
        rest = rest.dropFirst(length)
        continue
      }
      if !atStart, rest == "e", phones.contains(where: isVowel) { break }
      if !atStart, rest == "es" || rest == "ed", phones.contains(where: isVowel), let last = phones.last {
        phones += ending(rest, after: last)
        break
      }
      if !atStart, rest == "y" {
        phones.append("IY")
        break
      }
      if atStart, let (symbol, sounds) = match(rest, initialTable) {
        phones += sounds
        rest = rest.dropFirst(symbol.count)
      } else if let (symbol, sounds) = match(rest, spellingTable) {
        if symbol.count > 1 || sounds != phones.suffix(1) || isVowel(sounds[0]) { phones += sounds }
        rest = rest.dropFirst(symbol.count)
      } else {
        return nil
      }
    }
    return phones
  }

  /// A long vowel before one consonant and a silent e: "make", "pipe".
  private static func magic(_ rest: Substring, _ phones: inout [String]) -> Int? {
    let letters = Array(rest)
    guard letters.count == 3 || letters.count == 4 && letters[3] == "s", letters[2] == "e",
      let vowel = ["a": "EY", "e": "IY", "i": "AY", "o": "OW", "u": "UW", "y": "AY"][letters[0]],
      !"aeiouywxr".contains(letters[1])
    else { return nil }
    let consonant = ["c": "S", "g": "JH", "s": "Z"][letters[1]]
    guard let sound = consonant ?? match(Substring(String(letters[1])), spellingTable)?.1.first else {
      return nil
    }
    phones += [vowel, sound]
    if letters.count == 4 { phones += ending("es", after: sound) }
    return letters.count
  }

  private static func ending(_ letters: Substring, after last: String) -> [String] {
    if letters == "ed" {
      if last == "T" || last == "D" { return ["IH", "D"] }
      return ["P", "K", "F", "S", "SH", "CH", "TH"].contains(last) ? ["T"] : ["D"]
    }
    if ["S", "Z", "SH", "CH", "JH", "ZH"].contains(last) { return ["IH", "Z"] }
    return ["P", "T", "K", "F", "TH"].contains(last) ? ["S"] : ["Z"]
  }

  private static func isVowel(_ phone: String) -> Bool { "AEIOU".contains(phone.first!) }

  private static func match(
    _ text: Substring, _ table: [String: [String]]
  ) -> (symbol: String, sounds: [String])? {
    for length in stride(from: min(5, text.count), through: 1, by: -1) {
      let symbol = String(text.prefix(length))
      if let sounds = table[symbol] { return (symbol, sounds) }
    }
    return nil
  }

  private static let initialTable: [String: [String]] = [
    "kn": ["N"], "wr": ["R"], "ps": ["S"], "gn": ["N"], "x": ["Z"], "rh": ["R"], "mc": ["M", "AH", "K"],
  ]

  private static let spellingTable: [String: [String]] = [
    "tion": ["SH", "AH", "N"], "sion": ["ZH", "AH", "N"], "ture": ["CH", "ER"], "ight": ["AY", "T"],
    "ough": ["OW"], "augh": ["AO"], "eigh": ["EY"], "ange": ["EY", "N", "JH"], "tch": ["CH"], "dge": ["JH"],
    "sch": ["S", "K"], "igh": ["AY"], "air": ["EH", "R"], "are": ["EH", "R"], "ear": ["IH", "R"],
    "eer": ["IH", "R"], "ire": ["AY", "ER"], "our": ["AO", "R"], "ore": ["AO", "R"], "ure": ["Y", "UH", "R"],
    "cia": ["SH", "AH"], "tia": ["SH", "AH"], "qu": ["K", "W"], "ch": ["CH"], "sh": ["SH"], "th": ["TH"],
    "ph": ["F"], "wh": ["W"], "gh": ["G"], "ck": ["K"], "ng": ["NG"], "nk": ["NG", "K"], "dj": ["JH"],
    "ce": ["S", "EH"], "ci": ["S", "IH"], "cy": ["S", "IY"], "ge": ["JH", "EH"], "gi": ["JH", "IH"],
    "aa": ["AA"], "ai": ["EY"], "ay": ["EY"], "au": ["AO"], "aw": ["AO"], "ea": ["IY"], "ee": ["IY"],
    "ei": ["IY"], "ey": ["IY"], "eu": ["UW"], "ew": ["UW"], "ia": ["IY", "AH"], "ie": ["IY"],
    "io": ["IY", "OW"],
    "oa": ["OW"], "oe": ["OW"], "oi": ["OY"], "oo": ["UW"], "ou": ["AW"], "ow": ["OW"], "oy": ["OY"],
    "ue": ["UW"], "ui": ["UW"], "ar": ["AA", "R"], "er": ["ER"], "ir": ["ER"], "or": ["AO", "R"],
    "ur": ["ER"],
    "mb": ["M"], "sc": ["S", "K"], "le": ["AH", "L"],
    "a": ["AE"], "b": ["B"], "c": ["K"], "d": ["D"], "e": ["EH"], "f": ["F"], "g": ["G"], "h": ["HH"],
    "i": ["IH"], "j": ["JH"], "k": ["K"], "l": ["L"], "m": ["M"], "n": ["N"], "o": ["AA"], "p": ["P"],
    "q": ["K"], "r": ["R"], "s": ["S"], "t": ["T"], "u": ["AH"], "v": ["V"], "w": ["W"], "x": ["K", "S"],
    "y": ["Y"], "z": ["Z"],
  ]

  private static let letterNames: [Character: [String]] = [
    "b": ["B", "IY"], "c": ["S", "IY"], "d": ["D", "IY"], "f": ["EH", "F"], "g": ["JH", "IY"],
    "h": ["EY", "CH"], "j": ["JH", "EY"], "k": ["K", "EY"], "l": ["EH", "L"], "m": ["EH", "M"],
    "n": ["EH", "N"],
    "p": ["P", "IY"], "q": ["K", "Y", "UW"], "r": ["AA", "R"], "s": ["EH", "S"], "t": ["T", "IY"],
    "v": ["V", "IY"], "w": ["D", "AH", "B", "AH", "L", "Y", "UW"], "x": ["EH", "K", "S"], "z": ["Z", "IY"],
  ]

  private static let ipaTable: [String: [String]] = [
    "tʃ": ["CH"], "dʒ": ["JH"], "eɪ": ["EY"], "aɪ": ["AY"], "ɔɪ": ["OY"], "aʊ": ["AW"], "əʊ": ["OW"],
    "oʊ": ["OW"],
    "ɪə": ["IH", "R"], "eə": ["EH", "R"], "ʊə": ["UH", "R"], "aɪə": ["AY", "ER"], "aʊə": ["AW", "ER"],
    "iə": ["IY", "AH"], "əl": ["AH", "L"], "p": ["P"], "b": ["B"], "t": ["T"], "d": ["D"], "k": ["K"],
    "g": ["G"],
    "ɡ": ["G"], "f": ["F"], "v": ["V"], "θ": ["TH"], "ð": ["DH"], "s": ["S"], "z": ["Z"], "ʃ": ["SH"],
    "ʒ": ["ZH"],
    "h": ["HH"], "m": ["M"], "n": ["N"], "ŋ": ["NG"], "l": ["L"], "ɫ": ["L"], "r": ["R"], "ɹ": ["R"],
    "ɾ": ["T"],
    "ʔ": ["T"], "j": ["Y"], "w": ["W"], "ʍ": ["W"], "x": ["K"], "i": ["IY"], "ɪ": ["IH"], "ᵻ": ["IH"],
    "e": ["EH"],
    "ɛ": ["EH"], "æ": ["AE"], "a": ["AE"], "ɐ": ["AH"], "ɑ": ["AA"], "ɒ": ["AA"], "ɔ": ["AO"], "o": ["OW"],
    "ʊ": ["UH"], "u": ["UW"], "ʌ": ["AH"], "ə": ["AH"], "ɚ": ["ER"], "ɜ": ["ER"], "ɝ": ["ER"], "ɜɹ": ["ER"],
    "əɹ": ["ER"], "ɔɹ": ["AO", "R"], "ɑɹ": ["AA", "R"],
  ]
}
