import Platform
import TextProcessing

/// Something told of a text besides its intent: its language, its keywords, its class.
public struct TextTrait: Sendable, Equatable {
  public let name: String
  /// A language's code, a class's name, or an array of words.
  public let value: JSON
  /// How sure that is, 0…1; for keywords the weight of each.
  public let confidence: JSON

  public init(name: String, value: JSON, confidence: JSON) {
    self.name = name
    self.value = value
    self.confidence = confidence
  }

  var json: JSON { ["value": value, "confidence": confidence] }
}

/// The traits of a file, learned and ready; safe to use from several threads at once.
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

  /// The traits of `text`, in the file's order; what cannot be told is null.
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
