import Platform
import Synchronization

/// The signs of life that the service's threads leave and others read; nothing here locks.
package final class Heartbeat: Sendable {
  private let turns = Atomic<Int>(0)
  private let frames = Atomic<Int>(0)
  private let isWaiting = Atomic<Bool>(false)
  private let jobBegan = Atomic<Int>(0)

  package init() {}

  /// The listening loop has come round.
  package func turn() { turns.add(1, ordering: .relaxed) }

  /// A frame has been heard.
  package func hear() { frames.add(1, ordering: .relaxed) }

  /// Whether the device is lost, and no audio is to be expected.
  package func wait(_ isWaiting: Bool) { self.isWaiting.store(isWaiting, ordering: .relaxed) }

  /// The conversation has begun a job, or is done with it.
  package func work(_ isWorking: Bool) {
    jobBegan.store(isWorking ? max(1, Int(MonotonicClock.now() * 1000)) : 0, ordering: .relaxed)
  }

  /// Where they stand now.
  package func signs(at now: Double) -> Liveness.Signs {
    let began = jobBegan.load(ordering: .relaxed)
    return Liveness.Signs(
      turns: turns.load(ordering: .relaxed), frames: frames.load(ordering: .relaxed),
      isDeviceLost: isWaiting.load(ordering: .relaxed),
      jobSeconds: began > 0 ? max(0, now - Double(began) / 1000) : 0)
  }
}
