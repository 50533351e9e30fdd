import PCM
import Platform

/// Timers that ring when the stream reaches their ends: a state machine without a clock of its own.
public struct Timers: Sendable, Equatable {
  public struct Timer: Sendable, Equatable {
    public let name: String?
    /// Seconds from its start to its end.
    public let seconds: Double
    /// Where in the stream it rings.
    public let end: SampleIndex

    /// Seconds that are left when the stream stands at `position`.
    public func remaining(at position: SampleIndex) -> Double {
      AudioFormat.seconds(max(0, end - position))
    }
  }

  /// Which timers a command means.
  public enum Choice: Sendable, Equatable {
    /// The one that was set last.
    case latest
    /// Those with this name, whatever its letters' size.
    case named(String)
    case all
  }

  /// The longest timer in seconds, a week.
  public static let longest: Double = 604_800
  /// The most timers that run at once.
  public static let limit = 100

  /// In the order in which they were set.
  public private(set) var running: [Timer] = []

  public init() {}

  /// Starts a timer where the stream stands at `position`.
  ///
  /// - Parameter seconds: 0…``longest``.
  /// - Returns: false where too many run already, or `seconds` lies outside.
  @discardableResult
  public mutating func set(seconds: Double, name: String? = nil, at position: SampleIndex) -> Bool {
    guard running.count < Self.limit, (0...Self.longest).contains(seconds) else { return false }
    running.append(Timer(name: name, seconds: seconds, end: position + AudioFormat.samples(seconds)))
    return true
  }

  /// The timers meant.
  public func chosen(_ choice: Choice) -> [Timer] {
    switch choice {
    case .latest: running.last.map { [$0] } ?? []
    case .named(let name): running.filter { $0.name?.lowercased() == name.lowercased() }
    case .all: running
    }
  }

  /// Ends timers without a ring.
  public mutating func reset(_ choice: Choice) {
    switch choice {
    case .latest: _ = running.popLast()
    case .named(let name): running.removeAll { $0.name?.lowercased() == name.lowercased() }
    case .all: running = []
    }
  }

  /// Moves to where the stream stands.
  ///
  /// - Returns: the timers that ring now, the earliest first.
  public mutating func advance(to position: SampleIndex) -> [Timer] {
    guard running.contains(where: { $0.end <= position }) else { return [] }
    let over = running.filter { $0.end <= position }
    running.removeAll { $0.end <= position }
    return over.sorted { $0.end < $1.end }
  }
}
