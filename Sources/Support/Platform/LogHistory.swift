/// A message as the log wrote it.
package struct LogLine: Sendable, Equatable {
  package let time: WallTime
  package let level: Log.Level
  package let text: String
}

/// The last messages of the log, for people who watch the program: up to ``capacity``, each of up to ``longest`` characters.
struct LogHistory: Sendable {
  static let capacity = 400
  static let longest = 1_000

  private var lines: [LogLine] = []
  /// The oldest, once there are ``capacity``.
  private var first = 0

  mutating func append(_ line: LogLine) {
    if lines.count < Self.capacity { return lines.append(line) }
    lines[first] = line
    first = (first + 1) % Self.capacity
  }

  /// The last `count` lines of `level` or more severe, the oldest first.
  func last(_ count: Int, atLeast level: Log.Level) -> [LogLine] {
    let ordered = lines[first...] + lines[..<first]
    return Array(ordered.filter { $0.level.rawValue <= level.rawValue }.suffix(count))
  }
}
