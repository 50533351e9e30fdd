/// The time of a stream's first sample on the monotonic clock, from the times at which its frames of 10 ms come.
package struct StreamOrigin {
  /// Seconds by which the stream's clock may run slow in a frame: a crystal is off by less.
  private static let drift = 1e-6
  /// Frames that come so many seconds late show that the stream has paused without reporting a gap, if they do so for a time: of
  /// frames that have waited, all come at once.
  package static let pause = (seconds: 0.3, duration: 1.0)

  /// The earliest origin that any frame implied, in seconds; since the last pause, if there was one.
  package private(set) var time = Double.infinity
  /// Since when frames have come late, and the earliest origin that they implied.
  private var late: (since: Double, time: Double)?

  package init() {}

  /// Takes the time `now` at which a frame came that ends `end` seconds after the stream's first sample.
  package mutating func follow(end: Double, at now: Double) {
    let implied = now - end
    time = min(time + Self.drift, implied)
    guard implied > time + Self.pause.seconds else {
      late = nil
      return
    }
    let first = late ?? (now, implied)
    late = (first.since, min(first.time, implied))
    guard now - first.since >= Self.pause.duration else { return }
    time = min(first.time, implied)
    late = nil
  }
}
