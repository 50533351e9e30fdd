import TextProcessing

/// The words around a segment.
struct SlotContext {
  private let words: [[FeatureHash]]
  private let known: Set<FeatureHash>
  private let spanAt: [Int]
  private let spans: [ListSpan]

  private static let passing = Set(
    Coordination.conjunctions.union(Coordination.articles).union(["of", "my", "our", "please"])
      .map { FeatureHash($0) })
  private static let breaks = Set(["but", "then", "while", "because", "although"].map { FeatureHash($0) })
  private static let names = (0..<20).map { FeatureHash("feature \($0)") }
  private static let list = FeatureHash("{list}")
  private static let edge = FeatureHash("^$")

  init(_ sentence: LearningSentence, known: Set<FeatureHash>) {
    self.known = known
    words = sentence.words
    spans = sentence.cover
    var spanAt = [Int](repeating: -1, count: words.count)
    for (index, span) in spans.enumerated() { for word in span.words { spanAt[word] = index } }
    self.spanAt = spanAt
  }

  /// A word, or the list that covers it.
  private func item(_ index: Int) -> FeatureHash {
    guard words.indices.contains(index) else { return Self.edge }
    if spanAt[index] >= 0 { return Self.list.joined(UInt64(spans[spanAt[index]].list)) }
    return known.contains(words[index][0]) ? words[index][0] : SentenceFeatures.anything
  }

  func features(of segment: Range<Int>) -> [FeatureHash] {
    var features: [FeatureHash] = [Self.names[0]]
    func add(_ name: Int, _ values: FeatureHash...) {
      features.append(values.reduce(Self.names[name]) { $0.joined($1) })
    }
    let left = content(before: segment.lowerBound)
    let right = content(after: segment.upperBound)
    add(1, item(segment.lowerBound - 1))
    add(2, item(segment.upperBound))
    add(3, item(segment.lowerBound - 2), item(segment.lowerBound - 1))
    add(4, item(segment.upperBound), item(segment.upperBound + 1))
    add(5, left.first ?? Self.edge)
    add(6, right.first ?? Self.edge)
    if left.count > 1 { add(7, left[1], left[0]) }
    if right.count > 1 { add(8, right[0], right[1]) }
    for word in left.prefix(8) { add(9, word) }
    for word in right.prefix(6) { add(10, word) }
    let inside = spans.filter { $0.words.overlaps(segment) }
    if let span = inside.first, span.words == segment {
      add(11, FeatureHash(value: UInt64(span.list)))
    } else {
      add(12, FeatureHash(value: UInt64(min(6, segment.count))))
      add(13, item(segment.lowerBound))
      add(14, item(segment.upperBound - 1))
      add(16, words[segment.lowerBound][0])
      add(17, words[segment.upperBound - 1][0])
      let strange = segment.count { spanAt[$0] < 0 && !known.contains(words[$0][0]) }
      add(18, FeatureHash(value: UInt64(strange == segment.count ? 2 : strange > 0 ? 1 : 0)))
      for span in inside {
        let isWhole = segment.contains(span.words.lowerBound) && segment.contains(span.words.upperBound - 1)
        add(15, FeatureHash(value: UInt64(span.list) * 2 + (isWhole ? 1 : 0)))
      }
    }
    return features
  }

  /// Words before `place` in its clause, nearest first, without articles and what lists cover.
  private func content(before place: Int) -> [FeatureHash] {
    var found: [FeatureHash] = []
    var index = place - 1
    while index >= 0, !Self.breaks.contains(words[index][0]), found.count < 8 {
      if spanAt[index] < 0, !Self.passing.contains(words[index][0]) { found += words[index].reversed() }
      index -= 1
    }
    return found
  }

  /// Words behind `place` in its clause.
  private func content(after place: Int) -> [FeatureHash] {
    var found: [FeatureHash] = []
    var index = place
    while index < words.count, !Self.breaks.contains(words[index][0]), found.count < 8 {
      if spanAt[index] < 0, !Self.passing.contains(words[index][0]) { found += words[index] }
      index += 1
    }
    return found
  }
}
