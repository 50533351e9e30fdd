import Clips
import Glibc
import Platform
import Synchronization

/// Writes clips on a thread of its own, so that listening never waits for a disk.
///
/// What goes wrong is told once, until it goes right again; the clips of the meantime are lost, the service goes on.
final class ClipWriter: Sendable {
  private enum Job: Sendable {
    case write(samples: [Int16], clip: Clip)
    case end
  }

  /// Clips that may wait for the disk, 1.5 MB.
  private static let queueLimit = 16
  /// Seconds that the end of the service waits for the disk.
  private static let patience = 5.0

  private let store: ClipStore
  private let limit: ClipLimit
  private let jobs = JobQueue<Job>()
  private let pending = Atomic<Int>(0)
  private let dropped = Atomic<Int>(0)

  init(_ store: ClipStore, limit: ClipLimit) {
    self.store = store
    self.limit = limit
  }

  /// Says what is kept and where, or why nothing can be, and starts the thread.
  func start() throws(SystemFault) {
    var isFailing = false
    do throws(ClipFault) {
      try store.prepare()
      let amount = if case .clips(let count) = limit { "\(count) clips" } else { "\(limit)" }
      Log.note("keeps the audio of wakes and near misses in \(store.folder), at most \(amount)")
    } catch {
      isFailing = true
      Self.tell(error)
    }
    try DetachedThread.start { [self, isFailing] in
      var isFailing = isFailing
      while case .write(let samples, let clip) = jobs.take() {
        write(samples, clip, &isFailing)
        pending.subtract(1, ordering: .releasing)
      }
    }
  }

  /// Hands a clip over; where the disk is too slow for the last ones, it is dropped.
  func write(_ samples: [Int16], as clip: Clip) {
    guard pending.load(ordering: .relaxed) < Self.queueLimit else {
      dropped.add(1, ordering: .relaxed)
      return
    }
    pending.add(1, ordering: .relaxed)
    jobs.append(.write(samples: samples, clip: clip))
  }

  /// Waits until all is written, a few seconds at most.
  func drain() {
    let deadline = MonotonicClock.now() + Self.patience
    while pending.load(ordering: .acquiring) > 0, MonotonicClock.now() < deadline { usleep(1_000) }
  }

  /// Ends the thread, once all is written.
  func close() { jobs.append(.end) }

  private func write(_ samples: [Int16], _ clip: Clip, _ isFailing: inout Bool) {
    let lost = dropped.exchange(0, ordering: .relaxed)
    if lost > 0 { Log.warning("\(store.folder): too slow, \(lost) clips were not kept") }
    do throws(ClipFault) {
      try store.save(samples, as: clip, limit: limit)
      if isFailing { Log.note("\(store.folder): clips are kept again") }
      isFailing = false
    } catch {
      if !isFailing { Self.tell(error) }
      isFailing = true
    }
  }

  private static func tell(_ fault: ClipFault) {
    Log.warning("\(fault.message); no clips are kept until it can be, listening goes on")
  }
}
