/// Days counted from today.
extension EntityReader {
  /// "tomorrow", "next friday", "in three days", "the 21st of november", "november twenty first 2027", "2026-11-21".
  ///
  /// A day without its year is the next one, today included; a weekday alone is the next one, today excluded.
  /// "next week", "next month" and "next year" are this day of it, a weekend is its saturday.
  func dates(at index: Int) -> [Reading<LocalTime>] {
    let written = writtenDates(at: index)
    guard knowsWords else { return written }
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
      guard text.digits(end) == nil, Self.month(text.word(date.end - 1)) == nil else { return date }
      return matching(date, weekday) ?? date
    }
    return found
  }

  /// The next day with the number of `date`'s in its month that is a certain weekday, for "monday the 23rd".
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

  /// "next week" and its like, and the days from this week to it.
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
