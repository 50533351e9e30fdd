import TextProcessing

/// A sentence as the learner sees it: words, and the spans of them that lists know.
struct LearningSentence: Sendable {
  let text: NormalizedText
  /// The words as features, inflections cut off, each in its parts: "don't" is two.
  let words: [[FeatureHash]]
  /// Where each word stands among the units.
  let ranges: [Range<Int>]
  let spans: [ListSpan]

  init(_ text: NormalizedText, isEnglish: Bool, spans: [ListSpan] = []) {
    self.text = text
    self.spans = spans
    let words = text.words
    self.words = words.map { word in
      isEnglish ? EnglishWords.parts(of: word.text).map { FeatureHash($0) } : [FeatureHash(word.text)]
    }
    ranges = words.map(\.range)
  }

  init(_ text: NormalizedText, _ finder: SpanFinder, now: LocalTime) {
    self.init(text, isEnglish: finder.isEnglish, spans: finder.spans(in: text, now: now))
  }

  /// The words that stand at a range of the given text's code points.
  func words(at source: Range<Int>) -> Range<Int>? {
    let inside = ranges.indices.filter { index in
      let place = text.source(ranges[index])
      return place.lowerBound < source.upperBound && place.upperBound > source.lowerBound
    }
    guard let first = inside.first, let last = inside.last else { return nil }
    return first..<last + 1
  }

  /// The code points of the given text that a range of words came from.
  func source(_ words: Range<Int>) -> Range<Int> {
    text.source(ranges[words.lowerBound].lowerBound..<ranges[words.upperBound - 1].upperBound)
  }

  /// Spans of lists that do not overlap: the longest from left to right, one for each place.
  var cover: [ListSpan] {
    var chosen: [ListSpan] = []
    for span in spans.sorted(by: {
      ($1.words.count, $0.words.lowerBound, $0.list) < ($0.words.count, $1.words.lowerBound, $1.list)
    }) where !chosen.contains(where: { $0.words.overlaps(span.words) }) {
      chosen.append(span)
    }
    return chosen.sorted { $0.words.lowerBound < $1.words.lowerBound }
  }
}
