import Platform
import TextProcessing

/// The meaning of a text: the intent, its slots, their confidences, and the reply.
public struct Interpretation: Sendable, Equatable {
  /// Whether the intent can be handled.
  public enum Status: String, Sendable {
    case ready, needsValue, needsDisambiguation, needsConfirmation, unsupported, notUnderstood
  }

  /// An intent and its confidence, 0…1.
  public struct Guess: Sendable, Equatable {
    public let name: String
    public let confidence: Double

    public init(name: String, confidence: Double) {
      self.name = name
      self.confidence = confidence
    }
  }

  /// A value that was said or is implied by the sentence.
  public struct Slot: Sendable, Equatable {
    public let name: String
    public let value: JSON
    /// The words of the text; empty for implied values.
    public let text: String
    public let confidence: Double
    /// The range of the words in the text, in code points; nil for implied values.
    public let range: Range<Int>?
    /// The words of the value in a reply, where they differ from the value: "half past nine" for 09:30.
    package var spoken: String?
    /// The kind of built-in entity; nil for other values.
    package var kind: EntityKind?
    /// A time as it was said, before the part of the day that the date tells was applied; nil if none was.
    package var plain: JSON?

    public init(name: String, value: JSON, text: String, confidence: Double, range: Range<Int>?) {
      self.name = name
      self.value = value
      self.text = text
      self.confidence = confidence
      self.range = range
    }

    /// The slot with another name, value or range, and all else the same.
    package func with(name: String? = nil, value: JSON? = nil, range: Range<Int>?) -> Slot {
      var slot = Slot(
        name: name ?? self.name, value: value ?? self.value, text: text, confidence: confidence, range: range)
      slot.spoken = spoken
      slot.kind = kind
      slot.plain = plain
      return slot
    }
  }

  /// Whether both texts have the same intent and the same values of its slots.
  package func means(_ other: Interpretation) -> Bool {
    func values(_ one: Interpretation) -> [String: JSON] {
      Dictionary(one.slots.map { ($0.name, $0.value) }) { first, _ in first }
    }
    return intent != nil && intent?.name == other.intent?.name && values(self) == values(other)
  }

  public var text: String
  public var language: String
  public var intent: Guess?
  /// In the order of the text, implied values last.
  public var slots: [Slot]
  /// All intents that match, best first.
  public var ranking: [Guess]
  public var status: Status
  public var prompt: String?
  public var reply: String?
  /// Further properties of the text: its language, keywords, classes.
  public var traits: [TextTrait] = []
  /// The template of `reply`, to be filled again when slots change.
  package var replyTemplate: ReplyTemplate?
  /// The reply for the program that carries the intent out, a template in its own language: `client_responses`.
  public var clientReply: String? {
    replyTemplate.flatMap { $0.isForClient ? $0.source : nil }
  }

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

  /// The slot named `name`.
  public subscript(name: String) -> Slot? { slots.first { $0.name == name } }

  /// The JSON members of one line of `hotword understand`, for events with more members.
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

  /// One line of `hotword understand`, as JSON.
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
  /// The value in words, for a reply.
  package var inReply: String { spoken ?? ReplyTemplate.words(of: value) }
}

extension [Interpretation.Slot] {
  /// Adds the value of `slot` to the slot with the same name, which accepts several values: an array without duplicates.
  func addingValue(of slot: Interpretation.Slot, in text: NormalizedText) -> Self {
    guard let index = firstIndex(where: { $0.name == slot.name }), case .array(let values) = self[index].value
    else {
      let alone = Interpretation.Slot(
        name: slot.name, value: .array([slot.value]), text: slot.text, confidence: slot.confidence,
        range: slot.range)
      return self + [alone]
    }
    let known = self[index]
    var range = known.range
    if let first = known.range, let second = slot.range {
      range = Swift.min(first.lowerBound, second.lowerBound)..<Swift.max(first.upperBound, second.upperBound)
    }
    var slots = self
    slots[index] = Interpretation.Slot(
      name: slot.name, value: .array(values.contains(slot.value) ? values : values + [slot.value]),
      text: range.map(text.original) ?? known.text, confidence: Swift.min(known.confidence, slot.confidence),
      range: range)
    return slots
  }
}

extension [Interpretation.Slot] {
  private static let closing: [String: DayPart] = [
    "morning": .morning, "afternoon": .afternoon, "evening": .afternoon, "night": .night, "tonight": .night,
  ]
  /// Words of a time that is already unambiguous.
  private static let settled: Set<String> = ["in", "now", "from", "noon", "midday", "midnight"]

  /// Applies the part of the day that was said with the date to the time: "tomorrow evening at seven" is 19:00.
  package func applyingDayPart() -> Self {
    let dates = filter { $0.kind == .date }
    let times = indices.filter { self[$0].kind == .time }
    guard dates.count == 1, times.count == 1, let last = NormalizedText(dates[0].text).words.last,
      let part = Self.closing[last.text]
    else { return self }
    let slot = self[times[0]]
    let text = EntityTokens(NormalizedText(slot.text))
    let isSettled = text.tokens.indices.contains { index in
      Self.settled.contains(text.word(index)) || DayPart.said(in: text, at: index, isEnglish: true) != nil
    }
    let plain = slot.plain ?? slot.value
    guard !isSettled, let time = plain.string, let hour = Int(time.prefix(2)) else { return self }
    let padded = "0\(part.hour(of: hour))".suffix(2)
    var slots = self
    slots[times[0]] = slot.with(value: .string("\(padded)\(time.dropFirst(2))"), range: slot.range)
    slots[times[0]].plain = plain
    return slots
  }
}
