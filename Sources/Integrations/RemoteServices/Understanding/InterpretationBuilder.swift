import Networking
import Platform
import Understanding

/// Builds an interpretation from untrusted values of a service's answer, and checks each of them: names and texts
/// become short single lines, confidences lie in 0…1, ranges lie in the text.
struct InterpretationBuilder {
  /// The maximum number of slots, intents and messages; more are ignored.
  static let limit = 100

  private var result: Interpretation
  /// In the order of the answer; several may have the same name.
  private var slots: [Interpretation.Slot] = []

  init(_ text: String, language: String) { result = Interpretation(text: text, language: language) }

  /// The interpretation; without an intent its status is `notUnderstood`.
  var interpretation: Interpretation {
    var complete = result
    complete.slots = slots.joined(in: result.text)
    if complete.intent == nil { complete.status = .notUnderstood }
    return complete
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

  /// Sets the intent; `others` follow it in the ranking.
  mutating func setIntent(
    _ best: Interpretation.Guess, status: Interpretation.Status = .ready, others: [Interpretation.Guess] = []
  ) {
    result.intent = best
    result.status = status
    let rest = others.prefix(Self.limit).filter { $0.name != best.name }.sorted {
      $0.confidence > $1.confidence
    }
    result.ranking = [best] + rest
  }

  mutating func setReply(_ text: String?) { result.reply = Self.line(text) }

  mutating func setPrompt(_ text: String?) { result.prompt = Self.line(text) }

  /// Adds a trait of the text.
  mutating func addTrait(_ trait: String?, _ value: JSON?, confidence: JSON?) {
    guard let name = Self.line(trait), let value, value != .null, result.traits.count < Self.limit,
      !result.traits.contains(where: { $0.name == name })
    else { return }
    result.traits.append(
      TextTrait(
        name: name, value: Self.clean(value), confidence: .rounded(Self.confidence(confidence))))
  }

  /// Adds a value to the slot `name`; several values become an array.
  ///
  /// - Parameters:
  ///   - range: start and end in code points; ignored where it is not in the text.
  ///   - said: the words, used where there is no valid `range`.
  mutating func addSlot(
    _ name: String?, _ value: JSON, range: (JSON?, JSON?) = (nil, nil), said: String? = nil,
    confidence: JSON? = nil
  ) {
    guard let name = Self.line(name), value != .null, slots.count < Self.limit else { return }
    let scalars = result.text.unicodeScalars
    var place: Range<Int>?
    if let start = range.0?.number.flatMap({ Int(exactly: $0) }),
      let end = range.1?.number.flatMap({ Int(exactly: $0) }), 0 <= start, start < end, end <= scalars.count
    {
      place = start..<end
    }
    let words = place.map { Self.words(of: result.text, $0) }
    slots.append(
      Interpretation.Slot(
        name: name, value: Self.clean(value), text: words ?? Self.line(said) ?? "",
        confidence: Self.confidence(confidence), range: place))
  }

  /// The text at a range of its code points.
  static func words(of text: String, _ place: Range<Int>) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.dropFirst(place.lowerBound).prefix(place.count)))
  }

  /// The value with texts shortened to single lines, and with at most eight levels.
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

extension [Interpretation.Slot] {
  /// Joins slots with the same name, in the order of their first occurrence.
  ///
  /// Different values become an array without duplicates in the order of `text`, as for a slot with `many: true` in an
  /// intent file.
  func joined(in text: String) -> Self {
    var names: [String] = []
    var groups: [String: Self] = [:]
    for slot in self {
      if groups[slot.name] == nil { names.append(slot.name) }
      groups[slot.name, default: []].append(slot)
    }
    return names.compactMap { groups[$0]?.joinedSlot(in: text) }
  }

  /// Joins slots that all have the same name.
  private func joinedSlot(in text: String) -> Interpretation.Slot? {
    let places = compactMap(\.range)
    let isPlaced = places.count == count
    let ordered = isPlaced ? sorted { $0.range!.lowerBound < $1.range!.lowerBound } : self
    var values: [JSON] = []
    for slot in ordered where !values.contains(slot.value) { values.append(slot.value) }
    guard values.count > 1, let least = map(\.confidence).min() else { return ordered.first }
    var range: Range<Int>?
    if isPlaced, let start = places.map(\.lowerBound).min(), let end = places.map(\.upperBound).max() {
      range = start..<end
    }
    let words =
      range.map { InterpretationBuilder.words(of: text, $0) } ?? ordered.map(\.text).joined(separator: " ")
    return Interpretation.Slot(
      name: ordered[0].name, value: .array(values), text: InterpretationBuilder.line(words) ?? "",
      confidence: least,
      range: range)
  }
}
