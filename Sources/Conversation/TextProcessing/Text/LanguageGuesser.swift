import Glibc

/// Identifies the language of a text: naive Bayes over character n-grams, n = 1…4 (Dunning 1994).
///
/// Trained on a page of each language, `Resources/languages.txt`, when it is created.
package struct LanguageGuesser: Sendable {
  private let codes: [String]
  private let scripts: [Script?]
  /// For each n-gram the logarithm of its probability in each language.
  private let logProbabilities: [FeatureHash: [Float]]
  private let unseen: [Float]

  private static let longest = 4
  private static let smallest: Float = 0.4

  package init() {
    var samples: [(code: String, text: NormalizedText)] = []
    let lines = String(decoding: PackageResources.languages_txt, as: UTF8.self).split(separator: "\n")
    for line in lines where !line.hasPrefix("#") {
      let parts = line.split(separator: "\t")
      if parts.count == 2 { samples.append((String(parts[0]), NormalizedText(String(parts[1])))) }
    }
    codes = samples.map { $0.code }
    scripts = samples.map { Script.most(in: $0.text)?.script }
    var counts: [FeatureHash: [Float]] = [:]
    var totals = [Float](repeating: 0, count: samples.count)
    for (language, sample) in samples.enumerated() {
      for ngram in Self.ngrams(sample.text) {
        counts[ngram, default: [Float](repeating: 0, count: samples.count)][language] += 1
        totals[language] += 1
      }
    }
    let kinds = Float(counts.count)
    let whole = totals.map { $0 + Self.smallest * kinds }
    logProbabilities = counts.mapValues { row in
      row.indices.map { logf((row[$0] + Self.smallest) / whole[$0]) }
    }
    unseen = whole.map { logf(Self.smallest / $0) }
  }

  /// The most probable language's code; nil for a text without letters, or in a script of no known language.
  package func guess(_ text: NormalizedText) -> (name: String, confidence: Double)? {
    guard let (script, share) = Script.most(in: text) else { return nil }
    if let language = script.language { return (language, share) }
    let known = codes.indices.filter { scripts[$0] == script }
    guard !known.isEmpty else { return nil }
    var scores = [Float](repeating: 0, count: codes.count)
    for ngram in Self.ngrams(text) {
      let row = logProbabilities[ngram] ?? unseen
      for language in known { scores[language] += row[language] }
    }
    // N-grams overlap: each letter is in several of them and must count once.
    let top = known.map { scores[$0] }.max() ?? 0
    let odds = known.map { expf((scores[$0] - top) / Float(Self.longest)) }
    guard let best = odds.indices.max(by: { odds[$0] < odds[$1] }) else { return nil }
    return (codes[known[best]], share * Double(odds[best] / odds.reduce(0, +)))
  }

  private static func ngrams(_ text: NormalizedText) -> [FeatureHash] {
    var ngrams: [FeatureHash] = []
    for word in text.words where word.text.contains(where: \.isLetter) {
      let letters = [" "] + word.text.map { $0 } + [" "]
      for length in 1...longest {
        for start in 0..<max(0, letters.count - length + 1) {
          let ngram = String(letters[start..<start + length])
          if ngram != " " { ngrams.append(FeatureHash(ngram)) }
        }
      }
    }
    return ngrams
  }
}

/// The script of a letter.
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

  /// The code of the only common language in this script; nil where there are several.
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

  /// The script of most letters of `text`, and their share, 0…1; nil for a text without letters.
  ///
  /// Han characters in a text with kana are Japanese and count as kana.
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
