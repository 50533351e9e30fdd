/// Durations.
extension EntityReader {
  private static let units: [String: Double] = {
    var units: [String: Double] = [:]
    for (names, seconds) in [
      (["millisecond", "milliseconds", "ms"], 0.001), (["second", "seconds", "sec", "secs", "s"], 1.0),
      (["minute", "minutes", "min", "mins", "m"], 60), (["hour", "hours", "hr", "hrs", "h"], 3_600),
      (["day", "days", "d"], 86_400), (["week", "weeks"], 604_800), (["fortnight", "fortnights"], 1_209_600),
      (["month", "months"], 2_592_000), (["year", "years"], 31_536_000),
    ] {
      for name in names { units[name] = seconds }
    }
    return units
  }()

  /// Durations in seconds: "two hours", "half an hour", "an hour and a half", "1h 30m", "two hours twenty", "1:30".
  ///
  /// A month has 30 days, a year 365; "1:30" without a unit is hours and minutes.
  func durations(at index: Int) -> [Reading<Double>] {
    let start = isEnglish ? text.end(of: "in", at: index) ?? index : index
    var found = clockDurations(at: start)
    for first in simpleDurations(at: start) { extend(first.reading, unit: first.unit, into: &found) }
    return found
  }

  /// Adds `reading` and its continuations: a half, smaller units, a number in the next smaller unit.
  private func extend(_ reading: Reading<Double>, unit: Double, into found: inout [Reading<Double>]) {
    found.append(reading)
    guard found.count < 24, isEnglish || unit > 1 else { return }
    let next = text.end(of: "and", at: reading.end) ?? reading.end
    if next > reading.end, let part = fraction(at: next) {
      found.append(Reading(end: part.end, value: reading.value + part.value * unit))
    }
    let following = simpleDurations(at: next)
    for more in following where more.unit < unit && more.reading.value < unit {
      extend(
        Reading(end: more.reading.end, value: reading.value + more.reading.value), unit: more.unit,
        into: &found)
    }
    guard unit == 3_600 || unit == 60, following.isEmpty else { return }
    for number in numbers(at: next)
    where number.value < 60 && number.value > 0 && number.value == number.value.rounded() {
      found.append(Reading(end: number.end, value: reading.value + number.value * unit / 60))
    }
  }

  /// A number followed by one unit.
  private func simpleDurations(at index: Int) -> [(reading: Reading<Double>, unit: Double)] {
    var found: [(Reading<Double>, Double)] = []
    func add(_ count: Double, _ place: Int) {
      guard count >= 0, let unit = unit(at: place) else { return }
      found.append((Reading(end: unit.end, value: count * unit.seconds), unit.seconds))
    }
    for number in counts(at: index) { add(number.value, number.end) }
    guard isEnglish, found.isEmpty else { return found }
    if let part = fraction(at: index) {
      let place = text.end(ofAny: ["of an", "of a", "an", "a"], at: part.end) ?? part.end
      add(part.value, place)
    } else if text.word(index) == "quarter", let place = text.end(ofAny: ["of an", "of a"], at: index + 1) {
      add(0.25, place)
    }
    return found
  }

  /// The seconds of the unit at `index`; a single letter other than "h" must follow its number without a space.
  private func unit(at index: Int) -> (end: Int, seconds: Double)? {
    let word = text.word(index)
    if let seconds = Self.units[word] {
      return word.count > 1 || word == "h" || text.touches(index) ? (index + 1, seconds) : nil
    }
    guard let name = text.possessor(index), text.word(index + 1) == "time", let seconds = Self.units[name]
    else {
      return nil
    }
    return (index + 2, seconds)
  }

  /// "1:30" and "1:30:15"; in "1:30 minutes" the unit is that of the first number.
  private func clockDurations(at index: Int) -> [Reading<Double>] {
    var numbers: [Int] = []
    var place = index
    while numbers.count < 3, let number = text.digits(place),
      numbers.isEmpty || text.word(place).count == 2 && number < 60 && text.touches(place)
    {
      numbers.append(number)
      place += 1
      guard text.word(place) == ":", text.touches(place) else { break }
      place += 1
    }
    guard numbers.count > 1, numbers[0] < 1_000, text.word(place - 1) != ":" else { return [] }
    var largest = 3_600.0
    var end = place
    if let unit = unit(at: place), unit.seconds == 60 && numbers.count == 2 || unit.seconds == 3_600 {
      (end, largest) = unit
    }
    var seconds = 0.0
    for number in numbers {
      seconds += Double(number) * largest
      largest /= 60
    }
    return [Reading(end: end, value: seconds)]
  }
}
