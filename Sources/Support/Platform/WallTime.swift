import Glibc

/// A time of the system's clock, for messages.
package struct WallTime: Sendable, Equatable {
  /// Since 1970-01-01 UTC.
  package let milliseconds: Int

  package init(milliseconds: Int) { self.milliseconds = milliseconds }

  package static func now() -> WallTime {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return WallTime(milliseconds: time.tv_sec * 1_000 + time.tv_nsec / 1_000_000)
  }

  /// `2026-11-21T13:12:52.120Z`
  package var iso: String {
    var seconds = milliseconds / 1_000
    var fields = tm()
    gmtime_r(&seconds, &fields)
    func padded(_ number: Int, _ width: Int) -> String {
      let text = String(number)
      return String(repeating: "0", count: max(0, width - text.count)) + text
    }
    let date = [Int(fields.tm_mon) + 1, Int(fields.tm_mday)].map { padded($0, 2) }
    let clock = [fields.tm_hour, fields.tm_min, fields.tm_sec].map { padded(Int($0), 2) }
    return ([padded(Int(fields.tm_year) + 1900, 4)] + date).joined(separator: "-") + "T"
      + clock.joined(separator: ":") + ".\(padded(milliseconds % 1_000, 3))Z"
  }
}
