/// Days of the calendar.
extension EntityReader {
  private static let weekdays = [
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
  ]
  private static let months = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
    "november", "december",
  ]

  /// "tomorrow", "next friday", "in three days", "the 21st of november", "november twenty first 2027", "2026-11-21".
  ///
  /// A day without its year is the next one, today included; a weekday alone is the next one, today excluded.
  func dates(at index: Int) -> [Reading<LocalTime>] {
    var found = writtenDates(at: index)
    guard knowsWords else { return found }
    let today = now.dayNumber
    func add(_ end: Int, _ day: Int) { found.append(Reading(end: end, value: LocalTime(dayNumber: day))) }
    for (phrase, days) in [
      ("the day after tomorrow", 2), ("day after tomorrow", 2), ("the day before yesterday", -2),
      ("today", 0), ("tonight", 0), ("tomorrow", 1), ("yesterday", -1), ("a week today", 7),
      ("a week tomorrow", 8),
    ] {
      if let end = text.end(of: phrase, at: index) { add(end, today + days) }
    }
    for part in ["this morning", "this afternoon", "this evening"] {
      if let end = text.end(of: part, at: index) { add(end, today) }
    }
    found += weekdayReadings(at: index)
    found += countedDays(at: index)
    found += calendarDays(at: index)
    for (phrase, month, day) in [
      ("christmas eve", 12, 24), ("christmas day", 12, 25), ("christmas", 12, 25), ("boxing day", 12, 26),
      ("new year's eve", 12, 31), ("new year's day", 1, 1), ("halloween", 10, 31), ("valentine's day", 2, 14),
    ] {
      if let end = text.end(of: phrase, at: index), let day = next(month: month, day: day) { add(end, day) }
    }
    return found
  }

  private func weekdayReadings(at index: Int) -> [Reading<LocalTime>] {
    var place = text.end(of: "on", at: index) ?? index
    let order = text.word(place)
    if ["next", "this", "last", "coming"].contains(order) { place += 1 }
    guard let weekday = Self.weekdays.firstIndex(of: text.word(place)) else {
      guard order == "next" || order == "last", text.word(place) == "week" else { return [] }
      let day = now.dayNumber + (order == "next" ? 7 : -7)
      return [Reading(end: place + 1, value: LocalTime(dayNumber: day))]
    }
    let ahead = (weekday - now.weekday + 7) % 7
    let day =
      switch order {
      case "this": now.dayNumber + ahead
      case "next": now.dayNumber - now.weekday + 7 + weekday
      case "last": now.dayNumber - (ahead == 0 ? 7 : 7 - ahead)
      default: now.dayNumber + (ahead == 0 ? 7 : ahead)
      }
    return [Reading(end: place + 1, value: LocalTime(dayNumber: day))]
  }

  /// "in three days", "two weeks ago", "a week from monday".
  private func countedDays(at index: Int) -> [Reading<LocalTime>] {
    let isAhead = text.word(index) == "in"
    let start = isAhead ? index + 1 : index
    var counts = numbers(at: start)
    if counts.isEmpty, let end = text.end(ofAny: ["a", "an"], at: start) {
      counts = [Reading(end: end, value: 1)]
    }
    var found: [Reading<LocalTime>] = []
    for count in counts
    where count.value >= 0 && count.value <= 10_000 && count.value == count.value.rounded() {
      guard let unit = ["day": 1, "days": 1, "week": 7, "weeks": 7][text.word(count.end)] else { continue }
      let days = Int(count.value) * unit
      let end = count.end + 1
      if isAhead { found.append(Reading(end: end, value: LocalTime(dayNumber: now.dayNumber + days))) }
      if text.word(end) == "ago" {
        found.append(Reading(end: end + 1, value: LocalTime(dayNumber: now.dayNumber - days)))
      }
      guard text.word(end) == "from", !isAhead else { continue }
      if text.word(end + 1) == "now" {
        found.append(Reading(end: end + 2, value: LocalTime(dayNumber: now.dayNumber + days)))
        continue
      }
      for base in weekdayReadings(at: end + 1) + nearDays(at: end + 1) {
        found.append(Reading(end: base.end, value: LocalTime(dayNumber: base.value.dayNumber + days)))
      }
    }
    return found
  }

  private func nearDays(at index: Int) -> [Reading<LocalTime>] {
    guard let days = ["today": 0, "tomorrow": 1][text.word(index)] else { return [] }
    return [Reading(end: index + 1, value: LocalTime(dayNumber: now.dayNumber + days))]
  }

  /// "november 21", "the 21st of november 2027", "the third".
  private func calendarDays(at index: Int) -> [Reading<LocalTime>] {
    var found: [Reading<LocalTime>] = []
    func add(_ end: Int, month: Int, day: Int) {
      if let number = next(month: month, day: day) {
        found.append(Reading(end: end, value: LocalTime(dayNumber: number)))
      }
      let place = text.end(of: ",", at: end) ?? end
      for year in numbers(at: place) where (1_900...2_199).contains(year.value) {
        let date = LocalTime(year: Int(year.value), month: month, day: day)
        if date.isDate { found.append(Reading(end: year.end, value: date)) }
      }
    }
    let start = text.end(of: "on", at: index) ?? index
    if let month = Self.month(text.word(start)) {
      let place = text.end(of: "the", at: start + 1) ?? start + 1
      for day in days(at: place) { add(day.end, month: month, day: day.value) }
      return found
    }
    let place = text.end(of: "the", at: start) ?? start
    for day in days(at: place) {
      let next = text.end(of: "of", at: day.end) ?? day.end
      if let month = Self.month(text.word(next)) { add(next + 1, month: month, day: day.value) }
    }
    guard place > start else { return found }
    for day in ordinals(at: place) where (1...31).contains(day.value) {
      for ahead in 0..<62 {
        let date = LocalTime(dayNumber: now.dayNumber + ahead)
        guard date.day == day.value else { continue }
        found.append(Reading(end: day.end, value: date))
        break
      }
    }
    return found
  }

  private func days(at index: Int) -> [Reading<Int>] {
    let counted = numbers(at: index).compactMap { number in
      number.value == number.value.rounded() && (1...31).contains(number.value)
        ? Reading(end: number.end, value: Int(number.value)) : nil
    }
    return ordinals(at: index).filter { (1...31).contains($0.value) } + counted
  }

  private static func month(_ word: String) -> Int? {
    if let index = months.firstIndex(of: word) { return index + 1 }
    guard word.count >= 3, word.count <= 4 else { return nil }
    return months.firstIndex { $0.hasPrefix(word == "sept" ? "sep" : word) }.map { $0 + 1 }
  }

  /// The next such day, today included.
  private func next(month: Int, day: Int) -> Int? {
    for year in now.year...now.year + 8 {
      let date = LocalTime(year: year, month: month, day: day)
      if date.isDate, date.dayNumber >= now.dayNumber { return date.dayNumber }
    }
    return nil
  }

  /// "2026-11-21", "11/21/2026" (the month first unless it is no month), "21.11.2026".
  private func writtenDates(at index: Int) -> [Reading<LocalTime>] {
    let sign = text.word(index + 1)
    guard ["-", "/", "."].contains(sign), text.word(index + 3) == sign, text.touches(index + 1),
      let first = text.digits(index), let second = text.digits(index + 2), let third = text.digits(index + 4)
    else { return [] }
    var date: LocalTime
    switch (sign, text.word(index).count) {
    case ("-", 4): date = LocalTime(year: first, month: second, day: third)
    case ("/", 1...2) where first <= 12: date = LocalTime(year: third, month: first, day: second)
    case (_, 1...2): date = LocalTime(year: third, month: second, day: first)
    default: return []
    }
    guard (1...9_999).contains(date.year), date.isDate else { return [] }
    date.hour = 0
    return [Reading(end: index + 5, value: date)]
  }
}
