/// The writing that a letter belongs to.
enum Script: Sendable, Hashable {
  case latin, cyrillic, greek, kana, han, hangul, hebrew, thai, georgian, armenian, other

  init(_ letter: Unicode.Scalar) {
    switch letter.value {
    case 0x41...0x24F, 0x1E00...0x1EFF: self = .latin
    case 0x370...0x3FF, 0x1F00...0x1FFF: self = .greek
    case 0x400...0x52F: self = .cyrillic
    case 0x530...0x58F: self = .armenian
    case 0x590...0x5FF: self = .hebrew
    case 0xE00...0xE7F: self = .thai
    case 0x10A0...0x10FF, 0x1C90...0x1CBF: self = .georgian
    case 0x1100...0x11FF, 0xAC00...0xD7AF: self = .hangul
    case 0x3040...0x30FF, 0x31F0...0x31FF, 0xFF66...0xFF9F: self = .kana
    case 0x3400...0x4DBF, 0x4E00...0x9FFF, 0x20000...0x2FA1F: self = .han
    default: self = .other
    }
  }

  /// The code of the one language that it is nearly always written for.
  var language: String? {
    switch self {
    case .greek: "el"
    case .kana: "ja"
    case .han: "zh"
    case .hangul: "ko"
    case .hebrew: "he"
    case .thai: "th"
    case .georgian: "ka"
    case .armenian: "hy"
    case .latin, .cyrillic, .other: nil
    }
  }

  /// The script of most letters of `text`, and the share of them; nil for a text without letters.
  ///
  /// Han between kana is Japanese, and counts as kana.
  static func most(in text: NormalizedText) -> (script: Script, share: Double)? {
    var counts: [Script: Int] = [:]
    for unit in text.units {
      guard let scalar = unit.folded.unicodeScalars.first, scalar.properties.isAlphabetic else { continue }
      counts[Script(scalar), default: 0] += 1
    }
    if counts[.kana] != nil { counts[.kana]! += counts.removeValue(forKey: .han) ?? 0 }
    let sum = counts.values.reduce(0, +)
    return counts.max { $0.value < $1.value }.map { ($0.key, Double($0.value) / Double(sum)) }
  }
}
