import Glibc
import TextProcessing

/// What a sentence is told apart by: its words, pairs of them, parts of them, and lists in their places.
struct SentenceFeatures {
  struct Feature {
    let name: FeatureHash
    let weight: Float
    /// Whether it counts as strange where it was never seen.
    let isWord: Bool
  }

  private(set) var features: [Feature] = []

  private static let list = FeatureHash("{list}")
  private static let edge = FeatureHash("^$")
  private static let pair = FeatureHash("pair")
  private static let gap = FeatureHash("gap")
  private static let part = FeatureHash("part")
  private static let value = FeatureHash("value")
  /// Any word that is not known.
  static let anything = FeatureHash(TemplateSampler.anything)

  /// - Parameter isKnown: whether a word counts as itself; all others are one.
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
      if word != Self.anything, isKnown(index, word) {
        items.append(word)
        add(word, 1, isWord: true)
      } else {
        if items.last == Self.anything { continue }
        items.append(Self.anything)
        add(Self.anything, 1, isWord: true)
      }
    }
    if sentence.words[index] != [Self.anything] { addParts(of: sentence, at: index) }
  }

  private mutating func add(_ name: FeatureHash, _ weight: Float, isWord: Bool = false) {
    features.append(Feature(name: name, weight: weight, isWord: isWord))
  }

  /// Three and four letters in a row, the word's edges among them.
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
