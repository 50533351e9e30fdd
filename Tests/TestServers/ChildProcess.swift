import CSystem
import Glibc

/// Starts programs that run beside a test.
public enum ChildProcess {
  /// Starts a program that inherits the standard streams and nothing else: no signals that the threads of tests block, and none of
  /// the descriptors of tests that run at the same time, whose other ends would wait for it.
  ///
  /// - Parameters:
  ///   - arguments: the program, searched in `PATH` if it has no slash, and its arguments.
  ///   - redirect: adds actions for the standard streams.
  /// - Returns: nil if it cannot be started.
  public static func start(
    _ arguments: [String], redirect: (inout posix_spawn_file_actions_t) -> Void = { _ in }
  ) -> pid_t? {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    redirect(&actions)
    system_close_from(&actions, 3)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    var words = arguments.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var process: pid_t = 0
    return posix_spawnp(&process, arguments[0], &actions, &attributes, &words, environ) == 0 ? process : nil
  }
}
