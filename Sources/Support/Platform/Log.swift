import Glibc
import Synchronization

/// Log messages on standard error: one line each, written with one call. Results go to standard output instead.
///
/// Any thread except the audio thread may call any function. Where standard error is a pipe that nobody reads, a message waits
/// up to a second, and later ones are left out until it is read again, so that a service does not stop with its log.
public enum Log {
  /// The severity of a message, numbered as in syslog.
  public enum Level: Int, Sendable, CaseIterable {
    case error = 3
    case warning = 4
    case notice = 5
    case info = 6
    case debug = 7

    /// The level called `name`, as in `--log-level`.
    public init?(name: String) {
      guard let level = Self.allCases.first(where: { $0.name == name }) else { return nil }
      self = level
    }

    public var name: String { "\(self)" }
  }

  /// The format of a line.
  public enum Form: String, Sendable, CaseIterable {
    /// `journal` if standard error is the journal, otherwise `plain`.
    case auto
    /// `hotword: warning: MESSAGE`
    case plain
    /// `<4>MESSAGE`: the priority as in sd-daemon(3).
    case journal
    /// `{"time":"2026-11-21T13:12:52.120Z","level":"warning","message":"MESSAGE"}`
    case json
  }

  private static let threshold = Atomic<Int>(Level.notice.rawValue)
  private static let form = Atomic<Int>(0)

  /// Sets the lowest level that is written and the format. The defaults are `notice` and `auto`.
  public static func configure(level: Level, form: Form) {
    threshold.store(level.rawValue, ordering: .relaxed)
    self.form.store(Form.allCases.firstIndex(of: form) ?? 0, ordering: .relaxed)
  }

  public static func error(_ text: String) { write(text, .error) }
  public static func warning(_ text: String) { write(text, .warning) }
  public static func note(_ text: String) { write(text, .notice) }
  public static func info(_ text: String) { write(text, .info) }
  public static func debug(_ text: String) { write(text, .debug) }

  private static let isJournal = JournalStream.isStandardError

  private static func write(_ text: String, _ level: Level) {
    guard level.rawValue <= threshold.load(ordering: .relaxed) else { return }
    var form = Form.allCases[form.load(ordering: .relaxed)]
    if form == .auto { form = isJournal ? .journal : .plain }
    let time = WallTime.now()
    let kept = LogLine(time: time, level: level, text: PlainText.line(text, limit: LogHistory.longest))
    history.withLock { $0.append(kept) }
    output.withLock {
      $0.write(line(text, level, form: form, at: time)) {
        line("\($0) messages were left out: nobody read them", .warning, form: form, at: WallTime.now())
      }
    }
  }

  private static let history = Mutex(LogHistory())

  /// The last `count` messages that were written of `level` or more severe, the oldest first.
  package static func last(_ count: Int, atLeast level: Level) -> [LogLine] {
    history.withLock { $0.last(count, atLeast: level) }
  }

  private static let output = Mutex(LogOutput(STDERR_FILENO))

  /// The line for a message, without the newline at its end; newlines in the message become spaces.
  package static func line(_ text: String, _ level: Level, form: Form, at time: WallTime) -> String {
    let text = text.contains(where: \.isNewline) ? String(text.map { $0.isNewline ? " " : $0 }) : text
    return switch form {
    case .auto, .plain: level == .warning ? "hotword: warning: \(text)" : "hotword: \(text)"
    case .journal: "<\(level.rawValue)>\(text)"
    case .json:
      "\(JSON.object([JSON.Member("time", .string(time.iso)), JSON.Member("level", .string(level.name)), JSON.Member("message", .string(text))]))"
    }
  }
}
