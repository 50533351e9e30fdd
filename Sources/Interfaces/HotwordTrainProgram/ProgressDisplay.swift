import Glibc
import Platform
import Training

/// Progress on standard error: one line that changes on a terminal, a few lines otherwise; or JSON objects for a program.
final class ProgressDisplay {
  enum Form: String {
    case text, json
  }

  /// Seconds between two objects of the same activity.
  private static let interval = 0.5

  private let form: Form
  private let isTerminal = isatty(STDERR_FILENO) == 1
  private var last = ""
  private var lastPart = -1.0
  private var lastTime = 0.0

  init(_ form: Form = .text) { self.form = form }

  func show(_ progress: TrainingProgress) {
    guard form == .json else {
      return show(progress.activity, part: progress.part, secondsLeft: progress.secondsLeft)
    }
    let now = MonotonicClock.now()
    guard progress.activity != last || now - lastTime >= Self.interval else { return }
    last = progress.activity
    lastTime = now
    let line: JSON = [
      "activity": .string(progress.activity), "part": .rounded(progress.part, digits: 4),
      "secondsLeft": progress.secondsLeft.map { .rounded($0, digits: 0) } ?? .null,
      "loss": progress.loss.map { .rounded($0, digits: 5) } ?? .null,
    ]
    // The program that reads it has ended, and with it the wish for the result.
    if !writeAll(Array("\(line)\n".utf8), to: STDERR_FILENO) { _exit(ExitCode.inputOutput.rawValue) }
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
    if !last.isEmpty, form == .text { Self.clearLine() }
  }

  /// Clears the line on a terminal; any thread may call it.
  static func clearLine() {
    if isatty(STDERR_FILENO) == 1 { _ = writeAll(Array("\r\u{1B}[K".utf8), to: STDERR_FILENO) }
  }
}
