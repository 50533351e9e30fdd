/// Times of day.
extension EntityReader {
  /// "nine", "half past nine", "9:30 pm", "7.30", "twenty to eight in the evening", "noon", "in two hours",
  /// "tonight at eight", "oh eight hundred".
  ///
  /// Without a word for the half of the day the hour is taken as it was said: "nine" is 09:00.
  func times(at index: Int) -> [Reading<LocalTime>] {
    guard knowsWords else { return clockTimes(at: index) }
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
        let half = DayPart.said(in: text, at: end, knowsWords: knowsWords)
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
      guard knowsWords else { continue }
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
    guard knowsWords else { return [] }
    if ["oh", "o", "zero"].contains(text.word(index)), let hour = NumberWords.digit(text.word(index + 1)) {
      return [Reading(end: index + 2, value: hour)]
    }
    return numbers(at: index).compactMap { number in
      let isHour = (0...24).contains(number.value) && number.value == number.value.rounded()
      return isHour ? Reading(end: number.end, value: Int(number.value)) : nil
    }
  }

  /// The two digits of minutes or seconds behind one of `signs`.
  private func writtenPart(at index: Int, signs: [String]) -> Reading<Int>? {
    guard signs.contains(text.word(index)), text.touches(index), text.touches(index + 1),
      text.word(index + 1).count == 2, let number = text.digits(index + 1), number < 60
    else { return nil }
    return Reading(end: index + 2, value: number)
  }

  /// Minutes behind an hour in words: "thirty", "oh five".
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
          let half = DayPart.said(in: text, at: hour.end, knowsWords: true)
        else { continue }
        add(half.end, half.part.hour(of: hour.value))
      }
    }
    return found
  }

  /// Minutes from the hour that follows, and where it stands: "half past", "quarter to", "ten minutes past".
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

  /// The minute that it is after a number of seconds.
  private func moment(in seconds: Double) -> LocalTime {
    var moment = now.adding(seconds: Int(seconds))
    moment.second = 0
    return moment
  }
}
