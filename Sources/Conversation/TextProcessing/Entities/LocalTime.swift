import Glibc

/// A local date and time, to which "tomorrow" and "in two hours" are relative.
public struct LocalTime: Sendable, Equatable {
  public var year: Int
  /// 1…12.
  public var month: Int
  /// 1…31.
  public var day: Int
  public var hour: Int
  public var minute: Int
  public var second: Int

  public init(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0) {
    self.year = year
    self.month = month
    self.day = day
    self.hour = hour
    self.minute = minute
    self.second = second
  }

  /// The current time in the time zone of the process.
  public static func now() -> LocalTime {
    LocalTime(at: time(nil))
  }

  /// The time `seconds` after 1970-01-01 UTC.
  private init(at seconds: time_t) {
    var seconds = seconds
    var parts = tm()
    localtime_r(&seconds, &parts)
    self.init(
      year: Int(parts.tm_year) + 1900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday),
      hour: Int(parts.tm_hour), minute: Int(parts.tm_min), second: Int(parts.tm_sec))
  }

  /// Days since 1970-01-01 in the Gregorian calendar.
  package var dayNumber: Int {
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// Midnight of the day `dayNumber` days after 1970-01-01.
  package init(dayNumber: Int) {
    let shifted = dayNumber + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    self.init(
      year: yearOfEra + era * 400 + (month >= 10 ? 1 : 0), month: month + (month < 10 ? 3 : -9),
      day: dayOfYear - (153 * month + 2) / 5 + 1)
  }

  /// Whether the month has this day.
  package var isDate: Bool { (1...12).contains(month) && LocalTime(dayNumber: dayNumber).day == day }

  /// 0 for Monday … 6 for Sunday.
  package var weekday: Int { ((dayNumber + 3) % 7 + 7) % 7 }

  /// The time `seconds` later in the time zone of the process, also where daylight saving time begins or ends between.
  package func adding(seconds: Int) -> LocalTime {
    var parts = tm()
    parts.tm_year = Int32(clamping: year - 1900)
    parts.tm_mon = Int32(clamping: month - 1)
    parts.tm_mday = Int32(clamping: day)
    parts.tm_hour = Int32(clamping: hour)
    parts.tm_min = Int32(clamping: minute)
    parts.tm_sec = Int32(clamping: second)
    parts.tm_isdst = -1
    return LocalTime(at: mktime(&parts) + seconds)
  }

  /// "2026-11-21".
  package var isoDate: String { "\(Self.padded(year, 4))-\(Self.padded(month))-\(Self.padded(day))" }

  /// "21:30", or "21:30:15" where the seconds are not 0.
  package var isoTime: String {
    "\(Self.padded(hour)):\(Self.padded(minute))" + (second == 0 ? "" : ":\(Self.padded(second))")
  }

  /// Midnight of the same day `more` months later, or of the last day of a shorter month.
  package func adding(months more: Int) -> LocalTime {
    let months = year * 12 + month - 1 + more
    let year = Int((Double(months) / 12).rounded(.down))
    var later = LocalTime(year: year, month: months - year * 12 + 1, day: day)
    while !later.isDate, later.day > 28 { later.day -= 1 }
    return later
  }

  private static func padded(_ number: Int, _ width: Int = 2) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
