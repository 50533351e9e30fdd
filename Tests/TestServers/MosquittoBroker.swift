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
    guard let process = ChildProcess.start([path, "-c", "\(folder)/conf"]) else { throw DidNotStart() }
    self.process = process
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
