import Glibc
import Platform

/// The terminal, key by key and without echo, while this object exists.
///
/// The previous settings come back at the end of this object, after a fault that the processor traps, and while the process is
/// suspended. One thread; ``restore()`` is safe in a signal handler and on any thread.
final class Terminal {
  enum Mode {
    /// Lines of text, as before.
    case lines
    /// A picture on the alternate screen.
    case fullScreen
  }

  /// The signals that a command must receive to restore the terminal.
  static func signals(for mode: Mode) -> [Int32] {
    switch mode {
    case .lines: [SIGQUIT] + SignalWatcher.stopping
    case .fullScreen: [SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGTSTP, SIGCONT, SIGWINCH]
    }
  }

  /// Whether a person uses standard input and standard output.
  static var isInteractive: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 }

  private static let enter = "\u{1B}[?1049h\u{1B}[?25l"
  private static let leave: StaticString = "\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l"
  private static let traps = [SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGBUS, SIGSEGV]

  private let keyboard: Int32
  private let mode: Mode

  /// - Parameter keyboard: the terminal's file descriptor.
  init(_ mode: Mode, keyboard: Int32 = STDIN_FILENO) {
    self.keyboard = keyboard
    self.mode = mode
    Before.keyboard = keyboard
    Before.isFullScreen = mode == .fullScreen
    tcgetattr(keyboard, &Before.settings)
    for trap in Self.traps {
      signal(trap) { trap in
        Terminal.restore()
        signal(trap, SIG_DFL)
        raise(trap)
      }
    }
    open()
  }

  deinit { Self.restore() }

  /// The columns and rows.
  var size: (width: Int, height: Int) {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return (80, 24)
    }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Sets the terminal up again, after the process was suspended.
  func open() {
    var settings = Before.settings
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
    withUnsafeMutableBytes(of: &settings.c_cc) {
      $0[Int(VMIN)] = 1
      $0[Int(VTIME)] = 0
      // Without the signals of a suspension, ^Z would leave the shell without echo.
      if mode == .lines { $0[Int(VSUSP)] = 0 }
    }
    tcsetattr(keyboard, TCSANOW, &settings)
    if mode == .fullScreen { Self.write(Array(Self.enter.utf8)) }
    Before.isOpen = true
  }

  /// Restores the terminal, suspends the process, and sets the terminal up again when it continues.
  func suspend() {
    Self.restore()
    kill(getpid(), SIGSTOP)
    open()
  }

  /// Restores the previous settings; does nothing if they are restored already.
  static func restore() {
    guard Before.isOpen else { return }
    Before.isOpen = false
    if Before.isFullScreen { _ = Glibc.write(STDOUT_FILENO, leave.utf8Start, leave.utf8CodeUnitCount) }
    tcsetattr(Before.keyboard, TCSANOW, &Before.settings)
  }

  /// Writes all of `bytes`. If the terminal is gone, nothing is written: the end of the keys reports that.
  static func write(_ bytes: [UInt8]) {
    var start = 0
    while start < bytes.count {
      let count = bytes[start...].withUnsafeBufferPointer {
        Glibc.write(STDOUT_FILENO, $0.baseAddress!, $0.count)
      }
      guard count > 0 || errno == EINTR else { return }
      start += max(0, count)
    }
  }

  /// The state before this object, in static storage for signal handlers; a race at the end only restores it twice.
  private enum Before {
    nonisolated(unsafe) static var settings = termios()
    nonisolated(unsafe) static var keyboard: Int32 = 0
    nonisolated(unsafe) static var isFullScreen = false
    nonisolated(unsafe) static var isOpen = false
  }
}
