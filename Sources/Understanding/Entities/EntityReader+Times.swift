/// Times of day.
extension EntityReader {
  /// "nine", "half past nine", "9:30 pm", "twenty to eight in the evening", "noon", "in two hours".
  ///
  /// Without a word for the half of the day the hour is taken as it was said: "nine" is 09:00.
  func times(at index: Int) -> [Reading<LocalTime>] {
    var found: [Reading<LocalTime>] = []
    func add(_ end: Int, _ hour: Int, _ minute: Int) {
      found.append(Reading(end: end, value: clock(hour, minute)))
      for part in halves(at: end, hour: hour) {
        found.append(Reading(end: part.end, value: clock(part.value, minute)))
      }
    }
    for hour in hours(at: index) {
      if let minute = text.digits(hour.end + 1), text.word(hour.end) == ":", text.touches(hour.end),
        text.word(hour.end + 1).count == 2, minute < 60
      {
        add(hour.end + 2, hour.value, minute)
        continue
      }
      add(hour.end, hour.value, 0)
      guard knowsWords else { continue }
      if let end = text.end(ofAny: ["o'clock", "oclock", "o clock", "hundred hours"], at: hour.end) {
        add(end, hour.value, 0)
      }
      for minute in minutes(at: hour.end) { add(minute.end, hour.value, minute.value) }
    }
    if knowsWords { found += spokenTimes(at: index) }
    return found
  }

  private func clock(_ hour: Int, _ minute: Int) -> LocalTime {
    var time = now
    time.hour = hour % 24
    time.minute = minute
    time.second = 0
    return time
  }

  private func hours(at index: Int) -> [Reading<Int>] {
    if let hour = text.digits(index) { return hour <= 24 ? [Reading(end: index + 1, value: hour)] : [] }
    return numbers(at: index).compactMap { number in
      let isHour = (0...24).contains(number.value) && number.value == number.value.rounded()
      return isHour ? Reading(end: number.end, value: Int(number.value)) : nil
    }
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

  /// The hour of 24 that "pm", "in the evening" or "tonight" behind the time makes of `hour`.
  private func halves(at index: Int, hour: Int) -> [Reading<Int>] {
    guard (1...12).contains(hour) else { return [] }
    let morning = hour % 12
    var found: [Reading<Int>] = []
    if let end = text.end(ofAny: ["a . m .", "a . m", "a m"], at: index) {
      found.append(Reading(end: end, value: morning))
    }
    if let end = text.end(ofAny: ["p . m .", "p . m", "p m"], at: index) {
      found.append(Reading(end: end, value: morning + 12))
    }
    if text.word(index) == "am" { found.append(Reading(end: index + 1, value: morning)) }
    if text.word(index) == "pm" { found.append(Reading(end: index + 1, value: morning + 12)) }
    guard knowsWords else { return found }
    if let end = text.end(ofAny: ["in the morning", "this morning"], at: index) {
      found.append(Reading(end: end, value: morning))
    }
    if let end = text.end(
      ofAny: ["in the afternoon", "in the evening", "this afternoon", "this evening"], at: index)
    {
      found.append(Reading(end: end, value: morning + 12))
    }
    if let end = text.end(ofAny: ["at night", "tonight"], at: index) {
      found.append(Reading(end: end, value: morning >= 5 ? morning + 12 : morning))
    }
    return found
  }

  private func spokenTimes(at index: Int) -> [Reading<LocalTime>] {
    var found: [Reading<LocalTime>] = []
    for (phrase, hour) in [("noon", 12), ("midday", 12), ("midnight", 0)] {
      if let end = text.end(of: phrase, at: index) { found.append(Reading(end: end, value: clock(hour, 0))) }
    }
    if text.word(index) == "now" { found.append(Reading(end: index + 1, value: now)) }
    if text.word(index) == "in" {
      for wait in durations(at: index) where wait.value < 86_400 {
        found.append(Reading(end: wait.end, value: now.adding(seconds: Int(wait.value))))
      }
    }
    for (offset, place) in offsets(at: index) {
      for hour in hours(at: place) {
        let isHalf = (1...12).contains(hour.value)
        let minutes = (hour.value * 60 + offset + 1_440) % 1_440
        func add(_ end: Int, _ hour: Int, _ minute: Int) {
          found.append(Reading(end: end, value: clock(hour, minute)))
        }
        add(hour.end, isHalf && minutes < 60 ? 12 : minutes / 60, minutes % 60)
        for part in halves(at: hour.end, hour: hour.value) {
          let later = (part.value * 60 + offset + 1_440) % 1_440
          add(part.end, later / 60, later % 60)
        }
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
}
