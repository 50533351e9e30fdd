import Networking
import Platform
import Understanding

/// An answer of a stranger, put together with every value checked: names and texts are short lines, confidences lie in
/// 0…1, ranges lie in the text.
struct ServiceAnswer {
  /// The most slots, intents and messages that are heeded.
  static let limit = 100

  private var meaning: Interpretation
  /// As they came, several of a name among them.
  private var slots: [Interpretation.Slot] = []

  init(_ text: String, language: String) { meaning = Interpretation(text: text, language: language) }

  /// The interpretation; without an intent it is not understood.
  var interpretation: Interpretation {
    var result = meaning
    result.slots = slots.joined(in: meaning.text)
    if result.intent == nil { result.status = .notUnderstood }
    return result
  }

  static func line(_ text: String?) -> String? {
    guard let text else { return nil }
    let line = PlainText.line(text)
    return line.isEmpty ? nil : line
  }

  static func confidence(_ value: JSON?) -> Double { min(1, max(0, value?.number ?? 1)) }

  static func guess(_ name: JSON?, _ confidence: JSON?) -> Interpretation.Guess? {
    line(name?.string).map { Interpretation.Guess(name: $0, confidence: self.confidence(confidence)) }
  }

  /// Names the intent; `others` are ranked after it.
  mutating func understand(
    _ best: Interpretation.Guess, status: Interpretation.Status = .ready, others: [Interpretation.Guess] = []
  ) {
    meaning.intent = best
    meaning.status = status
    let rest = others.prefix(Self.limit).filter { $0.name != best.name }.sorted {
      $0.confidence > $1.confidence
    }
    meaning.ranking = [best] + rest
  }

  mutating func reply(_ text: String?) { meaning.reply = Self.line(text) }

  mutating func prompt(_ text: String?) { meaning.prompt = Self.line(text) }

  /// Adds what the service tells of the text besides.
  mutating func tell(_ trait: String?, _ value: JSON?, confidence: JSON?) {
    guard let name = Self.line(trait), let value, value != .null, meaning.traits.count < Self.limit,
      !meaning.traits.contains(where: { $0.name == name })
    else { return }
    meaning.traits.append(
      TextTrait(
        name: name, value: Self.clean(value), confidence: .rounded(Self.confidence(confidence))))
  }

  /// Adds a value to the slot `name`, which becomes an array where it has another already.
  ///
  /// - Parameters:
  ///   - range: code points from the first to after the last; taken only where they lie in the text.
  ///   - said: the words, where `range` does not give them.
  mutating func fill(
    _ name: String?, _ value: JSON, range: (JSON?, JSON?) = (nil, nil), said: String? = nil,
    confidence: JSON? = nil
  ) {
    guard let name = Self.line(name), value != .null, slots.count < Self.limit else { return }
    let scalars = meaning.text.unicodeScalars
    var place: Range<Int>?
    if let start = range.0?.number.flatMap({ Int(exactly: $0) }),
      let end = range.1?.number.flatMap({ Int(exactly: $0) }), 0 <= start, start < end, end <= scalars.count
    {
      place = start..<end
    }
    let words = place.map { Self.words(of: meaning.text, $0) }
    slots.append(
      Interpretation.Slot(
        name: name, value: Self.clean(value), text: words ?? Self.line(said) ?? "",
        confidence: Self.confidence(confidence), range: place))
  }

  /// The words at `place`, in code points.
  static func words(of text: String, _ place: Range<Int>) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.dropFirst(place.lowerBound).prefix(place.count)))
  }

  /// The value with its texts as short lines, and nothing deeper than eight levels.
  static func clean(_ value: JSON, depth: Int = 8) -> JSON {
    switch value {
    case .null, .bool, .number, .longNumber: value
    case .string(let text): .string(PlainText.line(text))
    case .array(let values):
      depth == 0 ? .null : .array(values.prefix(limit).map { clean($0, depth: depth - 1) })
    case .object(let members):
      depth == 0
        ? .null
        : .object(
          members.prefix(limit).map {
            JSON.Member(PlainText.line($0.name, limit: 100), clean($0.value, depth: depth - 1))
          })
    }
  }
}
