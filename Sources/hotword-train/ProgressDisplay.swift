import Glibc
import Platform
import Training

/// Progress on standard error: one line that changes on a terminal, a few lines elsewhere.
final class ProgressDisplay {
  private let isTerminal = isatty(STDERR_FILENO) == 1
  private var last = ""
  private var lastPart = -1.0
  private var lastTime = 0.0

  func show(_ progress: TrainingProgress) {
    let now = MonotonicClock.now()
    let isNew = progress.activity != last
    if isTerminal {
      guard isNew || now - lastTime > 0.2 else { return }
    } else {
      guard isNew || progress.part - lastPart >= 0.2 else { return }
    }
    last = progress.activity
    lastPart = progress.part
    lastTime = now
    var line = "\(progress.activity): \(Int(progress.part * 100)) %"
    if let left = progress.secondsLeft {
      line += left >= 90 ? ", \(Int((left / 60).rounded())) minutes left" : ", \(Int(left)) s left"
    }
    if isTerminal {
      _ = writeAll(Array("\r\u{1B}[Khotword: \(line)".utf8), to: STDERR_FILENO)
    } else {
      Log.note(line)
    }
  }

  /// Leaves the line, so that the next message has its own.
  func end() {
    if isTerminal, !last.isEmpty { _ = writeAll(Array("\r\u{1B}[K".utf8), to: STDERR_FILENO) }
  }
}
