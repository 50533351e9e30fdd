import Platform
import Synchronization

/// The signs of life of the service's threads. Any thread can read them; nothing here locks.
package final class Heartbeat: Sendable {
  private let turns = Atomic<Int>(0)
  private let rounds = Atomic<Int>(0)
  private let frames = Atomic<Int>(0)
  private let isWaiting = Atomic<Bool>(false)
  private let jobBegan = Atomic<Int>(0)

  package init() {}

  /// The listening thread has read from its source.
  package func turn() { turns.add(1, ordering: .relaxed) }

  /// The service's consumer has handled its events.
  package func round() { rounds.add(1, ordering: .relaxed) }

  /// A frame has been processed.
  package func frame() { frames.add(1, ordering: .relaxed) }

  /// Sets whether the device is lost and no audio is expected.
  package func wait(_ isWaiting: Bool) { self.isWaiting.store(isWaiting, ordering: .relaxed) }

  /// Sets whether the conversation worker has a job.
  package func work(_ isWorking: Bool) {
    jobBegan.store(isWorking ? max(1, Int(MonotonicClock.now() * 1000)) : 0, ordering: .relaxed)
  }

  /// The signs of life at the time `now`.
  package func signs(at now: Double) -> Liveness.Signs {
    let began = jobBegan.load(ordering: .relaxed)
    return Liveness.Signs(
      turns: turns.load(ordering: .relaxed), rounds: rounds.load(ordering: .relaxed),
      frames: frames.load(ordering: .relaxed),
      isDeviceLost: isWaiting.load(ordering: .relaxed),
      jobSeconds: began > 0 ? max(0, now - Double(began) / 1000) : 0)
  }
}
