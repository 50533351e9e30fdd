import Glibc
import Platform

/// Waits for what another thread or process does.
public enum Waiting {
  /// Seconds after which a wait gives up: long, so that a busy machine makes a test slow and not wrong.
  public static let limit = 60.0

  /// Waits until `condition` is true.
  ///
  /// - Returns: whether it is; false when `seconds` have passed.
  public static func until(
    within seconds: Double = limit, _ condition: () throws -> Bool
  ) rethrows -> Bool {
    let deadline = MonotonicClock.now() + seconds
    while true {
      if try condition() { return true }
      if MonotonicClock.now() >= deadline { return false }
      // Another process cannot wake this thread, so the condition is polled.
      usleep(5_000)
    }
  }
}
