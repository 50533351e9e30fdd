/// The sounds that the encoder distinguishes: ARPAbet without stress, three that English lacks, and silence.
///
/// The raw values are the indices of the encoder's outputs. Other sounds map to the most similar one.
package enum Phoneme: UInt8, CaseIterable, Sendable {
  case silence
  case aa, ae, ah, ao, aw, ay, eh, er, ey, ih, iy, ow, oy, uh, uw
  case b, ch, d, dh, f, g, hh, jh, k, l, m, n, ng, p, r, s, sh, t, th, v, w, y, z, zh
  /// French u, German ü; German ö; German ch, Dutch g, Spanish j.
  case ue, oe, kh

  /// A sound with its range of samples.
  package struct Span: Sendable, Equatable {
    package var phoneme: Phoneme
    package var samples: Range<Int>

    package init(phoneme: Phoneme, samples: Range<Int>) {
      self.phoneme = phoneme
      self.samples = samples
    }
  }

  /// The ARPAbet symbol.
  package var arpabet: String { "\(self)".uppercased() }

  /// The sound that English speakers use for it.
  package var inEnglish: Phoneme {
    switch self {
    case .ue: .uw
    case .oe: .er
    case .kh: .hh
    default: self
    }
  }

  /// The sounds that it may be at the end of a word, by accent.
  var alikeAtTheEnd: [Phoneme] {
    switch self {
    case .er: [.er, .ah, .r]
    case .z: [.z, .s]
    default: [self]
    }
  }

  private static let names: [String: Phoneme] = Dictionary(
    uniqueKeysWithValues: allCases.map { ("\($0)", $0) } + [
      ("pau", .silence), ("sil", .silence), ("ax", .ah),
    ])

  /// Creates the sound of an ARPAbet symbol in either case, ignoring stress; nil for other symbols.
  package init?(arpabet symbol: some StringProtocol) {
    let letters = symbol.lowercased().filter { !$0.isNumber }
    guard let found = Self.names[letters] else { return nil }
    self = found
  }

  /// Returns the sounds of a symbol of the International Phonetic Alphabet, as espeak-ng writes them.
  ///
  /// - Parameter english: whether the language is English, in which a short `a` and a tap are other sounds.
  package static func sequence(ipa: String, english: Bool) -> [Phoneme] {
    guard !ipa.isEmpty else { return [.silence] }
    if english, ipa.hasPrefix("a"), !ipa.hasPrefix("aɪ"), !ipa.hasPrefix("aʊ") { return [.ae] }
    if ipa.hasPrefix("ɜː") { return [.er] }
    let letters = ipa.unicodeScalars.filter { marks[$0] == nil }.map { Character($0) }
    var found: [Phoneme] = []
    var index = 0
    while index < letters.count {
      if index + 1 < letters.count, let pair = pairs[String(letters[index...index + 1])] {
        found += pair
        index += 2
        continue
      }
      if english, letters[index] == "ɾ" {
        found.append(.d)
      } else if let single = singles[letters[index]] {
        found.append(single)
      }
      index += 1
    }
    return found
  }

  private static let marks: [Unicode.Scalar: Bool] = Dictionary(
    uniqueKeysWithValues: "ː:ʲ\u{303}\u{329}ˈˌ-".unicodeScalars.map { ($0, true) })

  private static let pairs: [String: [Phoneme]] = [
    "tʃ": [.ch], "dʒ": [.jh], "tɕ": [.ch], "dʑ": [.jh], "ts": [.t, .s], "dz": [.d, .z], "eɪ": [.ey],
    "ɛɪ": [.ey], "aɪ": [.ay], "ɔɪ": [.oy], "oɪ": [.oy], "ɔø": [.oy], "aʊ": [.aw], "ʌʊ": [.aw], "oʊ": [.ow],
    "əʊ": [.ow], "ʌʉ": [.aw], "œy": [.ay], "ss": [.s], "sx": [.sh],
  ]

  private static let singles: [Character: Phoneme] = [
    "ɪ": .ih, "i": .iy, "ᵻ": .ih, "ɨ": .ih, "y": .ue, "ʏ": .ue, "ø": .oe, "œ": .oe, "ɵ": .oe, "ʊ": .uh,
    "u": .uw, "ʉ": .uw, "e": .ey, "ɛ": .eh, "æ": .ae, "a": .aa, "ɐ": .ah, "ʌ": .ah, "ə": .ah, "ɜ": .ah,
    "ɚ": .er, "ɑ": .aa, "ɒ": .aa, "ɔ": .ao, "o": .ow, "p": .p, "b": .b, "t": .t, "d": .d, "k": .k, "ɡ": .g,
    "f": .f, "v": .v, "θ": .th, "ð": .dh, "s": .s, "z": .z, "ʃ": .sh, "ʒ": .zh, "h": .hh, "m": .m, "n": .n,
    "ŋ": .ng, "l": .l, "ɫ": .l, "ɹ": .r, "r": .r, "ɾ": .r, "ʁ": .r, "w": .w, "ʍ": .w, "ʋ": .v, "β": .v,
    "j": .y, "x": .kh, "ç": .kh, "ɣ": .kh, "ʎ": .l, "ɲ": .n, "ɕ": .sh, "ʑ": .zh, "ʝ": .y, "ɬ": .l, "ʂ": .sh,
  ]
}
