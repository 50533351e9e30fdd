import Glibc

/// The terminal as one picture, and its keys, as long as this lives.
///
/// The picture is on the alternate screen, so that what was there before comes back. However the process ends
/// (by `close`, a signal, a fault that the processor traps) the terminal is given back as it was; stopped with ^Z it is
/// given back meanwhile. One thread.
final class FullScreen {
  enum Event: Equatable {
    case key(Character)
    /// Another size, or back from the background: everything must be drawn anew.
    case redraw
    /// A signal asks for the end, or the terminal is gone.
    case end(signal: Int32)
  }

  private static let enter = "\u{1B}[?1049h\u{1B}[?25l"
  private static let leave: StaticString = "\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l"
  private static let signals = [SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGTSTP, SIGCONT, SIGWINCH]
  private static let traps = [SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGBUS, SIGSEGV]

  private let keyboard: Int32
  private var isOpen = false
  /// Keys that came together, still to be told.
  private var typed: [Character] = []

  /// Holds the signals back from this thread and those that it will start; call it before them.
  static func holdSignals() {
    var set = signalSet
    pthread_sigmask(SIG_BLOCK, &set, nil)
    // A signal that is ignored would not be kept.
    signal(SIGHUP, SIG_DFL)
  }

  /// - Parameter keyboard: where the keys come from.
  init(keyboard: Int32) {
    self.keyboard = keyboard
    Before.keyboard = keyboard
    tcgetattr(keyboard, &Before.settings)
    for trap in Self.traps {
      signal(trap) { trap in
        FullScreen.giveBack()
        signal(trap, SIG_DFL)
        raise(trap)
      }
    }
    open()
  }

  deinit { close() }

  /// The terminal's columns and rows.
  var size: (width: Int, height: Int) {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return (80, 24)
    }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Gives the terminal back.
  func close() {
    guard isOpen else { return }
    isOpen = false
    Self.giveBack()
  }

  private func open() {
    var settings = Before.settings
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
    withUnsafeMutableBytes(of: &settings.c_cc) {
      $0[Int(VMIN)] = 1
      $0[Int(VTIME)] = 0
    }
    tcsetattr(keyboard, TCSANOW, &settings)
    Self.write(Self.enter)
    isOpen = true
  }

  /// The next event; nil when none comes within so many milliseconds.
  func next(within milliseconds: Int32) -> Event? {
    if let event = signalled() { return event }
    if !typed.isEmpty { return .key(typed.removeFirst()) }
    var polled = pollfd(fd: keyboard, events: Int16(POLLIN), revents: 0)
    guard poll(&polled, 1, milliseconds) > 0 else { return signalled() }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(keyboard, &bytes, bytes.count)
    guard count > 0 else { return count < 0 && errno == EINTR ? nil : .end(signal: SIGHUP) }
    // An arrow's or a foreign letter's bytes are no keys of ours.
    if bytes[0] != 0x1B {
      typed = bytes[..<count].filter { $0 > 0x1F && $0 < 0x7F }.map { Character(UnicodeScalar($0)) }
    }
    return typed.isEmpty ? nil : .key(typed.removeFirst())
  }

  private func signalled() -> Event? {
    var set = Self.signalSet
    var immediately = timespec()
    let caught = sigtimedwait(&set, nil, &immediately)
    switch caught {
    case SIGWINCH: return .redraw
    case SIGCONT:
      open()
      return .redraw
    case SIGTSTP:
      close()
      kill(getpid(), SIGSTOP)
      open()
      return .redraw
    case 1...: return .end(signal: caught)
    default: return nil
    }
  }

  /// Writes all of `bytes`; a terminal that is gone tells by its keys.
  static func write(_ text: String) { write(Array(text.utf8)) }

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

  /// Safe in a signal handler.
  private static func giveBack() {
    _ = Glibc.write(STDOUT_FILENO, leave.utf8Start, leave.utf8CodeUnitCount)
    tcsetattr(Before.keyboard, TCSANOW, &Before.settings)
  }

  /// The terminal as it was: set once, before anything that could read it.
  private enum Before {
    nonisolated(unsafe) static var settings = termios()
    nonisolated(unsafe) static var keyboard: Int32 = 0
  }

  private static var signalSet: sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in signals { sigaddset(&set, signal) }
    return set
  }
}
