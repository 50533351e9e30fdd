import Glibc
import Platform

/// HAProxy with the configuration of the package, on ports of its own of the loopback interface, for as long as this value lives.
public final class HAProxyBalancer {
  /// The port for clients without TLS.
  public let port: Int
  /// The port for clients with TLS.
  public let encryptedPort: Int
  private let process: pid_t

  /// The program's path; nil where it is not installed.
  public static let path = ["/usr/sbin/haproxy", "/usr/bin/haproxy"].first { Files.exists($0) }

  public struct DidNotStart: Error {
    public let log: String
  }

  /// - Parameters:
  ///   - configuration: the text of `Packaging/haproxy/hotword.cfg`, whose addresses are replaced.
  ///   - servers: the ports of the two servers.
  ///   - certificate: a file with a certificate and its key.
  public init(_ configuration: String, servers: (Int, Int), certificate: String) throws {
    guard let path = Self.path else { throw DidNotStart(log: "not installed") }
    port = Loopback.freePort()
    encryptedPort = Loopback.freePort()
    var text = configuration
    for (old, new) in [
      (":10443 ", "127.0.0.1:\(encryptedPort) "), ("127.0.0.1:10400", "127.0.0.1:\(port)"),
      ("127.0.0.1:10401", "127.0.0.1:\(servers.0)"), ("127.0.0.1:10402", "127.0.0.1:\(servers.1)"),
      ("/etc/haproxy/hotword.pem", certificate),
    ] {
      guard text.contains(old) else { throw DidNotStart(log: "the configuration has no '\(old)'") }
      text = text.replacing(old, with: new)
    }
    let folder = PythonServer.temporaryFolder()
    try Files.write(Array(text.utf8), to: "\(folder)/hotword.cfg")
    let log = "\(folder)/log"
    let started = ChildProcess.start([path, "-db", "-f", "\(folder)/hotword.cfg"]) { actions in
      for stream: Int32 in [1, 2] {
        posix_spawn_file_actions_addopen(&actions, stream, log, O_WRONLY | O_CREAT | O_APPEND, 0o600)
      }
    }
    guard let started else { throw DidNotStart(log: "") }
    process = started
    let isOpen = Waiting.until { Loopback.isOpen(port) || waitpid(started, nil, WNOHANG) != 0 }
    guard isOpen, Loopback.isOpen(port) else {
      throw DidNotStart(log: String(decoding: (try? Files.read(log)) ?? [], as: UTF8.self))
    }
  }

  deinit {
    kill(process, SIGKILL)
    waitpid(process, nil, 0)
  }
}
