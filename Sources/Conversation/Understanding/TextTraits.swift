import Glibc
import Platform
import TextProcessing

/// A property of a text besides its intent: its language, its keywords, or its class.
public struct TextTrait: Sendable, Equatable {
  public let name: String
  /// The code of the language, the name of the class, or an array of keywords.
  public let value: JSON
  /// The confidence, 0…1; for keywords an array of weights.
  public let confidence: JSON

  public init(name: String, value: JSON, confidence: JSON) {
    self.name = name
    self.value = value
    self.confidence = confidence
  }

  var json: JSON { ["value": value, "confidence": confidence] }
}

/// Determines the traits of a file, trained when it is created. Thread-safe.
struct TraitReader: Sendable {
  private enum Tool: Sendable {
    case language(LanguageGuesser)
    case keywords(KeywordFinder, limit: Int)
    case classes(TextClassifier)
  }

  private let tools: [(name: String, tool: Tool)]

  init(_ rules: [TraitRule], isEnglish: Bool) {
    tools = rules.map { rule in
      switch rule.kind {
      case .language: (rule.name, .language(LanguageGuesser()))
      case .keywords(let limit, let corpus):
        (rule.name, .keywords(KeywordFinder(corpus, isEnglish: isEnglish), limit: limit))
      case .classes(let classes): (rule.name, .classes(TextClassifier(classes, isEnglish: isEnglish)))
      }
    }
  }

  /// The traits of `text`, in the order of the file; null where they are unknown.
  func traits(of text: NormalizedText) -> [TextTrait] {
    tools.map { name, tool in
      switch tool {
      case .language(let guesser): Self.trait(name, guesser.guess(text))
      case .classes(let classifier): Self.trait(name, classifier.guess(text))
      case .keywords(let finder, let limit):
        Self.trait(name, finder.keywords(of: text, limit: limit))
      }
    }
  }

  private static func trait(_ name: String, _ guess: (name: String, confidence: Double)?) -> TextTrait {
    TextTrait(
      name: name, value: guess.map { .string($0.name) } ?? .null,
      confidence: .rounded(guess?.confidence ?? 0))
  }

  private static func trait(_ name: String, _ keywords: [(word: String, weight: Double)]) -> TextTrait {
    TextTrait(
      name: name, value: .array(keywords.map { .string($0.word) }),
      confidence: .array(keywords.map { .rounded($0.weight) }))
  }
}

/// One trait to determine for every text, under `traits:`.
package struct TraitRule: Sendable {
  package enum Kind: Sendable {
    /// The language of the text.
    case language
    /// Up to `limit` keywords, compared with typical texts.
    case keywords(limit: Int, corpus: [String])
    /// One of several classes, each given by example sentences.
    case classes([(name: String, sentences: [String])])
  }

  package let name: String
  package let kind: Kind
}

/// Classifies texts by labelled sentences: by sentiment, topic or sender, for example.
struct TextClassifier: Sendable {
  private let names: [String]
  private let index: FeatureIndex
  private let classifier: LinearClassifier
  private let isEnglish: Bool

  /// - Parameter classes: at least two, each with sentences.
  init(_ classes: [(name: String, sentences: [String])], isEnglish: Bool) {
    self.isEnglish = isEnglish
    names = classes.map(\.name)
    let samples = classes.enumerated().flatMap { kind, content in
      content.sentences.map { (SentenceFeatures(words: NormalizedText($0), isEnglish: isEnglish), kind) }
    }
    let index = FeatureIndex(samples.map(\.0), limit: (4 << 20) / classes.count)
    let largest = Float(classes.map(\.sentences.count).max() ?? 1)
    classifier = LinearClassifier(
      samples.map { features, kind in
        let weight = min(5, largest / Float(classes[kind].sentences.count))
        return LinearClassifier.Sample(vector: index.vector(features), kind: kind, weight: weight)
      }, features: index.count, classes: classes.count)
    self.index = index
  }

  /// The most probable class of `text`; nil for a text without words.
  func guess(_ text: NormalizedText) -> (name: String, confidence: Double)? {
    guard !text.words.isEmpty else { return nil }
    let vector = index.vector(SentenceFeatures(words: text, isEnglish: isEnglish))
    let probabilities = classifier.probabilities(vector)
    guard let best = probabilities.indices.max(by: { probabilities[$0] < probabilities[$1] }) else {
      return nil
    }
    return (names[best], Double(probabilities[best]))
  }
}

extension SentenceFeatures {
  /// The features of a text without lists.
  fileprivate init(words text: NormalizedText, isEnglish: Bool) {
    self.init(LearningSentence(text, isEnglish: isEnglish)) { _, _ in true }
  }
}

/// Finds the keywords of a text (TF-IDF; Spärck Jones 1972).
struct KeywordFinder: Sendable {
  private var counts: [String: Int] = [:]
  private var texts = 1
  private let isEnglish: Bool

  /// - Parameters:
  ///   - corpus: typical texts; words that occur in most of them are not keywords.
  ///   - isEnglish: whether to add everyday English sentences to the corpus, and to compare the stems of words.
  init(_ corpus: [String], isEnglish: Bool) {
    self.isEnglish = isEnglish
    for text in corpus + (isEnglish ? Chatter.lines : []) {
      texts += 1
      for stem in Set(stems(NormalizedText(text)).map(\.stem)) { counts[stem, default: 0] += 1 }
    }
  }

  /// The up to `limit` words of `text` with the highest weights; the weights of all words add up to 1.
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
    text.words.map { word in (word.text, isEnglish ? EnglishWords.stems(of: word.text)[0] : word.text) }
  }
}
