import Glibc
import Platform

/// An Avahi daemon that announces on the loopback interface alone, with a D-Bus of its own, for as long as this value lives.
public final class AvahiDaemon {
  /// For `DBUS_SYSTEM_BUS_ADDRESS`.
  public let bus: String
  private let folder: String

  public struct DidNotStart: Error {}

  /// Whether one can be started: only by root, and only if no other runs.
  public static let isPossible: Bool = {
    let tools = ["/usr/sbin/avahi-daemon", "/usr/bin/avahi-browse", "/usr/bin/dbus-daemon"]
    return geteuid() == 0 && tools.allSatisfy { Files.exists($0) }
      && (try? Subprocess(["avahi-daemon", "--check"]).run(timeout: 5, keepsErrors: true))?.ending
        != .exited(0)
  }()

  public init() throws {
    folder = PythonServer.temporaryFolder()
    bus = "unix:path=\(folder)/bus"
    let policy = """
      <busconfig><type>system</type><listen>\(bus)</listen><auth>EXTERNAL</auth><policy context="default">
      <allow user="*"/><allow own="*"/><allow send_destination="*"/><allow receive_sender="*"/></policy></busconfig>
      """
    try Files.write(Array(policy.utf8), to: "\(folder)/bus.conf")
    let settings = """
      [server]
      host-name=hotwordtest
      use-ipv6=no
      allow-interfaces=lo
      [publish]
      publish-workstation=no
      """
    try Files.write(Array(settings.utf8), to: "\(folder)/avahi.conf")
    _ = try Subprocess(
      shell: "dbus-daemon --config-file=\(folder)/bus.conf --fork --print-pid >\(folder)/bus.pid"
    )
    .run(timeout: 10)
    try start()
  }

  /// Starts the daemon without what was announced before.
  public func start() throws {
    let line = """
      DBUS_SYSTEM_BUS_ADDRESS=\(bus) avahi-daemon --no-drop-root --no-chroot --no-rlimits -f \(folder)/avahi.conf \
      >\(folder)/log 2>&1 </dev/null & echo $! >\(folder)/avahi.pid
      """
    _ = try Subprocess(shell: line).run(timeout: 10)
    let hasStarted = Waiting.until {
      let log = (try? Files.read("\(folder)/log")) ?? []
      return String(decoding: log, as: UTF8.self).contains("startup complete")
    }
    guard hasStarted else { throw DidNotStart() }
  }

  public func stop() { end("avahi.pid") }

  /// The names and ports that are announced with `type`, sorted.
  public func found(_ type: String) throws -> [String] {
    let line = "DBUS_SYSTEM_BUS_ADDRESS=\(bus) avahi-browse -rpt \(type)"
    let output = try Subprocess(shell: line).run(timeout: 20, keepsErrors: true).output
    let lines = String(decoding: output, as: UTF8.self).split(separator: "\n")
    return lines.filter { $0.hasPrefix("=") }.map {
      let fields = $0.split(separator: ";", omittingEmptySubsequences: false)
      return "\(fields[3]) \(fields[8])"
    }.sorted()
  }

  /// The texts of the first service that is announced with `type`.
  public func records(_ type: String) throws -> String? {
    let line = "DBUS_SYSTEM_BUS_ADDRESS=\(bus) avahi-browse -rpt \(type)"
    let output = try Subprocess(shell: line).run(timeout: 20, keepsErrors: true).output
    let lines = String(decoding: output, as: UTF8.self).split(separator: "\n")
    return lines.first { $0.hasPrefix("=") }?.split(separator: ";").last.map(String.init)
  }

  deinit {
    stop()
    end("bus.pid")
  }

  private func end(_ file: String) {
    let text = String(decoding: (try? Files.read("\(folder)/\(file)")) ?? [], as: UTF8.self)
    guard let process = pid_t(text.split(separator: "\n").first ?? "") else { return }
    kill(process, SIGTERM)
    _ = Waiting.until(within: 10) { kill(process, 0) != 0 }
  }
}
