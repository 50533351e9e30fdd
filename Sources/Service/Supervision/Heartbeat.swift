import Synchronization

/// The signs of life of the service's threads. Any thread can read them; nothing here locks.
package final class Heartbeat: Sendable {
  private let turns = Atomic<Int>(0)
  private let rounds = Atomic<Int>(0)
  private let frames = Atomic<Int>(0)
  private let isWaiting = Atomic<Bool>(false)
  private let jobs = Atomic<Int>(0)
  private let isWorking = Atomic<Bool>(false)

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
    if isWorking { jobs.add(1, ordering: .relaxed) }
    self.isWorking.store(isWorking, ordering: .relaxed)
  }

  /// The signs of life now.
  package var signs: Liveness.Signs {
    Liveness.Signs(
      turns: turns.load(ordering: .relaxed), rounds: rounds.load(ordering: .relaxed),
      frames: frames.load(ordering: .relaxed), isDeviceLost: isWaiting.load(ordering: .relaxed),
      job: isWorking.load(ordering: .relaxed) ? jobs.load(ordering: .relaxed) : 0)
  }
}
