import Networking
import Platform

/// Reads the names of a home, and reads them again whenever one changes.
///
/// It reads again after a change in Home Assistant's registries, every ten minutes (names of entities that are in no registry
/// change without an event), and after a lost connection is back.
public struct HomeWatcher: Sendable {
  /// When it waits for what, in seconds.
  public struct Timing: Sendable {
    /// Without a further change, before the names are read again.
    public var quiet = 1.0
    /// From one ping to the next.
    public var ping = 30.0
    /// From one reading to the next without a change.
    public var reading = 600.0
    /// Before the first new attempt to connect; doubled with each, up to ``longestPause``.
    public var shortestPause = 1.0
    public var longestPause = 60.0

    public init() {}
  }

  private let timing: Timing
  private let connect: @Sendable () throws(HomeAssistantFault) -> HomeAssistantConnection

  /// - Parameter connect: connects to Home Assistant.
  public init(
    _ timing: Timing = Timing(),
    connect: @escaping @Sendable () throws(HomeAssistantFault) -> HomeAssistantConnection
  ) {
    self.timing = timing
    self.connect = connect
  }

  /// Starts a thread that reads the home until the process ends.
  ///
  /// - Parameters:
  ///   - deliver: called on that thread after each reading, whether something changed or not.
  ///   - report: called after each loss of the connection and each attempt that failed.
  public func start(
    _ deliver: @escaping @Sendable (Home) -> Void,
    report: @escaping @Sendable (HomeAssistantFault) -> Void
  ) throws(SystemFault) {
    try DetachedThread.start {
      var pause = timing.shortestPause
      while true {
        do throws(HomeAssistantFault) {
          try follow { home in
            pause = timing.shortestPause
            deliver(home)
          }
        } catch {
          report(error)
        }
        MonotonicClock.sleep(until: MonotonicClock.now() + pause)
        pause = min(timing.longestPause, pause * 2)
      }
    }
  }

  /// Connects and delivers the home after each reading; ends only with a fault.
  private func follow(_ deliver: (Home) -> Void) throws(HomeAssistantFault) -> Never {
    let connection = try connect()
    // Before the first reading, so that no change is missed.
    try connection.watchNames()
    while true {
      do throws(HomeAssistantFault) {
        deliver(try connection.home())
      } catch {
        // The end of the start is an event.
        guard case .starting = error else { throw error }
      }
      let next = MonotonicClock.now() + timing.reading
      while MonotonicClock.now() < next {
        if try connection.waitForChange(within: min(timing.ping, timing.reading)) {
          try connection.waitForQuiet(timing.quiet)
          break
        }
        try connection.ping()
      }
    }
  }
}
