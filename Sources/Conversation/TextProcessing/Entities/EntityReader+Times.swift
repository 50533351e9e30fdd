/// Times of day.
extension EntityReader {
  /// "nine", "half past nine", "9:30 pm", "7.30", "twenty to eight in the evening", "noon", "in two hours",
  /// "tonight at eight", "oh eight hundred".
  ///
  /// Without a part of the day the hour is read as on a 24-hour clock: "nine" is 09:00.
  func times(at index: Int) -> [Reading<LocalTime>] {
    guard isEnglish else { return clockTimes(at: index) }
    var found = clockTimes(at: index) + spokenTimes(at: index) + momentsAhead(at: index)
    if let lead = DayPart.leading(text, at: index) {
      let start = text.end(of: "at", at: lead.end) ?? lead.end
      for var time in clockTimes(at: start) + spokenTimes(at: start) {
        time.value.hour = lead.part.hour(of: time.value.hour)
        found.append(time)
      }
    }
    return found
  }

  private func clock(_ hour: Int, _ minute: Int, _ second: Int = 0) -> LocalTime {
    var time = now
    time.hour = hour % 24
    time.minute = minute
    time.second = second
    return time
  }

  // MARK: Hours and minutes

  private func clockTimes(at index: Int) -> [Reading<LocalTime>] {
    var found: [Reading<LocalTime>] = []
    func add(_ end: Int, _ hour: Int, _ minute: Int, _ second: Int = 0) {
      found.append(Reading(end: end, value: clock(hour, minute, second)))
      guard (1...12).contains(hour),
        let half = DayPart.said(in: text, at: end, isEnglish: isEnglish)
      else { return }
      found.append(Reading(end: half.end, value: clock(half.part.hour(of: hour), minute, second)))
    }
    for hour in hours(at: index) {
      if let minute = writtenPart(at: hour.end, signs: [":", "."]) {
        let second = text.word(hour.end) == ":" ? writtenPart(at: minute.end, signs: [":"]) : nil
        add(second?.end ?? minute.end, hour.value, minute.value, second?.value ?? 0)
        continue
      }
      add(hour.end, hour.value, 0)
      guard isEnglish else { continue }
      let isMilitary = hour.end > index + 1 && NumberWords.digit(text.word(index)) == 0
      if let end = text.end(ofAny: ["o'clock", "oclock", "o clock", "hundred hours"], at: hour.end)
        ?? (isMilitary ? text.end(of: "hundred", at: hour.end) : nil)
      {
        add(end, hour.value, 0)
      }
      if hour.value == 12, let end = text.end(ofAny: ["noon", "midday"], at: hour.end) { add(end, 36, 0) }
      if hour.value == 12, let end = text.end(of: "midnight", at: hour.end) { add(end, 0, 0) }
      for minute in minutes(at: hour.end) { add(minute.end, hour.value, minute.value) }
    }
    if let run = text.digits(index), (3...4).contains(text.word(index).count), run / 100 < 24, run % 100 < 60
    {
      add(index + 1, run / 100, run % 100)
      if let end = text.end(of: "hours", at: index + 1) { add(end, run / 100, run % 100) }
    }
    return found
  }

  private func hours(at index: Int) -> [Reading<Int>] {
    if let hour = text.digits(index) {
      return hour <= 24 && text.word(index).count <= 2 ? [Reading(end: index + 1, value: hour)] : []
    }
    guard isEnglish else { return [] }
    if ["oh", "o", "zero"].contains(text.word(index)), let hour = NumberWords.digit(text.word(index + 1)) {
      return [Reading(end: index + 2, value: hour)]
    }
    return numbers(at: index).compactMap { number in
      let isHour = (0...24).contains(number.value) && number.value == number.value.rounded()
      return isHour ? Reading(end: number.end, value: Int(number.value)) : nil
    }
  }

  /// The two digits of minutes or seconds after one of `signs`.
  private func writtenPart(at index: Int, signs: [String]) -> Reading<Int>? {
    guard signs.contains(text.word(index)), text.touches(index), text.touches(index + 1),
      text.word(index + 1).count == 2, let number = text.digits(index + 1), number < 60
    else { return nil }
    return Reading(end: index + 2, value: number)
  }

  /// Minutes after an hour in words: "thirty", "oh five".
  private func minutes(at index: Int) -> [Reading<Int>] {
    if ["oh", "o", "zero"].contains(text.word(index)) {
      return numbers(at: index + 1).compactMap { number in
        (1..<10).contains(number.value) ? Reading(end: number.end, value: Int(number.value)) : nil
      }
    }
    return numbers(at: index).compactMap { number in
      let isMinute = (10..<60).contains(number.value) && number.value == number.value.rounded()
      return isMinute ? Reading(end: number.end, value: Int(number.value)) : nil
    }
  }

  // MARK: Past and to

  private static let namedHours = ["noon": 12, "midday": 12, "midnight": 0]

