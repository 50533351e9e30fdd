import Platform
import TextProcessing

/// What a text means: the intent, its slots, how sure that is, and what to answer.
public struct Interpretation: Sendable, Equatable {
  /// Whether something can be done with it.
  public enum Status: String, Sendable {
    case ready, needsValue, needsDisambiguation, needsConfirmation, unsupported, notUnderstood
  }

  /// An intent and how sure it is, 0…1.
  public struct Guess: Sendable, Equatable {
    public let name: String
    public let confidence: Double

    public init(name: String, confidence: Double) {
      self.name = name
      self.confidence = confidence
    }
  }

  /// A value that was said or is implied.
  public struct Slot: Sendable, Equatable {
    public let name: String
    public let value: JSON
    /// The words of the given text; empty for implied values.
    public let text: String
    public let confidence: Double
    /// Where the words stand in the given text, in code points; nil for implied values.
    public let range: Range<Int>?
    /// What a reply says for it, where that is not its value: "half past nine" for 09:30.
    package var spoken: String?
    /// Which built-in entity it is, if any.
    package var kind: EntityKind?

    public init(name: String, value: JSON, text: String, confidence: Double, range: Range<Int>?) {
      self.name = name
      self.value = value
      self.text = text
      self.confidence = confidence
      self.range = range
    }
  }

  public var text: String
  public var language: String
  public var intent: Guess?
  /// In the order of the text, implied values last.
  public var slots: [Slot]
  /// All intents that fit, best first.
  public var ranking: [Guess]
  public var status: Status
  public var prompt: String?
  public var reply: String?
  /// What is told of the text besides.
  public var traits: [TextTrait] = []
  /// What `reply` is made of, to be filled again when slots change.
  package var replyTemplate: ReplyTemplate?

  public init(
    text: String, language: String, intent: Guess? = nil, slots: [Slot] = [], ranking: [Guess] = [],
    status: Status = .notUnderstood, prompt: String? = nil, reply: String? = nil
  ) {
    self.text = text
    self.language = language
    self.intent = intent
    self.slots = slots
    self.ranking = ranking
    self.status = status
    self.prompt = prompt
    self.reply = reply
  }

  /// The slot called `name`.
  public subscript(name: String) -> Slot? { slots.first { $0.name == name } }

  /// The members of an `understand` line, for events that carry more of them.
  public var members: [JSON.Member] {
    [
      JSON.Member("text", .string(text)), JSON.Member("language", .string(language)),
      JSON.Member("intent", intent?.json ?? .null),
      JSON.Member("slots", .object(slots.map { JSON.Member($0.name, $0.json) })),
      JSON.Member("ranking", .array(ranking.map(\.json))), JSON.Member("status", .string(status.rawValue)),
      JSON.Member("prompt", prompt.map(JSON.string) ?? .null),
      JSON.Member("reply", reply.map(JSON.string) ?? .null),
    ] + (traits.isEmpty ? [] : [JSON.Member("traits", .object(traits.map { JSON.Member($0.name, $0.json) }))])
  }

  /// One line of `hotword understand`.
  public var json: JSON { .object(members) }
}

extension Interpretation.Guess {
  var json: JSON { ["name": .string(name), "confidence": .rounded(confidence)] }
}

extension Interpretation.Slot {
  var json: JSON {
    let places = range.map { JSON.array([.number(Double($0.lowerBound)), .number(Double($0.upperBound))]) }
    return [
      "value": value, "text": .string(text), "confidence": .rounded(confidence), "range": places ?? .null,
    ]
  }
}

extension Interpretation.Slot {
  /// The slot as a reply says it.
  package var inReply: String { spoken ?? ReplyTemplate.words(of: value) }
}
