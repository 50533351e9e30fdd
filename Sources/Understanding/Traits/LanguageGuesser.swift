import Glibc

/// Tells the language of a text by its letters: runs of one to four of them, compared with a page of each language.
///
/// Naive Bayes over characters (Dunning 1994). Made from `Resources/languages.txt`.
struct LanguageGuesser: Sendable {
  private let codes: [String]
  /// For each run of letters the logarithm of its share in each language.
  private let shares: [FeatureHash: [Float]]
  private let strange: [Float]

  private static let longest = 4
  private static let smallest: Float = 0.4

  init() {
    let pages = String(decoding: PackageResources.languages_txt, as: UTF8.self).split(separator: "\n")
      .filter { !$0.hasPrefix("#") }.map { $0.split(separator: "\t") }.filter { $0.count == 2 }
    codes = pages.map { String($0[0]) }
    var counts: [FeatureHash: [Float]] = [:]
    var totals = [Float](repeating: 0, count: pages.count)
    for (language, page) in pages.enumerated() {
      for run in Self.runs(NormalizedText(String(page[1]))) {
        counts[run, default: [Float](repeating: 0, count: pages.count)][language] += 1
        totals[language] += 1
      }
    }
    let kinds = Float(counts.count)
    let whole = totals.map { $0 + Self.smallest * kinds }
    shares = counts.mapValues { row in row.indices.map { logf((row[$0] + Self.smallest) / whole[$0]) } }
    strange = whole.map { logf(Self.smallest / $0) }
  }

  /// The likeliest language's code; nil for a text without letters.
  func guess(_ text: NormalizedText) -> (name: String, confidence: Double)? {
    let runs = Self.runs(text)
    guard !runs.isEmpty else { return nil }
    var scores = [Float](repeating: 0, count: codes.count)
    for run in runs {
      let row = shares[run] ?? strange
      for language in scores.indices { scores[language] += row[language] }
    }
    // Runs overlap, each letter being in several: their evidence counts once.
    let top = scores.max() ?? 0
    let odds = scores.map { expf(($0 - top) / Float(Self.longest)) }
    guard let best = odds.indices.max(by: { odds[$0] < odds[$1] }) else { return nil }
    return (codes[best], Double(odds[best] / odds.reduce(0, +)))
  }

  private static func runs(_ text: NormalizedText) -> [FeatureHash] {
    var runs: [FeatureHash] = []
    for word in text.words where word.text.contains(where: \.isLetter) {
      let letters = [" "] + word.text.map { $0 } + [" "]
      for length in 1...longest {
        for start in 0..<max(0, letters.count - length + 1) {
          let run = String(letters[start..<start + length])
          if run != " " { runs.append(FeatureHash(run)) }
        }
      }
    }
    return runs
  }
}