  private func spokenTimes(at index: Int) -> [Reading<LocalTime>] {
    var found: [Reading<LocalTime>] = []
    if let hour = Self.namedHours[text.word(index)] {
      found.append(Reading(end: index + 1, value: clock(hour, 0)))
    }
    for (offset, place) in offsets(at: index) {
      func add(_ end: Int, _ hour: Int) {
        let minutes = (hour * 60 + offset + 1_440) % 1_440
        found.append(Reading(end: end, value: clock(minutes / 60, minutes % 60)))
      }
      if let hour = Self.namedHours[text.word(place)] { add(place + 1, hour) }
      for hour in hours(at: place) {
        add(hour.end, hour.value)
        if (1...12).contains(hour.value), found[found.count - 1].value.hour == 0 {
          found[found.count - 1].value.hour = 12
        }
        guard (1...12).contains(hour.value),
          let half = DayPart.said(in: text, at: hour.end, isEnglish: true)
        else { continue }
        var time = found[found.count - 1].value
        time.hour = half.part.hour(of: time.hour)
        found.append(Reading(end: half.end, value: time))
      }
    }
    return found
  }

  /// The minutes relative to the hour that follows, and the index of that hour: "half past", "quarter to", "ten minutes past".
  private func offsets(at index: Int) -> [(minutes: Int, end: Int)] {
    if let end = text.end(of: "half past", at: index) { return [(30, end)] }
    if text.word(index) == "half" { return [(30, index + 1)] }
    var counts: [Reading<Int>] = []
    if let end = text.end(ofAny: ["a quarter", "quarter"], at: index) {
      counts = [Reading(end: end, value: 15)]
    } else {
      counts = numbers(at: index).compactMap { number in
        (1..<60).contains(number.value) && number.value == number.value.rounded()
          ? Reading(
            end: text.end(ofAny: ["minutes", "minute"], at: number.end) ?? number.end,
            value: Int(number.value))
          : nil
      }
    }
    return counts.flatMap { count -> [(minutes: Int, end: Int)] in
      switch text.word(count.end) {
      case "past", "after": [(count.value, count.end + 1)]
      case "to", "of", "before", "till": [(-count.value, count.end + 1)]
      default: []
      }
    }
  }

  // MARK: From now

  /// "now", "in two hours", "an hour from now".
  private func momentsAhead(at index: Int) -> [Reading<LocalTime>] {
    if text.word(index) == "now" { return [Reading(end: index + 1, value: moment(in: 0))] }
    let isAhead = text.word(index) == "in"
    return durations(at: index).compactMap { wait in
      guard wait.value < 86_400, let end = isAhead ? wait.end : text.end(of: "from now", at: wait.end) else {
        return nil
      }
      return Reading(end: end, value: moment(in: wait.value))
    }
  }

  /// The current time plus `seconds`, rounded down to a minute.
  private func moment(in seconds: Double) -> LocalTime {
    var moment = now.adding(seconds: Int(seconds))
    moment.second = 0
    return moment
  }
}

/// The part of the day that is said with an hour from 1 to 12.
package enum DayPart: Sendable {
  case morning, afternoon, night

  /// The hour on a 24-hour clock; at night, 12 and 1 to 4 are the hours after midnight.
  package func hour(of hour: Int) -> Int {
    guard (1...12).contains(hour) else { return hour }
    let morning = hour % 12
    return switch self {
    case .morning: morning
    case .afternoon: morning + 12
    case .night: morning >= 5 ? morning + 12 : morning
    }
  }

  private static let phrases: [(words: String, part: DayPart)] = [
    ("a . m .", .morning), ("a . m", .morning), ("a m", .morning), ("am", .morning),
    ("p . m .", .afternoon), ("p . m", .afternoon), ("p m", .afternoon), ("pm", .afternoon),
    ("in the morning", .morning), ("this morning", .morning), ("in the afternoon", .afternoon),
    ("this afternoon", .afternoon), ("in the evening", .afternoon), ("this evening", .afternoon),
    ("at night", .night), ("tonight", .night),
  ]
  private static let signs = 8

  /// The part of the day at `index`, and the index after it; nil where there is none.
  ///
  /// - Parameter isEnglish: whether more than "am" and "pm" is read.
  package static func said(in text: EntityTokens, at index: Int, isEnglish: Bool) -> (
    end: Int, part: DayPart
  )? {
    for phrase in isEnglish ? phrases[...] : phrases.prefix(signs) {
      if let end = text.end(of: phrase.words, at: index) { return (end, phrase.part) }
    }
    return nil
  }

  /// As ``said(in:at:isEnglish:)``, before the hour: "tonight at eight".
  static func leading(_ text: EntityTokens, at index: Int) -> (end: Int, part: DayPart)? {
    for phrase in phrases.dropFirst(signs) {
      if let end = text.end(of: phrase.words, at: index) { return (end, phrase.part) }
    }
    return nil
  }
}
