/// Numbers, fractions, ordinals and percentages.
extension EntityReader {
  // MARK: Cardinals

  /// "twenty one", "1,000", ".5", "two and a half", "2.5 million", "two dozen", "half a million", "four oh four".
  ///
  /// - Parameter joiningDigits: whether digits said one after another form one number.
  func numbers(at index: Int, joiningDigits: Bool = true) -> [Reading<Double>] {
    if let digits = digitNumber(at: index) { return isEnglish ? grown(digits) : [digits] }
    guard isEnglish else { return [] }
    if let some = vagueNumber(at: index) { return [some] }
    var found: [Reading<Double>] = []
    for reading in NumberWords.readings(words(from: index)) {
      let end = index + reading.words
      let last = text.word(end - 1)
      guard !NumberWords.isOrdinal(last), last != "a", last != "an" else { continue }
      found += grown(Reading(end: end, value: reading.value), unit: NumberWords.scale(last) ?? 1)
    }
    if joiningDigits { found += digitRow(at: index) }
    if let part = fraction(at: index), let share = share(of: part) { found.append(share) }
    return found
  }

  /// Numbers and fractions: "half", "three quarters".
  func quantities(at index: Int) -> [Reading<Double>] {
    numbers(at: index) + (fraction(at: index).map { [$0] } ?? [])
  }

  /// Numbers, "a" (1) and "a few" (3).
  func counts(at index: Int) -> [Reading<Double>] {
    let found = numbers(at: index)
    guard found.isEmpty, isEnglish else { return found }
    if let end = text.end(of: "a few", at: index) { return [Reading(end: end, value: 3)] }
    return text.end(ofAny: ["a", "an"], at: index).map { [Reading(end: $0, value: 1)] } ?? []
  }

  /// A fraction of one: "half", "a third", "three quarters", "minus a half".
  func fraction(at index: Int) -> Reading<Double>? {
    guard isEnglish else { return nil }
    let isNegative = ["minus", "negative"].contains(text.word(index))
    let start = isNegative ? index + 1 : index
    var (count, place) = (1, start)
    if text.word(start) != "half" {
      if !["a", "an"].contains(text.word(start)) {
        guard let digit = NumberWords.digit(text.word(start)) ?? text.digits(start), digit > 0 else {
          return nil
        }
        count = digit
      }
      place += 1
    }
    guard let size = NumberWords.denominator(text.word(place), isMany: count > 1), count < size else {
      return nil
    }
    let value = Double(count) / Double(size)
    return Reading(end: place + 1, value: isNegative ? -value : value)
  }

  private func vagueNumber(at index: Int) -> Reading<Double>? {
    if let end = text.end(ofAny: ["a dozen", "dozen"], at: index) { return Reading(end: end, value: 12) }
    return text.end(ofAny: ["a couple of", "a couple", "couple of"], at: index).map {
      Reading(end: $0, value: 2)
    }
  }

  /// A number, alone and followed by "and a half" or "million".
  ///
  /// - Parameter unit: what "and a half" is half of: a million for "a million and a half".
  private func grown(_ number: Reading<Double>, unit: Double = 1) -> [Reading<Double>] {
    var found = [number]
    func add(_ end: Int, _ value: Double) { found.append(Reading(end: end, value: value)) }
    let isScalable = unit == 1 && number.value == number.value.rounded()
    if unit == 1, text.digits(number.end - 1) != nil || isScalable && text.word(number.end) == "dozen",
      let scale = Self.scale(text.word(number.end))
    {
      found += grown(Reading(end: number.end + 1, value: number.value * scale), unit: scale)
    }
    guard text.word(number.end) == "and", let part = fraction(at: number.end + 1), part.value > 0,
      number.value == number.value.rounded()
    else { return found }
    let value = number.value + (number.value < 0 ? -part.value : part.value) * unit
    add(part.end, value)
    if unit == 1, let scale = Self.scale(text.word(part.end)) { add(part.end + 1, value * scale) }
    return found
  }

  private static func scale(_ word: String) -> Double? {
    switch word {
    case "dozen": 12
    case "hundred": 100
    default: NumberWords.scale(word)
    }
  }

  /// "half a million", "a quarter of a million", "half a dozen".
  private func share(of part: Reading<Double>) -> Reading<Double>? {
    guard let end = text.end(ofAny: ["a", "of a"], at: part.end), let scale = Self.scale(text.word(end))
    else {
      return nil
    }
    return Reading(end: end + 1, value: part.value * scale)
  }

