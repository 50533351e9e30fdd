import Platform
import Synchronization

/// Runs one command at a time in a process of its own, independently of requests.
///
/// The state of the last one is kept until the next begins. Any thread may call any function.
final class BackgroundWork: Sendable {
  /// Seconds that a command may take.
  private static let longest = 12 * 3600.0
  /// Seconds within which a cancelled command has ended: see `Subprocess.grace`.
  private static let grace = 3.0

  private struct Current: Sendable {
    var work: WorkState?
    var isCancelled = false
    var count = 0
  }

  private let current = Mutex(Current())

  /// The running work or the last one; nil before the first.
  var state: WorkState? { current.withLock { $0.work } }

  /// Starts a command.
  ///
  /// - Parameter words: the program and its arguments; its standard error has messages, and perhaps progress as JSON.
  /// - Throws: ``WebFault/working(_:)`` if one runs.
  func start(_ kind: WorkState.Kind, of name: String, _ words: [String]) throws(WebFault) -> WorkState {
    let started = current.withLock { current -> WorkState? in
      if current.work?.phase == .running { return nil }
      current.count += 1
      current.isCancelled = false
      let work = WorkState(id: current.count, kind: kind, name: name)
      current.work = work
      return work
    }
    guard let started else { throw .working(state?.name ?? "") }
    do throws(SystemFault) {
      try DetachedThread.start(blocksSignals: true) { [self] in run(words) }
    } catch {
      update { $0.fail(error.message) }
      throw .fault(error)
    }
    return started
  }

  /// Ends the running command; what it was making is not written.
  func cancel() { current.withLock { $0.isCancelled = true } }

  /// Cancels, and waits until the command has ended.
  func stop() {
    cancel()
    let deadline = MonotonicClock.now() + Self.grace
    while state?.phase == .running, MonotonicClock.now() < deadline {
      MonotonicClock.sleep(until: MonotonicClock.now() + 0.01)
    }
  }

  private func run(_ words: [String]) {
    var line: [UInt8] = []
    do throws(SystemFault) {
      let result = try Subprocess(words).run(
        timeout: Self.longest, keepsErrors: true,
        errors: { bytes in
          for byte in bytes {
            guard byte == UInt8(ascii: "\n") else {
              line.append(byte)
              continue
            }
            let text = String(decoding: line, as: UTF8.self)
            line = []
            update { $0.take(text) }
          }
        }, cancelled: { current.withLock { $0.isCancelled } })
      update { $0.end(result.ending, output: result.output, lastError: result.lastErrorLine) }
    } catch {
      update { $0.fail(error.message) }
    }
  }

  private func update(_ change: (inout WorkState) -> Void) {
    current.withLock { current in
      if var work = current.work {
        change(&work)
        current.work = work
      }
    }
  }
}
