import TextProcessing

/// Tells classes of texts apart by labelled sentences: a sentiment, a topic, a sender.
struct TextClassifier: Sendable {
  private let names: [String]
  private let index: FeatureIndex
  private let classifier: LinearClassifier
  private let isEnglish: Bool

  /// - Parameter classes: two or more, each with sentences.
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

  /// The likeliest class of `text`; nil for a text without words.
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
