import Glibc

/// A moment of wall time, as file names of clips hold it: UTC, to the millisecond.
public struct ClipTime: Sendable, Equatable, Comparable {
  /// Since the beginning of 1970; 0 to the end of the year 9999.
  public let milliseconds: Int

  static let range = 0..<253_402_300_800_000

  public init(milliseconds: Int) {
    self.milliseconds = min(max(milliseconds, Self.range.lowerBound), Self.range.upperBound - 1)
  }

  /// The system's clock.
  public static func now() -> ClipTime {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return ClipTime(milliseconds: time.tv_sec * 1_000 + time.tv_nsec / 1_000_000)
  }

  /// The moment `seconds` later, or earlier where it is negative.
  public func advanced(by seconds: Double) -> ClipTime {
    ClipTime(milliseconds: milliseconds + Int((seconds * 1_000).rounded()))
  }

  public static func < (one: ClipTime, other: ClipTime) -> Bool { one.milliseconds < other.milliseconds }

  /// `20261121T131252.120Z`: sorts as the time does.
  public var compact: String { text(date: "", clock: "") }

  /// `2026-11-21T13:12:52.120Z`
  public var iso: String { text(date: "-", clock: ":") }

  /// `2026-11-21 13:12:52` where this machine is.
  public var local: String {
    var seconds = milliseconds / 1_000
    var fields = tm()
    localtime_r(&seconds, &fields)
    return "\(Self.date(fields, "-")) \(Self.clock(fields, ":"))"
  }

  /// Reads what ``compact`` writes; nil for anything else.
  public init?(compact text: some StringProtocol) {
    let bytes = Array(text.utf8)
    guard bytes.count == 20 else { return nil }
    func number(_ range: Range<Int>) -> Int32 {
      bytes[range].reduce(0) { $0 * 10 + Int32($1) - 48 }
    }
    var fields = tm()
    fields.tm_year = number(0..<4) - 1900
    fields.tm_mon = number(4..<6) - 1
    fields.tm_mday = number(6..<8)
    fields.tm_hour = number(9..<11)
    fields.tm_min = number(11..<13)
    fields.tm_sec = number(13..<15)
    let milliseconds = timegm(&fields) * 1_000 + Int(number(16..<19))
    self.init(milliseconds: milliseconds)
    // Nothing but what `compact` writes comes out as it went in.
    guard compact == text else { return nil }
  }

  private func text(date: String, clock: String) -> String {
    var seconds = milliseconds / 1_000
    var fields = tm()
    gmtime_r(&seconds, &fields)
    let fraction = Self.padded(milliseconds % 1_000, to: 3)
    return "\(Self.date(fields, date))T\(Self.clock(fields, clock)).\(fraction)Z"
  }

  private static func date(_ fields: tm, _ separator: String) -> String {
    [
      padded(Int(fields.tm_year) + 1900, to: 4), padded(Int(fields.tm_mon) + 1, to: 2),
      padded(Int(fields.tm_mday), to: 2),
    ]
    .joined(separator: separator)
  }

  private static func clock(_ fields: tm, _ separator: String) -> String {
    [fields.tm_hour, fields.tm_min, fields.tm_sec].map { padded(Int($0), to: 2) }.joined(
      separator: separator)
  }

  private static func padded(_ number: Int, to width: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, width - text.count)) + text
  }
}
