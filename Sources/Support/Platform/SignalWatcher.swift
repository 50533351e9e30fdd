import Glibc

/// Signals that a process receives as values instead of being interrupted by them.
///
/// Create it before the process starts a thread: every thread inherits the blocked signals of the thread that starts it.
public struct SignalWatcher: Sendable {
  /// The signals that end a process: SIGINT, SIGTERM, and SIGHUP of a terminal that is closed, unless it was started to outlive it.
  public static let stopping = [SIGINT, SIGTERM] + (outlivesTerminal ? [] : [SIGHUP])

  /// Whether `signal` is a request to stop; SIGHUP is one only to some commands.
  public static func isStop(_ signal: Int32) -> Bool { [SIGINT, SIGTERM, SIGQUIT].contains(signal) }

  /// Whether whoever started the process has it ignore SIGHUP, as `nohup` does.
  public static let outlivesTerminal: Bool = {
    var action = sigaction()
    sigaction(SIGHUP, nil, &action)
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      == unsafeBitCast(SIG_IGN, to: Int.self)
  }()

  /// Seconds within which several stop signals are one request: `timeout` and shells signal a process and its group.
  private static let requestSeconds = 0.5

  private let signals: [Int32]

  /// Blocks `signals` in the calling thread and in all threads that it starts later.
  public init(_ signals: [Int32] = stopping) {
    self.signals = signals
    var set = set
    pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// Waits for the next signal.
  public func next() -> Int32 {
    var set = set
    var signal: Int32 = 0
    sigwait(&set, &signal)
    return signal
  }

  /// Waits for the next signal, up to `seconds`; nil when none came.
  public func next(within seconds: Double) -> Int32? {
    var set = set
    let whole = max(0, seconds).rounded(.down)
    var time = timespec(tv_sec: Int(whole), tv_nsec: Int((max(0, seconds) - whole) * 1e9))
    let signal = sigtimedwait(&set, nil, &time)
    return signal > 0 ? signal : nil
  }

  /// Starts a thread that calls `handle` with each signal.
  ///
  /// `handle` receives the first of SIGINT, SIGTERM and SIGQUIT. Another one half a second later or more ends the process at
  /// once, with 128 plus its number as the exit code, even if the shutdown hangs.
  ///
  /// - Parameters:
  ///   - cleanUp: called on that thread before such a forced exit.
  ///   - handle: called on that thread; it must not block.
  /// - Throws: ``SystemFault/cannotStart(command:code:)``.
  public func start(
    beforeForcedExit cleanUp: @escaping @Sendable () -> Void = {},
    _ handle: @escaping @Sendable (_ signal: Int32) -> Void
  ) throws(SystemFault) {
    try DetachedThread.start { [self] in
      var firstStop: Double?
      while true {
        let signal = next()
        guard Self.isStop(signal) else {
          handle(signal)
          continue
        }
        guard let first = firstStop else {
          firstStop = MonotonicClock.now()
          handle(signal)
          continue
        }
        guard MonotonicClock.now() - first >= Self.requestSeconds else { continue }
        cleanUp()
        _exit(128 + signal)
      }
    }
  }

  private var set: sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in signals { sigaddset(&set, signal) }
    return set
  }
}
