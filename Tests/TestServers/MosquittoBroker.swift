import Glibc
import Platform

/// Debian's MQTT broker on a port of its own of the loopback interface, for as long as this value lives.
public final class MosquittoBroker {
  public let port: Int
  private let folder: String
  private var process: pid_t = 0

  /// The broker's path; nil where it is not installed.
  public static let path = ["/usr/sbin/mosquitto", "/usr/bin/mosquitto"].first { Files.exists($0) }

  public struct DidNotStart: Error {}

  /// - Parameters:
  ///   - password: the password of the user `hotword`, the only one who may connect; nil allows all clients.
  ///   - certificate: a file with a certificate and its key, for TLS.
  public init(password: String? = nil, certificate: String? = nil) throws {
    folder = PythonServer.temporaryFolder()
    port = Loopback.freePort()
    var lines = [
      "listener \(port) 127.0.0.1", "allow_anonymous \(password == nil)", "log_dest none",
      "persistence true", "persistence_location \(folder)/",
    ]
    if geteuid() == 0 { lines.append("user root") }
    if let password {
      let command = "mosquitto_passwd -b -c \(folder)/users hotword \(password)"
      _ = try Subprocess(shell: command).run(timeout: 10, keepsErrors: true)
      lines.append("password_file \(folder)/users")
    }
    if let certificate { lines += ["certfile \(certificate)", "keyfile \(certificate)"] }
    try Files.write(Array(lines.joined(separator: "\n").utf8), to: folder + "/conf")
    try start()
  }

  deinit { stop() }

  /// Starts the broker with the state that it has saved.
  public func start() throws {
    guard let path = Self.path else { throw DidNotStart() }
    let line: [String] = [path, "-c", "\(folder)/conf"]
    var words = line.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    // The threads of tests block signals, which a broker must not inherit.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    guard posix_spawn(&process, path, nil, &attributes, &words, environ) == 0 else { throw DidNotStart() }
    // Another process may have taken the port.
    var hasEnded = false
    let isOpen = Waiting.until {
      hasEnded = waitpid(process, nil, WNOHANG) != 0
      return hasEnded || Loopback.isOpen(port)
    }
    guard isOpen, !hasEnded else { throw DidNotStart() }
  }

  /// Ends the broker; it saves its sessions and the messages queued for them.
  public func stop() {
    guard process > 0 else { return }
    kill(process, SIGTERM)
    waitpid(process, nil, 0)
    process = 0
  }
}
