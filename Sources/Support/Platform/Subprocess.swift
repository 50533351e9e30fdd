import CSystem
import Glibc

/// Runs a program to its end with a timeout: bytes in, bytes out.
public struct Subprocess: Sendable {
  /// How the program ended.
  public enum Ending: Sendable, Equatable {
    case exited(Int32)
    case killed(signal: Int32)
    /// It exceeded its timeout and was stopped: SIGTERM, then SIGKILL after `Subprocess.grace`.
    case timedOut
    /// `cancelled()` returned true before it ended.
    case cancelled
  }

  /// What a run returns.
  public struct Result: Sendable {
    public let ending: Ending
    /// Its standard output, up to `Subprocess.outputLimit` bytes.
    public let output: [UInt8]
    /// With `keepsErrors`, the last line of its standard error that is not blank, without control characters.
    public var lastErrorLine: String?
  }

  /// Seconds between SIGTERM and SIGKILL.
  public static let grace = 0.5
  /// Seconds for which output is read after the program has ended, while processes that it started still run.
  public static let outputGracePeriod = 0.2
  /// The maximum number of bytes kept of the standard output; the rest is read and dropped.
  public static let outputLimit = 4 << 20

  /// The program and its arguments. A name without a slash is searched in `PATH`.
  public let arguments: [String]

  public init(_ arguments: [String]) { self.arguments = arguments }

  /// A command line for `/bin/sh -c`.
  public init(shell line: String) { arguments = ["/bin/sh", "-c", line] }

  /// What messages call the shell command `line`: its program without folder, variables and arguments, which may contain keys;
  /// `command` where the line does not begin with a plain name.
  public static func name(ofShell line: String) -> String {
    let allowed = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._/+-")
    for word in line.split(whereSeparator: \.isWhitespace) {
      if word.allSatisfy(allowed.contains) { return String(word.split(separator: "/").last ?? "command") }
      // A variable before the program. A quoted value may go on in the next word.
      guard word.allSatisfy({ allowed.contains($0) || "=:,@%".contains($0) }), word.contains("=") else {
        break
      }
    }
    return "command"
  }

  /// The number of bytes kept of the end of the standard error.
  private static let errorLimit = 8192

  /// Runs the program in a process group of its own until it ends. Processes that it leaves behind keep running.
  ///
  /// The program inherits no descriptors except its standard streams; its standard error is this process's unless
  /// `keepsErrors`.
  ///
  /// - Parameters:
  ///   - input: its standard input, which it need not read.
  ///   - timeout: seconds until it is stopped.
  ///   - keepsErrors: reads its standard error and returns the last line.
  ///   - errors: with `keepsErrors`, gets the bytes of its standard error within 50 ms, on the calling thread.
  ///   - cancelled: called every 50 ms; the program is stopped once it returns true.
  /// - Throws: ``SystemFault/cannotStart(command:code:)``.
  public func run(
    input: [UInt8] = [], timeout: Double, keepsErrors: Bool = false,
    errors takeErrors: (ArraySlice<UInt8>) -> Void = { _ in }, cancelled: () -> Bool = { false }
  ) throws(SystemFault) -> Result {
    var toChild: [Int32] = [-1, -1]
    var fromChild: [Int32] = [-1, -1]
    guard Self.openPipe(&toChild) else { throw .cannotStart(command: arguments[0], code: errno) }
    guard Self.openPipe(&fromChild) else {
      let code = errno
      for end in toChild { close(end) }
      throw .cannotStart(command: arguments[0], code: code)
    }
    var errors: [Int32] = [-1, -1]
    if keepsErrors, !Self.openPipe(&errors) {
      let code = errno
      for end in toChild + fromChild { close(end) }
      throw .cannotStart(command: arguments[0], code: code)
    }
    let child = start(standardInput: toChild[0], standardOutput: fromChild[1], standardError: errors[1])
    close(toChild[0])
    close(fromChild[1])
    if keepsErrors { close(errors[1]) }
    guard case .success(let process) = child else {
      close(toChild[1])
      close(fromChild[0])
      if keepsErrors { close(errors[0]) }
      guard case .failure(let fault) = child else { fatalError("unreachable") }
      throw fault
    }
    defer { close(fromChild[0]) }
    defer { if keepsErrors { close(errors[0]) } }
    var tail: [UInt8] = []
    var result = converse(
      process, writing: input, to: toChild[1], reading: fromChild[0], errors: errors[0], tail: &tail,
      takeErrors, until: MonotonicClock.now() + timeout, cancelled: cancelled)
    result.lastErrorLine = Self.lastLine(of: tail)
    return result
  }

  private static func lastLine(of bytes: [UInt8]) -> String? {
    bytes.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
      .last { line in line.contains { $0 > 0x20 } }
      .map { PlainText.line(String(decoding: $0, as: UTF8.self)) }
  }

  /// Reads what is available of the standard error and keeps its end.
  private static func drain(
    _ descriptor: Int32, _ chunk: inout [UInt8], into tail: inout [UInt8], _ take: (ArraySlice<UInt8>) -> Void
  ) {
    guard descriptor >= 0 else { return }
    // At most as much as a pipe holds: a program that never stops writing does not delay its timeout.
    for _ in 0..<16 {
      let count = read(descriptor, &chunk, chunk.count)
      if count <= 0 { return }
      take(chunk[..<count])
      tail += chunk[..<count]
      if tail.count > errorLimit { tail.removeFirst(tail.count - errorLimit) }
    }
  }

