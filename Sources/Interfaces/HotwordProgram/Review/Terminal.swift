import Glibc

/// The keyboard, one key at a time and without echo, as long as this lives.
///
/// SIGINT, SIGQUIT and SIGTERM are held back and told as the end of the keys, so that the terminal is always given
/// back as it was. One thread.
final class Terminal {
  private let before: termios

  /// Whether a person sits at standard input and standard output.
  static var isThere: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 }

  private static let endOfInput: UInt8 = 4
  private static let escape: UInt8 = 27
  /// Milliseconds between two looks at the signals.
  private static let interval: Int32 = 50

  init() {
    var signals = Self.signals
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    var settings = termios()
    tcgetattr(STDIN_FILENO, &settings)
    before = settings
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
    // Key by key; and no ^Z, which would leave the shell without echo.
    withUnsafeMutableBytes(of: &settings.c_cc) {
      $0[Int(VMIN)] = 1
      $0[Int(VTIME)] = 0
      $0[Int(VSUSP)] = 0
    }
    tcsetattr(STDIN_FILENO, TCSANOW, &settings)
  }

  deinit {
    var settings = before
    tcsetattr(STDIN_FILENO, TCSANOW, &settings)
  }

  /// The signal that asked for the end.
  private(set) var signal: Int32?

  /// Whether a key waits or a signal has come; does not wait itself.
  var isAsked: Bool { isSignalled || hasKey(within: 0) }

  /// The next key, waited for; nil at the end of the keys.
  func key() -> Character? {
    while !isSignalled {
      guard hasKey(within: Self.interval) else { continue }
      var byte: UInt8 = 0
      guard read(STDIN_FILENO, &byte, 1) == 1, byte != Self.endOfInput else { return nil }
      if byte == Self.escape || byte >= 0x80 { passOver() }
      return Character(UnicodeScalar(byte))
    }
    return nil
  }

  /// The rest of an arrow's or a foreign letter's bytes, none of which is a key of ours.
  private func passOver() {
    var byte: UInt8 = 0
    while hasKey(within: 0), read(STDIN_FILENO, &byte, 1) == 1 {}
  }

  private func hasKey(within milliseconds: Int32) -> Bool {
    var polled = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    return poll(&polled, 1, milliseconds) > 0
  }

  private var isSignalled: Bool {
    if signal != nil { return true }
    var signals = Self.signals
    var immediately = timespec()
    let caught = sigtimedwait(&signals, nil, &immediately)
    if caught > 0 { signal = caught }
    return signal != nil
  }

  private static var signals: sigset_t {
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in [SIGINT, SIGQUIT, SIGTERM] { sigaddset(&signals, signal) }
    return signals
  }
}
