import Glibc

/// Standard error, where libraries speak too.
enum StandardError {
  /// Runs `body` while nothing is heard there: ALSA's plug-ins tell of their own troubles, such as a sound server that
  /// is not running.
  static func silenced<Result>(_ body: () throws -> Result) rethrows -> Result {
    let kept = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0)
    let sink = open("/dev/null", O_WRONLY | O_CLOEXEC)
    dup2(sink, STDERR_FILENO)
    close(sink)
    defer {
      dup2(kept, STDERR_FILENO)
      close(kept)
    }
    return try body()
  }
}
