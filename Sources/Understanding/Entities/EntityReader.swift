import Platform

/// Reads built-in entities out of a text: numbers, dates, times, durations, money and their like.
///
/// Words are English; digits are read in every language. A value type without clock or file: "now" is given.
struct EntityReader: Sendable {
  /// One way to read an entity: the token behind it and what it means.
  struct Reading<Value: Sendable>: Sendable {
    let end: Int
    let value: Value
  }

  let text: EntityTokens
  let now: LocalTime
  let knowsWords: Bool

  /// - Parameter knowsWords: whether the text is English, so that words are read too.
  init(_ text: NormalizedText, now: LocalTime, knowsWords: Bool) {
    self.text = EntityTokens(text)
    self.now = now
    self.knowsWords = knowsWords
  }

  /// All readings of `kind` from the token at `index` on, shorter ones first; of one length there is one.
  func readings(_ kind: EntityKind, at index: Int) -> [Reading<JSON>] {
    switch kind {
    case .number: Self.each(numbers(at: index)) { .rounded($0, digits: 6) }
    case .ordinal: Self.each(ordinals(at: index)) { .number(Double($0)) }
    case .percentage: Self.each(percentages(at: index)) { .rounded($0, digits: 6) }
    case .date: Self.each(dates(at: index)) { .string($0.isoDate) }
    case .time: Self.each(times(at: index)) { .string($0.isoTime) }
    case .duration: Self.each(durations(at: index)) { .rounded($0, digits: 3) }
    case .temperature: Self.each(temperatures(at: index), \.json)
    case .money: Self.each(amounts(at: index), \.json)
    case .colour: Self.each(colours(at: index), JSON.string)
    }
  }

  private static func each<Value>(
    _ readings: [Reading<Value>], _ json: (Value) -> JSON
  ) -> [Reading<JSON>] {
    var byEnd: [Int: JSON] = [:]
    for reading in readings where byEnd[reading.end] == nil { byEnd[reading.end] = json(reading.value) }
    return byEnd.sorted { $0.key < $1.key }.map { Reading(end: $0.key, value: $0.value) }
  }

  // MARK: Numbers

  /// Cardinal numbers: "twenty one", "1,000", "2.5", "two and a half", "a dozen".
  func numbers(at index: Int) -> [Reading<Double>] {
    if let digits = digitNumber(at: index) {
      if knowsWords, let half = half(at: digits.end) {
        return [digits, Reading(end: half, value: digits.value + 0.5)]
      }
      return [digits]
    }
    guard knowsWords else { return [] }
    if let end = text.end(ofAny: ["a dozen", "dozen"], at: index) { return [Reading(end: end, value: 12)] }
    if let end = text.end(ofAny: ["a couple of", "a couple"], at: index) {
      return [Reading(end: end, value: 2)]
    }
    var found: [Reading<Double>] = []
    for reading in NumberWords.readings(words(from: index)) {
      let end = place(behind: reading.words, from: index)
      guard !Self.isOrdinal(text.word(end - 1)), text.word(end - 1) != "a" else { continue }
      found.append(Reading(end: end, value: reading.value))
      if let half = half(at: end) { found.append(Reading(end: half, value: reading.value + 0.5)) }
    }
    return found
  }

  /// "third", "twenty first", "21st".
  func ordinals(at index: Int) -> [Reading<Int>] {
    if let number = text.digits(index) {
      guard text.touches(index + 1), ["st", "nd", "rd", "th"].contains(text.word(index + 1)) else {
        return []
      }
      return [Reading(end: index + 2, value: number)]
    }
    guard knowsWords else { return [] }
    return NumberWords.readings(words(from: index)).compactMap { reading in
      let end = place(behind: reading.words, from: index)
      guard Self.isOrdinal(text.word(end - 1)), reading.value > 0 else { return nil }
      return Reading(end: end, value: Int(reading.value))
    }
  }

  private func percentages(at index: Int) -> [Reading<Double>] {
    var found: [Reading<Double>] = []
    for number in numbers(at: index) {
      if let end = text.end(ofAny: ["%", "percent", "per cent"], at: number.end) {
        found.append(Reading(end: end, value: number.value))
      }
    }
    guard knowsWords, found.isEmpty else { return found }
    for (phrase, value) in [("a quarter", 25.0), ("three quarters", 75), ("half", 50)] {
      if let end = text.end(of: phrase, at: index) { found.append(Reading(end: end, value: value)) }
    }
    return found
  }

  private func digitNumber(at index: Int) -> Reading<Double>? {
    var place = index
    let isNegative = text.word(index) == "-" || knowsWords && text.word(index) == "minus"
    if isNegative { place += 1 }
    guard let whole = text.digits(place) else { return nil }
    var value = Double(whole)
    place += 1
    while text.word(place) == ",", text.touches(place), text.touches(place + 1), whole < 1_000,
      value < 1e9, let group = text.digits(place + 1), text.word(place + 1).count == 3
    {
      value = value * 1_000 + Double(group)
      place += 2
    }
    if [".", ","].contains(text.word(place)), text.touches(place), text.touches(place + 1),
      let fraction = text.digits(place + 1)
    {
      var divisor = 1.0
      for _ in text.word(place + 1) { divisor *= 10 }
      value += Double(fraction) / divisor
      place += 2
    }
    return Reading(end: place, value: isNegative ? -value : value)
  }

  private func half(at index: Int) -> Int? { text.end(of: "and a half", at: index) }

  /// The next words; a hyphen between two counts as nothing.
  private func words(from index: Int) -> [String] {
    var words: [String] = []
    var place = index
    while words.count < NumberWords.wordLimit, text.tokens.indices.contains(place) {
      if text.word(place) != "-" || words.isEmpty { words.append(text.word(place)) }
      place += 1
    }
    return words
  }

  private func place(behind count: Int, from index: Int) -> Int {
    var place = index
    var left = count
    while left > 0 {
      if text.word(place) != "-" || place == index { left -= 1 }
      place += 1
    }
    return place
  }

  private static func isOrdinal(_ word: String) -> Bool { NumberWords.isOrdinal(word) }

  // MARK: Colours

  private static let colourNames: Set<String> = [
    "red", "orange", "yellow", "green", "blue", "purple", "pink", "white", "black", "grey", "brown", "cyan",
    "turquoise", "magenta", "violet", "gold", "silver", "beige", "lime", "teal", "indigo", "crimson",
    "lavender", "navy", "maroon", "olive", "coral", "amber",
  ]
  private static let shades: Set<String> = ["light", "dark", "warm", "cool", "bright", "pale", "deep"]

  /// "red", "gray" (as "grey"), "light blue".
  private func colours(at index: Int) -> [Reading<String>] {
    guard knowsWords else { return [] }
    var place = index
    var name = ""
    if Self.shades.contains(text.word(place)) {
      name = text.word(place) + " "
      place += 1
    }
    let word = text.word(place) == "gray" ? "grey" : text.word(place)
    guard Self.colourNames.contains(word) else { return [] }
    return [Reading(end: place + 1, value: name + word)]
  }
}
