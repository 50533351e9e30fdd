import Glibc
import TextProcessing

/// The features of a sentence: its words, pairs of words, parts of words, and lists in place of their values.
struct SentenceFeatures {
  struct Feature {
    let name: FeatureHash
    let weight: Float
    /// Whether the feature contributes to the norm of the vector when it is unseen.
    let isWord: Bool
  }

  private(set) var features: [Feature] = []

  private static let list = FeatureHash("{list}")
  private static let edge = FeatureHash("^$")
  private static let pair = FeatureHash("pair")
  private static let gap = FeatureHash("gap")
  private static let part = FeatureHash("part")
  private static let value = FeatureHash("value")
  /// The feature of all unknown words.
  static let unknownWord = FeatureHash(TemplateSampler.wildcardPlaceholder)

  /// - Parameter isKnown: whether a word has its own feature; all other words share one.
  init(_ sentence: LearningSentence, isKnown: (Int, FeatureHash) -> Bool) {
    var items: [FeatureHash] = [Self.edge]
    var next = 0
    for span in sentence.cover + [nil] {
      let end = span?.words.lowerBound ?? sentence.words.count
      for index in next..<max(next, end) { addWord(of: sentence, at: index, isKnown, &items) }
      guard let span else { break }
      let symbol = Self.list.joined(UInt64(span.list))
      items.append(symbol)
      add(symbol, 1)
      for index in span.words {
        for word in sentence.words[index] where isKnown(index, word) { add(Self.value.joined(word), 0.3) }
      }
      next = span.words.upperBound
    }
    items.append(Self.edge)
    for index in 1..<items.count {
      add(Self.pair.joined(items[index - 1]).joined(items[index]), 0.7)
    }
    for index in 2..<max(2, items.count) {
      add(Self.gap.joined(items[index - 2]).joined(items[index]), 0.3)
    }
  }

  private mutating func addWord(
    of sentence: LearningSentence, at index: Int, _ isKnown: (Int, FeatureHash) -> Bool,
    _ items: inout [FeatureHash]
  ) {
    for word in sentence.words[index] {
      if word != Self.unknownWord, isKnown(index, word) {
        items.append(word)
        add(word, 1, isWord: true)
      } else {
        if items.last == Self.unknownWord { continue }
        items.append(Self.unknownWord)
        add(Self.unknownWord, 1, isWord: true)
      }
    }
    if sentence.words[index] != [Self.unknownWord] { addParts(of: sentence, at: index) }
  }

  private mutating func add(_ name: FeatureHash, _ weight: Float, isWord: Bool = false) {
    features.append(Feature(name: name, weight: weight, isWord: isWord))
  }

  /// Adds character trigrams and 4-grams of a word, with markers at its edges.
  private mutating func addParts(of sentence: LearningSentence, at index: Int) {
    var letters: [UInt8] = [0x5F]
    for unit in sentence.text.units[sentence.ranges[index]] { letters += Array(unit.folded.utf8) }
    letters.append(0x5F)
    guard letters.count > 4, letters.count <= 24 else { return }
    for length in 3...4 {
      for start in 0...letters.count - length {
        add(Self.part.joined(FeatureHash(letters[start..<start + length])), 0.25)
      }
    }
  }
}

/// A sentence for training and classification: words, and the spans that are values of lists.
struct LearningSentence: Sendable {
  let text: NormalizedText
  /// The stems of each word: two for "don't".
  let words: [[FeatureHash]]
  /// The range of each word in the units.
  let ranges: [Range<Int>]
  let spans: [ListSpan]

  init(_ text: NormalizedText, isEnglish: Bool, spans: [ListSpan] = []) {
    self.text = text
    self.spans = spans
    let words = text.words
    self.words = words.map { word in
      isEnglish ? EnglishWords.stems(of: word.text).map { FeatureHash($0) } : [FeatureHash(word.text)]
    }
    ranges = words.map(\.range)
  }

  init(_ text: NormalizedText, _ finder: SpanFinder, now: LocalTime) {
    self.init(text, isEnglish: finder.isEnglish, spans: finder.spans(in: text, now: now))
  }

  /// The words in a range of the original text, in code points.
  func words(at source: Range<Int>) -> Range<Int>? {
    let inside = ranges.indices.filter { index in
      let place = text.source(ranges[index])
      return place.lowerBound < source.upperBound && place.upperBound > source.lowerBound
    }
    guard let first = inside.first, let last = inside.last else { return nil }
    return first..<last + 1
  }

  /// The range of the original text, in code points, of a range of words.
  func source(_ words: Range<Int>) -> Range<Int> {
    text.source(ranges[words.lowerBound].lowerBound..<ranges[words.upperBound - 1].upperBound)
  }

  /// Spans that do not overlap: the longest ones, left to right.
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

/// The features of a set of sentences, weighted by inverse document frequency (TF-IDF).
struct FeatureIndex: Sendable {
  private var places: [FeatureHash: Int32] = [:]
  private var inverseFrequencies: [Float] = []
  private var unseenWeight: Float = 1

  var count: Int { inverseFrequencies.count }

  /// - Parameters:
  ///   - sentences: each feature counts once per sentence.
  ///   - limit: the maximum number of features; the rarest are dropped first.
  init(_ sentences: [SentenceFeatures], limit: Int) {
    var counts: [FeatureHash: Int32] = [:]
    var order: [FeatureHash] = []
    for sentence in sentences {
      for name in Set(sentence.features.map(\.name)) {
        counts[name, default: 0] += 1
        if counts[name] == 1 { order.append(name) }
      }
    }
    order.sort { (counts[$1] ?? 0, $0.value) < (counts[$0] ?? 0, $1.value) }
    let total = Float(sentences.count + 1)
    for name in order.prefix(limit) {
      places[name] = Int32(inverseFrequencies.count)
      inverseFrequencies.append(logf(total / Float((counts[name] ?? 0) + 1)) + 1)
    }
    unseenWeight = logf(total) + 1
  }

  /// The features of a sentence as a unit vector; unseen words contribute to the norm.
  func vector(_ sentence: SentenceFeatures) -> SentenceVector {
    var entries: [SentenceVector.Entry] = []
    entries.reserveCapacity(sentence.features.count)
    var square: Float = 0
    for feature in sentence.features {
      guard let place = places[feature.name] else {
        if feature.isWord { square += unseenWeight * unseenWeight * feature.weight * feature.weight }
        continue
      }
      let value = feature.weight * inverseFrequencies[Int(place)]
      square += value * value
      entries.append(SentenceVector.Entry(place: place, value: value))
    }
    let scale = square > 0 ? 1 / square.squareRoot() : 0
    return SentenceVector(
      entries: entries.map { SentenceVector.Entry(place: $0.place, value: $0.value * scale) })
  }
}

/// A sparse vector.
struct SentenceVector: Sendable {
  struct Entry: Sendable {
    let place: Int32
    let value: Float
  }

  let entries: [Entry]
}
