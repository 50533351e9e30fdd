/// Days by their month.
extension EntityReader {
  private static let months = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
    "november", "december",
  ]

  /// The month that a word names, or the first three letters of it.
  static func month(_ word: String) -> Int? {
    if let index = months.firstIndex(of: word) { return index + 1 }
    guard word.count >= 3, word.count <= 4 else { return nil }
    return months.firstIndex { $0.hasPrefix(word == "sept" ? "sep" : word) }.map { $0 + 1 }
  }

  /// "november 21", "the 21st of november 2027", "the third", "the first of next month".
  func calendarDays(at index: Int) -> [Reading<LocalTime>] {
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
      found += daysOfMonth(day)
    }
    return found
  }

  /// "the third" (the next one), "the third of this month", "the third of next month".
  private func daysOfMonth(_ day: Reading<Int>) -> [Reading<LocalTime>] {
    let first = LocalTime(year: now.year, month: now.month, day: 1)
    func date(_ months: Int) -> LocalTime? {
      let month = first.adding(months: months)
      let date = LocalTime(year: month.year, month: month.month, day: day.value)
      return date.isDate ? date : nil
    }
    var found: [Reading<LocalTime>] = []
    if let ahead = (0...2).lazy.compactMap(date).first(where: { $0.dayNumber >= now.dayNumber }) {
      found.append(Reading(end: day.end, value: ahead))
      if let end = text.end(of: "of the month", at: day.end) { found.append(Reading(end: end, value: ahead)) }
    }
    for (words, months) in [("of this month", 0), ("of next month", 1), ("of last month", -1)] {
      if let end = text.end(of: words, at: day.end), let date = date(months) {
        found.append(Reading(end: end, value: date))
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

  /// The next such day, today included.
  func next(month: Int, day: Int) -> Int? {
    for year in now.year...now.year + 8 {
      let date = LocalTime(year: year, month: month, day: day)
      if date.isDate, date.dayNumber >= now.dayNumber { return date.dayNumber }
    }
    return nil
  }

  // MARK: In digits

  /// "2026-11-21", "11/21/2026" (the month first unless it is no month), "21.11.2026", "21.11.26", "11/21", "21.11.".
  func writtenDates(at index: Int) -> [Reading<LocalTime>] {
    let sign = text.word(index + 1)
    guard ["-", "/", "."].contains(sign), text.touches(index + 1), text.touches(index + 2),
      let first = text.digits(index), let second = text.digits(index + 2), first < 10_000, second < 32
    else { return [] }
    let isMonthFirst = sign == "/" && first <= 12
    let (month, day) = isMonthFirst ? (first, second) : (second, first)
    if text.word(index + 3) == sign, text.touches(index + 3), text.touches(index + 4),
      let third = text.digits(index + 4), third < 10_000
    {
      let date: LocalTime
      switch (text.word(index).count, text.word(index + 4).count) {
      case (4, 1...2): date = LocalTime(year: first, month: second, day: third)
      case (1...2, 2): date = LocalTime(year: 2_000 + third, month: month, day: day)
      case (1...2, 4): date = LocalTime(year: third, month: month, day: day)
      default: return []
      }
      return date.year > 0 && date.isDate ? [Reading(end: index + 5, value: date)] : []
    }
    let hasPoint = text.word(index + 3) == "." && text.touches(index + 3)
    guard text.word(index).count <= 2,
      sign == "/" || sign == "." && (hasPoint || text.word(index + 2).count == 2),
      let number = next(month: month, day: day)
    else { return [] }
    let date = LocalTime(dayNumber: number)
    return [Reading(end: index + 3, value: date)] + (hasPoint ? [Reading(end: index + 4, value: date)] : [])
  }
}
