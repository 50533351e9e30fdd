import Configuration
import Glibc
import Networking
import Platform

/// Whether a satellite can listen at its addresses, and whether Home Assistant is there.
enum SatelliteReach {
  /// The longest wait for an answer in seconds.
  private static let timeout = 2.0
  /// The standard port of Home Assistant.
  private static let homePort = 8_123

  /// Listens at `address` for a moment. An address that a running satellite uses is no fault.
  ///
  /// - Parameters:
  ///   - check: the name of the check.
  ///   - greeting: what a client sends first; empty where the satellite begins, with a line of JSON.
  static func address(_ address: ListenAddress, _ check: String, greeting: [UInt8]) -> Finding {
    do throws(NetworkFault) {
      _ = try ListeningSocket.open(address)
      return .ok(check, "\(address) is free")
    } catch {
      if case .cannotListen(_, EADDRINUSE) = error, isAnswered(at: address, greeting) {
        return .ok(check, "a satellite is running at \(address)")
      }
      return .fault(check, error)
    }
  }

  /// Whether the program at `address` answers as a satellite: the first byte shows the protocol.
  private static func isAnswered(at address: ListenAddress, _ greeting: [UInt8]) -> Bool {
    do throws(NetworkFault) {
      let deadline = Connection.Deadline(seconds: timeout)
      let connection = try Connection(to: endpoint(address), deadline)
      if !greeting.isEmpty { try connection.send(greeting, deadline) }
      return try connection.receive(deadline)?.first == greeting.first ?? UInt8(ascii: "{")
    } catch {
      return false
    }
  }

  /// Where a program on this machine reaches `address`.
  private static func endpoint(_ address: ListenAddress) throws(NetworkFault) -> Connection.Endpoint {
    switch address {
    case .host("0.0.0.0", let port): try server("127.0.0.1", port)
    case .host("::", let port): try server("::1", port)
    case .host(let host, let port): try server(host, port)
    case .socket(let path): .socket(path: path)
    case .standardStreams: throw .badAddress("\(address)", expected: "tcp://HOST:PORT")
    }
  }

  private static func server(_ host: String, _ port: Int) throws(NetworkFault) -> Connection.Endpoint {
    let name = host.contains(":") ? "[\(host)]" : host
    return .host(
      try WebAddress("http://\(name):\(port)", schemes: ["http"], expected: "http://HOST:PORT"))
  }

  /// Home Assistant: whether it is connected to the running satellite, or whether a program is where it may be.
  static func home(_ settings: SatelliteSettings, _ reach: WyomingReach) -> [Finding] {
    if let isConnected = settings.metrics.flatMap(isConnected) {
      let integration = settings.isESPHome ? "ESPHome" : "Wyoming Protocol"
      return [
        isConnected
          ? .ok("home", "Home Assistant is connected to the satellite")
          : .warning(
            "home",
            "Home Assistant is not connected to the satellite; in Home Assistant, add the integration \"\(integration)\" with this machine's "
              + "address and the port of the satellite")
      ]
    }
    if reach.addresses.allSatisfy(\.isLocal) {
      return [
        isHome("127.0.0.1")
          ? .ok("home", "Home Assistant answers on this machine")
          : .warning(
            "home",
            "only programs on this machine can connect, and Home Assistant does not answer here at port \(homePort); set 'allow' to the "
              + "address of Home Assistant")
      ]
    }
    return settings.allowed.filter { $0 != "any" && !$0.contains("/") }.map { host in
      isHome(host)
        ? .ok("home", "Home Assistant answers at \(host)")
        : .warning(
          "home",
          "\(host): no program answers at port \(homePort), Home Assistant's; start Home Assistant, or set 'allow' to its address"
        )
    }
  }

  /// What the running satellite reports on its page `/health`; nil if none answers there.
  private static func isConnected(_ metrics: HTTPAddress) -> Bool? {
    guard
      let page = try? WebAddress("http://\(metrics)/health", schemes: ["http"], expected: "http://HOST:PORT"),
      let answer = try? HTTPClient(timeout: timeout).send(HTTPRequest(.get, page))
    else { return nil }
    return (try? JSON(parsing: answer.body))?["connected"]?.bool
  }

  private static func isHome(_ host: String) -> Bool {
    guard let endpoint = try? server(host, homePort) else { return false }
    return (try? Connection(to: endpoint, Connection.Deadline(seconds: timeout))) != nil
  }
}
