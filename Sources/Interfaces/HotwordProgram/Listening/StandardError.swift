import Glibc

/// Standard error, which libraries write to as well.
enum StandardError {
  /// Runs `body` while standard error is discarded: ALSA's plug-ins print their problems there, such as a sound server that is not
  /// running.
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
