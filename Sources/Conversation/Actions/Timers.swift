import PCM
import Platform

/// Timers that expire when the stream reaches their ends: a state machine without a clock.
public struct Timers: Sendable, Equatable {
  public struct Timer: Sendable, Equatable {
    public let name: String?
    /// Seconds from its start to its end.
    public let seconds: Double
    /// The position in the stream at which it expires.
    public let end: SampleIndex

    /// The remaining seconds at `position`.
    public func remaining(at position: SampleIndex) -> Double {
      AudioFormat.seconds(max(0, end - position))
    }
  }

  /// Which timers a command applies to.
  public enum Choice: Sendable, Equatable {
    /// The timer set last.
    case latest
    /// All timers with this name, ignoring case.
    case named(String)
    case all
  }

  /// The longest timer in seconds, a week.
  public static let longest: Double = 604_800
  /// The maximum number of running timers.
  public static let limit = 100

  /// In the order in which they were set.
  public private(set) var running: [Timer] = []

  public init() {}

  /// Starts a timer at `position` of the stream.
  ///
  /// - Parameter seconds: 0…``longest``.
  /// - Returns: false if too many timers run already, or `seconds` is out of range.
  @discardableResult
  public mutating func set(seconds: Double, name: String? = nil, at position: SampleIndex) -> Bool {
    guard running.count < Self.limit, (0...Self.longest).contains(seconds) else { return false }
    running.append(Timer(name: name, seconds: seconds, end: position + AudioFormat.samples(seconds)))
    return true
  }

  /// The running timers that `choice` selects.
  public func chosen(_ choice: Choice) -> [Timer] {
    switch choice {
    case .latest: running.last.map { [$0] } ?? []
    case .named(let name): running.filter { $0.name?.lowercased() == name.lowercased() }
    case .all: running
    }
  }

  /// Cancels timers.
  public mutating func reset(_ choice: Choice) {
    switch choice {
    case .latest: _ = running.popLast()
    case .named(let name): running.removeAll { $0.name?.lowercased() == name.lowercased() }
    case .all: running = []
    }
  }

  /// Advances to `position`.
  ///
  /// - Returns: the timers that expire now, the earliest first.
  public mutating func advance(to position: SampleIndex) -> [Timer] {
    guard running.contains(where: { $0.end <= position }) else { return [] }
    let over = running.filter { $0.end <= position }
    running.removeAll { $0.end <= position }
    return over.sorted { $0.end < $1.end }
  }
}