  /// "four oh four", "five five five one two": three digits or more, or two with an "oh".
  private func digitRow(at index: Int) -> [Reading<Double>] {
    var (value, hasOh) = (0.0, false)
    var found: [Reading<Double>] = []
    for (place, word) in words(from: index).enumerated().prefix(15) {
      guard let digit = NumberWords.digit(word) else { break }
      value = value * 10 + Double(digit)
      hasOh = hasOh || digit == 0
      if place >= 2 || place == 1 && hasOh { found.append(Reading(end: index + place + 1, value: value)) }
    }
    return found
  }

  private func digitNumber(at index: Int) -> Reading<Double>? {
    let isNegative =
      ["-", "−"].contains(text.word(index))
      || isEnglish && ["minus", "negative"].contains(text.word(index))
    var place = isNegative ? index + 1 : index
    var value = 0.0
    if let whole = text.digits(place) {
      value = Double(whole)
      place += 1
      while text.word(place) == ",", text.touches(place), text.touches(place + 1), whole < 1_000,
        value < 1e9, let group = text.digits(place + 1), text.word(place + 1).count == 3
      {
        value = value * 1_000 + Double(group)
        place += 2
      }
    } else if text.word(place) != "." {
      return nil
    }
    let isWhole = text.digits(place - 1) != nil
    if text.word(place) == "." || text.word(place) == "," && isWhole, text.touches(place) || !isWhole,
      text.touches(place + 1), let fraction = text.digits(place + 1)
    {
      var divisor = 1.0
      for _ in text.word(place + 1) { divisor *= 10 }
      value += Double(fraction) / divisor
      place += 2
    } else if !isWhole {
      return nil
    }
    return Reading(end: place, value: isNegative ? -value : value)
  }

  /// The next words that may form one number.
  private func words(from index: Int) -> [String] {
    var words: [String] = []
    for place in index..<max(index, min(index + NumberWords.wordLimit, text.tokens.count)) {
      if place > index, text.tokens[place].startsNumber { break }
      words.append(text.word(place))
    }
    return words
  }

  // MARK: Ordinals

  /// "third", "twenty first", "21st".
  func ordinals(at index: Int) -> [Reading<Int>] {
    if let number = text.digits(index) {
      guard text.touches(index + 1), ["st", "nd", "rd", "th"].contains(text.word(index + 1)) else {
        return []
      }
      return [Reading(end: index + 2, value: number)]
    }
    guard isEnglish else { return [] }
    return NumberWords.readings(words(from: index)).compactMap { reading in
      let end = index + reading.words
      guard NumberWords.isOrdinal(text.word(end - 1)), reading.value > 0 else { return nil }
      return Reading(end: end, value: Int(reading.value))
    }
  }

  /// Ordinals, and those counted from the end: -1 for "last", -2 for "second to last".
  func places(at index: Int) -> [Reading<Int>] {
    let found = ordinals(at: index)
    guard isEnglish else { return found }
    let fromEnd = found.compactMap { place in
      text.end(ofAny: ["to last", "from last", "to the last", "from the last", "last"], at: place.end).map {
        Reading(end: $0, value: -place.value)
      }
    }
    let last = text.end(of: "last", at: index).map { [Reading(end: $0, value: -1)] } ?? []
    return found + fromEnd + last
  }

  // MARK: Percentages

  /// "forty percent", "12.5%", "half a percent", "a third".
  func percentages(at index: Int) -> [Reading<Double>] {
    let signs = ["%", "percent", "per cent", "pct"]
    var found = quantities(at: index).compactMap { number in
      text.end(ofAny: signs, at: number.end).map { Reading(end: $0, value: number.value) }
    }
    guard isEnglish else { return found }
    if let part = fraction(at: index), part.value > 0 {
      found.append(Reading(end: part.end, value: part.value * 100))
      if let start = text.end(ofAny: ["a", "of a", "of one"], at: part.end),
        let end = text.end(ofAny: signs, at: start)
      {
        found.append(Reading(end: end, value: part.value))
      }
    }
    if let end = text.end(ofAny: ["a percent", "one percent", "a per cent"], at: index) {
      found.append(Reading(end: end, value: 1))
    }
    return found
  }
}
