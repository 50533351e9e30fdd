import Platform

/// A part of a recording as in W3C's "Media Fragments URI 1.0": `talk.wav#t=1.5,2.25`, in seconds.
///
/// Without the second number it extends to the end. An existing file of that name has priority.
struct TimeFragment: Sendable, Equatable {
  let path: String
  /// Seconds.
  let start: Double
  let end: Double?

  /// Returns nil for the name of a whole file.
  init?(_ text: String) {
    guard let mark = text.ranges(of: "#t=").last, !Files.exists(text) else { return nil }
    let numbers = text[mark.upperBound...].split(separator: ",", omittingEmptySubsequences: false).map {
      Double($0)
    }
    guard (1...2).contains(numbers.count), let start = numbers[0], start >= 0, start < 1e9 else { return nil }
    if numbers.count == 2 {
      guard let last = numbers[1], last > start, last < 1e9 else { return nil }
      end = last
    } else {
      end = nil
    }
    path = String(text[..<mark.lowerBound])
    self.start = start
  }

  /// Whether `text` names a part of an existing file by what is no time range.
  static func isMalformed(_ text: String) -> Bool {
    guard let mark = text.ranges(of: "#t=").last, !Files.exists(text) else { return false }
    return TimeFragment(text) == nil && Files.exists(String(text[..<mark.lowerBound]))
  }
}
