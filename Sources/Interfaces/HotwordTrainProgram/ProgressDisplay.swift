import Glibc
import Platform
import Training

/// Progress on standard error: one line that changes on a terminal, a few lines otherwise.
final class ProgressDisplay {
  private let isTerminal = isatty(STDERR_FILENO) == 1
  private var last = ""
  private var lastPart = -1.0
  private var lastTime = 0.0

  func show(_ progress: TrainingProgress) {
    show(progress.activity, part: progress.part, secondsLeft: progress.secondsLeft)
  }

  /// Shows the finished part of an activity, 0…1.
  func show(_ activity: String, part: Double, secondsLeft: Double? = nil) {
    let now = MonotonicClock.now()
    let isNew = activity != last
    if isTerminal {
      guard isNew || now - lastTime > 0.2 else { return }
    } else {
      guard isNew || part - lastPart >= 0.2 else { return }
    }
    last = activity
    lastPart = part
    lastTime = now
    var line = "\(activity): \(Int(part * 100)) %"
    if let left = secondsLeft {
      line += left >= 90 ? ", \(Int((left / 60).rounded())) minutes left" : ", \(Int(left)) s left"
    }
    if isTerminal {
      _ = writeAll(Array("\r\u{1B}[Khotword: \(line)".utf8), to: STDERR_FILENO)
    } else {
      Log.note(line)
    }
  }

  /// Clears the line, so that the next message has a line of its own.
  func end() {
    if !last.isEmpty { Self.clearLine() }
  }

  /// Clears the line on a terminal; any thread may call it.
  static func clearLine() {
    if isatty(STDERR_FILENO) == 1 { _ = writeAll(Array("\r\u{1B}[K".utf8), to: STDERR_FILENO) }
  }
}
