/// Dates: days relative to today, weekdays, days of a month, and dates in digits.
extension EntityReader {
  /// "tomorrow", "next friday", "in three days", "the 21st of november", "november twenty first 2027", "2026-11-21".
  ///
  /// A date without a year is the next such date, today included; a weekday alone is the next one after today.
  /// "next week", "next month" and "next year" mean the same day in it; a weekend is its saturday.
  func dates(at index: Int) -> [Reading<LocalTime>] {
    let written = writtenDates(at: index)
    guard isEnglish else { return written }
    let days =
      written + namedDays(at: index) + weekdays(at: index) + weeks(at: index) + countedDays(at: index)
      + calendarDays(at: index)
    return days
      + days.compactMap { day in
        text.end(ofAny: ["morning", "afternoon", "evening", "night"], at: day.end).map {
          Reading(end: $0, value: day.value)
        }
      }
  }

  private func day(_ end: Int, _ number: Int) -> Reading<LocalTime> {
    Reading(end: end, value: LocalTime(dayNumber: number))
  }

  private static let named: [(words: String, days: Int)] = [
    ("the day after tomorrow", 2), ("day after tomorrow", 2), ("the day before yesterday", -2),
    ("day before yesterday", -2), ("today", 0), ("tonight", 0), ("tomorrow week", 8), ("tomorrow", 1),
    ("yesterday", -1), ("a week today", 7), ("a week tomorrow", 8), ("this morning", 0),
    ("this afternoon", 0),
    ("this evening", 0),
  ]
  private static let feasts: [(words: String, month: Int, day: Int)] = [
    ("christmas eve", 12, 24), ("christmas day", 12, 25), ("christmas", 12, 25), ("boxing day", 12, 26),
    ("new year's eve", 12, 31), ("new year's day", 1, 1), ("halloween", 10, 31), ("valentine's day", 2, 14),
  ]

  private func namedDays(at index: Int) -> [Reading<LocalTime>] {
    Self.named.compactMap { name in
      text.end(of: name.words, at: index).map { day($0, now.dayNumber + name.days) }
    }
      + Self.feasts.compactMap { feast in
        guard let end = text.end(of: feast.words, at: index),
          let number = next(month: feast.month, day: feast.day)
        else { return nil }
        return day(end, number)
      }
  }

  // MARK: Weekdays

  private static let weekdays = [
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
  ]
  private static let shortWeekdays = [
    "mon": 0, "tue": 1, "tues": 1, "wed": 2, "weds": 2, "thu": 3, "thur": 3, "thurs": 3, "fri": 4, "sat": 5,
    "sun": 6,
  ]

  private func weekday(_ index: Int) -> Int? {
    let word = text.word(index)
    return Self.weekdays.firstIndex(of: word) ?? Self.shortWeekdays[word]
  }

  /// The monday of this week.
  private var monday: Int { now.dayNumber - now.weekday }

  /// "monday", "next friday", "monday next week", "sunday week", "monday the 23rd", "thursday december tenth".
  private func weekdays(at index: Int) -> [Reading<LocalTime>] {
    var place = text.end(ofAny: ["on the", "on", "the"], at: index) ?? index
    let order = text.word(place)
    if ["next", "this", "last", "coming"].contains(order) { place += 1 }
    if order == "this", text.word(place) == "coming" { place += 1 }
    guard let weekday = weekday(place) else { return [] }
    let ahead = (weekday - now.weekday + 7) % 7
    let base =
      switch order {
      case "this": now.dayNumber + ahead
      case "next": monday + 7 + weekday
      case "last": now.dayNumber - (ahead == 0 ? 7 : 7 - ahead)
      default: now.dayNumber + (ahead == 0 ? 7 : ahead)
      }
    let end = place + 1
    var found = [day(end, base)]
    if let week = week(at: text.end(of: "of", at: end) ?? end) {
      found.append(day(week.end, monday + week.days + weekday))
    }
    if text.word(end) == "week" { found.append(day(end + 1, base + 7)) }
    if let end = text.end(of: "after next", at: end) { found.append(day(end, base + 7)) }
    found += calendarDays(at: end).map { date in
      let isNamed = (end..<date.end).contains { Self.month(text.word($0)) != nil }
      let hasMonth = isNamed || text.word(date.end - 1) == "month" && text.word(date.end - 2) != "the"
      guard text.digits(end) == nil, !hasMonth else { return date }
      return matching(date, weekday) ?? date
    }
    return found
  }

