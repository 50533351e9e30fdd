import Glibc
import TextProcessing

/// The words of a text that stand out from other texts (TF-IDF; Spärck Jones 1972).
struct KeywordFinder: Sendable {
  private var counts: [String: Int] = [:]
  private var texts = 1
  private let isEnglish: Bool

  /// - Parameters:
  ///   - corpus: texts of the same sort; words that most of them have are no keywords.
  ///   - isEnglish: whether everyday English counts as more of them, and inflections as one word.
  init(_ corpus: [String], isEnglish: Bool) {
    self.isEnglish = isEnglish
    for text in corpus + (isEnglish ? Chatter.lines : []) {
      texts += 1
      for stem in Set(stems(NormalizedText(text)).map(\.stem)) { counts[stem, default: 0] += 1 }
    }
  }

  /// The heaviest words of `text` as they were written, at most `limit`; weights add up to one over all words.
  func keywords(of text: NormalizedText, limit: Int) -> [(word: String, weight: Double)] {
    var weights: [String: (word: String, weight: Double, place: Int)] = [:]
    var sum = 0.0
    for (place, (word, stem)) in stems(text).enumerated() {
      let count = counts[stem] ?? 0
      guard count * 50 < texts + 49, word.count > 2, word.contains(where: \.isLetter) else { continue }
      if isEnglish, EnglishFunctionWords.words.contains(word) || EnglishFunctionWords.words.contains(stem) {
        continue
      }
      let weight = log(Double(texts) / Double(count + 1)) + 1
      sum += weight
      let known = weights[stem]
      weights[stem] = (known?.word ?? word, (known?.weight ?? 0) + weight, known?.place ?? place)
    }
    let sorted = weights.values.sorted { ($1.weight, $0.place) < ($0.weight, $1.place) }
    return sorted.prefix(limit).map { ($0.word, $0.weight / sum) }
  }

  private func stems(_ text: NormalizedText) -> [(word: String, stem: String)] {
    text.words.map { word in (word.text, isEnglish ? EnglishWords.parts(of: word.text)[0] : word.text) }
  }
}
