import Clips
import Platform
import Synchronization

/// Writes clips on a thread of its own.
///
/// If the disk is slow: up to ``queueLimit`` clips wait, later ones are dropped and counted in the log. A failure is logged
/// once until writing works again; the clips in between are lost.
final class ClipWriter: Sendable {
  private enum Job: Sendable {
    case write(samples: [Int16], clip: Clip)
    case end
  }

  /// Clips that wait for the disk, 3 MB.
  private static let queueLimit = 16

  private let store: ClipStore
  private let limit: ClipLimit
  private let written: @Sendable () -> Void
  private let jobs = JobQueue<Job>()
  private let pending = Atomic<Int>(0)
  private let dropped = Atomic<Int>(0)

  /// - Parameter written: called when a clip is written.
  init(_ store: ClipStore, limit: ClipLimit, written: @escaping @Sendable () -> Void) {
    self.store = store
    self.limit = limit
    self.written = written
  }

  /// Logs what is kept and where, or why nothing can be, and starts the thread.
  func start() throws(SystemFault) {
    var isFailing = false
    do throws(ClipFault) {
      try store.prepare()
      let amount = if case .clips(let count) = limit { "\(count) clips" } else { "\(limit)" }
      Log.note("stores the audio of detections and near misses in \(store.folder), up to \(amount)")
    } catch {
      isFailing = true
      Self.log(error)
    }
    try DetachedThread.start { [self, isFailing] in
      var isFailing = isFailing
      while case .write(let samples, let clip) = jobs.take() {
        write(samples, clip, &isFailing)
        pending.subtract(1, ordering: .releasing)
        written()
      }
    }
  }

  /// Queues a clip; it does not wait.
  func write(_ samples: [Int16], as clip: Clip) {
    guard pending.load(ordering: .relaxed) < Self.queueLimit else {
      dropped.add(1, ordering: .relaxed)
      return
    }
    pending.add(1, ordering: .relaxed)
    jobs.append(.write(samples: samples, clip: clip))
  }

  /// Whether all is written.
  var isIdle: Bool { pending.load(ordering: .acquiring) == 0 }

  /// Ends the thread once all is written.
  func close() { jobs.append(.end) }

  private func write(_ samples: [Int16], _ clip: Clip, _ isFailing: inout Bool) {
    let lost = dropped.exchange(0, ordering: .relaxed)
    if lost > 0 { Log.warning("\(store.folder): too slow; \(lost) clips were not kept; use a faster disk") }
    do throws(ClipFault) {
      try store.save(samples, as: clip, limit: limit)
      if isFailing { Log.note("\(store.folder): clips are kept again") }
      isFailing = false
    } catch {
      if !isFailing { Self.log(error) }
      isFailing = true
    }
  }

  private static func log(_ fault: ClipFault) {
    Log.warning("\(fault.message); no clips are kept until it works again, and listening continues")
  }
}