  /// The next date with the day of the month of `date` that is the given weekday, for "monday the 23rd".
  private func matching(_ date: Reading<LocalTime>, _ weekday: Int) -> Reading<LocalTime>? {
    guard date.value.dayNumber - now.dayNumber < 62 else { return nil }
    for months in 0..<24 {
      let first = LocalTime(year: now.year, month: now.month, day: 1).adding(months: months)
      let candidate = LocalTime(year: first.year, month: first.month, day: date.value.day)
      if candidate.isDate, candidate.weekday == weekday, candidate.dayNumber >= now.dayNumber {
        return Reading(end: date.end, value: candidate)
      }
    }
    return nil
  }

  // MARK: Weeks

  /// "next week" and the like, and its distance from this week in days.
  private func week(at index: Int) -> (end: Int, days: Int)? {
    for (words, days) in [("this week", 0), ("next week", 7), ("last week", -7), ("the week after next", 14)]
    {
      if let end = text.end(of: words, at: index) { return (end, days) }
    }
    return nil
  }

  /// "next week", "next week on monday", "this weekend", "next month", "last year".
  private func weeks(at index: Int) -> [Reading<LocalTime>] {
    var found: [Reading<LocalTime>] = []
    if let week = week(at: index) {
      found.append(day(week.end, now.dayNumber + week.days))
      let place = text.end(of: "on", at: week.end) ?? week.end
      if let weekday = weekday(place) { found.append(day(place + 1, monday + week.days + weekday)) }
    }
    let place = text.end(ofAny: ["on the", "at the", "on", "at", "the"], at: index) ?? index
    let weekend = text.word(place) == "weekend" && place > index ? place : place + 1
    if text.word(weekend) == "weekend" {
      switch text.word(weekend - 1) {
      case "this", "the", "coming": found.append(day(weekend + 1, max(now.dayNumber, monday + 5)))
      case "next": found.append(day(weekend + 1, monday + 12))
      case "last": found.append(day(weekend + 1, monday - 2))
      default: break
      }
    }
    for (words, months) in [("next month", 1), ("last month", -1), ("next year", 12), ("last year", -12)] {
      if let end = text.end(of: words, at: index) {
        found.append(Reading(end: end, value: midnight.adding(months: months)))
      }
    }
    return found
  }

  private var midnight: LocalTime { LocalTime(year: now.year, month: now.month, day: now.day) }

  // MARK: Counted

  private static let spans: [String: (days: Int, months: Int)] = [
    "day": (1, 0), "days": (1, 0), "week": (7, 0), "weeks": (7, 0), "fortnight": (14, 0),
    "fortnights": (14, 0), "month": (0, 1), "months": (0, 1), "year": (0, 12), "years": (0, 12),
  ]

  /// "in three days", "in two weeks' time", "a month ago", "a week from monday", "a week on friday".
  private func countedDays(at index: Int) -> [Reading<LocalTime>] {
    let isAhead = text.word(index) == "in"
    var found: [Reading<LocalTime>] = []
    for count in counts(at: isAhead ? index + 1 : index)
    where count.value >= 0 && count.value <= 1_000 && count.value == count.value.rounded() {
      let name = text.word(count.end)
      let isTime = isAhead && text.word(count.end + 1) == "time"
      guard
        let span = Self.spans[name] ?? (isTime ? text.possessor(count.end).flatMap { Self.spans[$0] } : nil)
      else { continue }
      let number = Int(count.value)
      func add(_ end: Int, from base: LocalTime, times: Int) {
        let moved = base.adding(months: span.months * times)
        found.append(day(end, moved.dayNumber + span.days * times))
      }
      let end = count.end + 1
      if isAhead {
        add(Self.spans[name] == nil ? end + 1 : end, from: midnight, times: number)
        continue
      }
      if text.word(end) == "ago" { add(end + 1, from: midnight, times: -number) }
      if let end = text.end(of: "from now", at: end) { add(end, from: midnight, times: number) }
      guard ["from", "on"].contains(text.word(end)) else { continue }
      for base in weekdays(at: end + 1) + namedDays(at: end + 1) {
        add(base.end, from: base.value, times: number)
      }
    }
    return found
  }
}

/// Days of a month.
extension EntityReader {
  private static let months = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
    "november", "december",
  ]

  /// The month, 1…12, by its name or its first three letters.
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

  /// The day number of the next such date, today included.
  func next(month: Int, day: Int) -> Int? {
    for year in now.year...now.year + 8 {
      let date = LocalTime(year: year, month: month, day: day)
      if date.isDate, date.dayNumber >= now.dayNumber { return date.dayNumber }
    }
    return nil
  }

  // MARK: In digits

  /// "2026-11-21", "11/21/2026" (the month first where it is 12 or less), "21.11.2026", "21.11.26", "11/21", "21.11.".
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