  private static func openPipe(_ ends: inout [Int32]) -> Bool { system_pipe(&ends) == 0 }

  private func start(
    standardInput: Int32, standardOutput: Int32, standardError: Int32
  ) -> Swift.Result<pid_t, SystemFault> {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, standardInput, 0)
    posix_spawn_file_actions_adddup2(&actions, standardOutput, 1)
    if standardError >= 0 { posix_spawn_file_actions_adddup2(&actions, standardError, 2) }
    // Libraries may have opened descriptors that are not closed on exec.
    system_close_from(&actions, 3)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    var defaults = sigset_t()
    sigemptyset(&defaults)
    for signal in [SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGXFSZ] { sigaddset(&defaults, signal) }
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    var pointers = arguments.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    var process: pid_t = 0
    let code = posix_spawnp(&process, arguments[0], &actions, &attributes, &pointers, environ)
    return code == 0 ? .success(process) : .failure(.cannotStart(command: arguments[0], code: code))
  }

  private func converse(
    _ process: pid_t, writing input: [UInt8], to sink: Int32, reading source: Int32,
    errors: Int32, tail: inout [UInt8], _ takeErrors: (ArraySlice<UInt8>) -> Void, until deadline: Double,
    cancelled: () -> Bool
  ) -> Result {
    _ = fcntl(sink, F_SETFL, fcntl(sink, F_GETFL) | O_NONBLOCK)
    _ = fcntl(source, F_SETFL, fcntl(source, F_GETFL) | O_NONBLOCK)
    if errors >= 0 { _ = fcntl(errors, F_SETFL, fcntl(errors, F_GETFL) | O_NONBLOCK) }
    var written = 0
    var sinkOpen = true
    func closeSink() {
      if sinkOpen { close(sink) }
      sinkOpen = false
    }
    defer { closeSink() }
    if input.isEmpty { closeSink() }
    var output: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    var status: Int32 = 0
    var exited = false
    var sourceOpen = true
    let ended = system_pidfd(process)
    defer { if ended >= 0 { close(ended) } }
    var lastLook = Double.infinity
    defer { Self.drain(errors, &chunk, into: &tail, takeErrors) }
    while sourceOpen || !exited {
      Self.drain(errors, &chunk, into: &tail, takeErrors)
      if !exited, cancelled() { return Result(ending: end(process, ended, as: .cancelled), output: output) }
      let isLastLook = MonotonicClock.now() >= lastLook
      let left = min(deadline, lastLook) - MonotonicClock.now()
      if !exited, left <= 0 { return Result(ending: end(process, ended, as: .timedOut), output: output) }
      var polled = [
        pollfd(fd: sourceOpen ? source : -1, events: Int16(POLLIN), revents: 0),
        pollfd(fd: sinkOpen ? sink : -1, events: Int16(POLLOUT), revents: 0),
        pollfd(fd: exited ? -1 : ended, events: Int16(POLLIN), revents: 0),
      ]
      poll(&polled, 3, Int32(min(50, max(0, left) * 1000 + 1)))
      if polled[0].revents != 0 {
        let count = read(source, &chunk, chunk.count)
        if count > 0 {
          output += chunk[..<min(count, max(0, Subprocess.outputLimit - output.count))]
        } else if count == 0 || errno != EAGAIN && errno != EINTR {
          sourceOpen = false
        }
      }
      if polled[1].revents != 0 {
        let count = withoutBrokenPipeSignal {
          input[written...].withUnsafeBytes { write(sink, $0.baseAddress!, $0.count) }
        }
        if count > 0 { written += count }
        if written == input.count || count < 0 && errno != EAGAIN && errno != EINTR { closeSink() }
      }
      if !exited, waitpid(process, &status, WNOHANG) == process {
        exited = true
        lastLook = MonotonicClock.now() + Self.outputGracePeriod
        closeSink()
      }
      if isLastLook { break }
    }
    let signal = status & 0x7F
    let ending: Ending = signal == 0 ? .exited((status >> 8) & 0xFF) : .killed(signal: signal)
    return Result(ending: ending, output: output)
  }

  /// Stops the program: SIGTERM, and SIGKILL if `ended` does not report its end within the grace period.
  private func end(_ process: pid_t, _ ended: Int32, as ending: Ending) -> Ending {
    kill(-process, SIGTERM)
    var status: Int32 = 0
    var polled = pollfd(fd: ended, events: Int16(POLLIN), revents: 0)
    poll(&polled, 1, Int32(Subprocess.grace * 1000))
    kill(-process, SIGKILL)
    waitpid(process, &status, 0)
    return ending
  }
}

/// Runs `body` with SIGPIPE blocked on this thread, so that a write to a closed pipe sets `errno` whatever the process's
/// signal handlers are.
private func withoutBrokenPipeSignal(_ body: () -> Int) -> Int {
  var brokenPipe = sigset_t()
  var before = sigset_t()
  sigemptyset(&brokenPipe)
  sigaddset(&brokenPipe, SIGPIPE)
  pthread_sigmask(SIG_BLOCK, &brokenPipe, &before)
  let result = body()
  let code = errno
  var immediately = timespec()
  if result < 0, code == EPIPE { sigtimedwait(&brokenPipe, nil, &immediately) }
  pthread_sigmask(SIG_SETMASK, &before, nil)
  errno = code
  return result
}
