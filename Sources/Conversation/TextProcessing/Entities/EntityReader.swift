import Platform

/// Reads built-in entities in a text: numbers, dates, times, durations, temperatures, money, colours.
///
/// Words are read in English; digits in every language. No I/O and no clock: the caller passes the current time.
package struct EntityReader: Sendable {
  /// One way to read an entity: the index of the token after it, and the value.
  package struct Reading<Value: Sendable>: Sendable {
    package let end: Int
    package var value: Value
  }

  package let text: EntityTokens
  let now: LocalTime
  let isEnglish: Bool

  /// - Parameter isEnglish: whether words are read as well as digits.
  package init(_ text: NormalizedText, now: LocalTime, isEnglish: Bool) {
    self.text = EntityTokens(text)
    self.now = now
    self.isEnglish = isEnglish
  }

  /// All readings of `kind` that start at the token `index`, shortest first; one for each length.
  ///
  /// - Parameter isOneOfMany: whether more entities of the kind may follow: "one two three" is then three numbers.
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

  /// Where the entity starts after a word that may precede it: "at seven", "the first"; nil where there is none.
  package func start(of kind: EntityKind, behindLeadAt index: Int) -> Int? {
    guard isEnglish else { return nil }
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

/// A built-in entity: `{type: date}` as a list, `{date}` in a template, `(date:when)` in an example.
package enum EntityKind: String, Sendable, CaseIterable {
  case number, ordinal, percentage, date, time, duration, temperature, money, colour

  /// The kind named `name`; "color" is accepted too.
  package init?(named name: String) {
    self.init(rawValue: name == "color" ? "colour" : name)
  }
}
