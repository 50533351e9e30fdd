import Platform

/// Reads built-in entities out of a text: numbers, dates, times, durations, money and their like.
///
/// Words are English; digits are read in every language. A value type without clock or file: "now" is given.
package struct EntityReader: Sendable {
  /// One way to read an entity: the token behind it and what it means.
  package struct Reading<Value: Sendable>: Sendable {
    package let end: Int
    package var value: Value
  }

  package let text: EntityTokens
  let now: LocalTime
  let knowsWords: Bool

  /// - Parameter knowsWords: whether the text is English, so that words are read too.
  package init(_ text: NormalizedText, now: LocalTime, knowsWords: Bool) {
    self.text = EntityTokens(text)
    self.now = now
    self.knowsWords = knowsWords
  }

  /// All readings of `kind` from the token at `index` on, shorter ones first; of one length there is one.
  ///
  /// - Parameter isOneOfMany: whether more of the kind may follow: "one two three" is three numbers then.
  package func readings(_ kind: EntityKind, at index: Int, isOneOfMany: Bool = false) -> [Reading<JSON>] {
    switch kind {
    case .number:
      Self.each(
        numbers(at: index, joiningDigits: !isOneOfMany) + (fraction(at: index).map { [$0] } ?? [])
      ) { .rounded($0, digits: 6) }
    case .ordinal: Self.each(places(at: index)) { .number(Double($0)) }
    case .percentage: Self.each(percentages(at: index)) { .rounded($0, digits: 6) }
    case .date: Self.each(dates(at: index)) { .string($0.isoDate) }
    case .time: Self.each(times(at: index)) { .string($0.isoTime) }
    case .duration: Self.each(durations(at: index)) { .rounded($0, digits: 3) }
    case .temperature: Self.each(temperatures(at: index), \.json)
    case .money: Self.each(amounts(at: index), \.json)
    case .colour: Self.each(colours(at: index), JSON.string)
    }
  }

  /// Where the entity itself may begin behind a small word that it can be said with: "at seven", "the first".
  package func start(of kind: EntityKind, behindLeadAt index: Int) -> Int? {
    guard knowsWords else { return nil }
    switch kind {
    case .time: return text.end(of: "at", at: index)
    case .ordinal: return text.end(of: "the", at: index)
    default: return nil
    }
  }

  private static func each<Value>(
    _ readings: [Reading<Value>], _ json: (Value) -> JSON
  ) -> [Reading<JSON>] {
    var byEnd: [Int: JSON] = [:]
    for reading in readings where byEnd[reading.end] == nil { byEnd[reading.end] = json(reading.value) }
    return byEnd.sorted { $0.key < $1.key }.map { Reading(end: $0.key, value: $0.value) }
  }
}
