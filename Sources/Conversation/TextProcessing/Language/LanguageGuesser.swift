import Glibc

/// Tells the language of a text by its writing and its letters: runs of one to four, compared with a page of each language.
///
/// Naive Bayes over characters (Dunning 1994). Made from `Resources/languages.txt`.
package struct LanguageGuesser: Sendable {
  private let codes: [String]
  private let scripts: [Script?]
  /// For each run of letters the logarithm of its share in each language.
  private let shares: [FeatureHash: [Float]]
  private let strange: [Float]

  private static let longest = 4
  private static let smallest: Float = 0.4

  package init() {
    var pages: [(code: String, text: NormalizedText)] = []
    let lines = String(decoding: PackageResources.languages_txt, as: UTF8.self).split(separator: "\n")
    for line in lines where !line.hasPrefix("#") {
      let parts = line.split(separator: "\t")
      if parts.count == 2 { pages.append((String(parts[0]), NormalizedText(String(parts[1])))) }
    }
    codes = pages.map { $0.code }
    scripts = pages.map { Script.most(in: $0.text)?.script }
    var counts: [FeatureHash: [Float]] = [:]
    var totals = [Float](repeating: 0, count: pages.count)
    for (language, page) in pages.enumerated() {
      for run in Self.runs(page.text) {
        counts[run, default: [Float](repeating: 0, count: pages.count)][language] += 1
        totals[language] += 1
      }
    }
    let kinds = Float(counts.count)
    let whole = totals.map { $0 + Self.smallest * kinds }
    shares = counts.mapValues { row in row.indices.map { logf((row[$0] + Self.smallest) / whole[$0]) } }
    strange = whole.map { logf(Self.smallest / $0) }
  }

  /// The likeliest language's code; nil for a text without letters, or in a writing that no page has.
  package func guess(_ text: NormalizedText) -> (name: String, confidence: Double)? {
    guard let (script, share) = Script.most(in: text) else { return nil }
    if let language = script.language { return (language, share) }
    let known = codes.indices.filter { scripts[$0] == script }
    guard !known.isEmpty else { return nil }
    var scores = [Float](repeating: 0, count: codes.count)
    for run in Self.runs(text) {
      let row = shares[run] ?? strange
      for language in known { scores[language] += row[language] }
    }
    // Runs overlap, each letter being in several: their evidence counts once.
    let top = known.map { scores[$0] }.max() ?? 0
    let odds = known.map { expf((scores[$0] - top) / Float(Self.longest)) }
    guard let best = odds.indices.max(by: { odds[$0] < odds[$1] }) else { return nil }
    return (codes[known[best]], share * Double(odds[best] / odds.reduce(0, +)))
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
