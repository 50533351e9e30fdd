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

  /// Whether the satellite can listen for Home Assistant at `address`.
  static func address(_ address: ListenAddress, _ settings: SatelliteSettings) -> Finding {
    finding("address", address) { endpoint, deadline in
      guard settings.isESPHome else { return try isWyomingSatellite(endpoint, deadline) }
      let connection = try Connection(to: endpoint, deadline)
      try connection.send(settings.greeting, deadline)
      return try connection.receive(deadline)?.first == settings.greeting.first
    }
  }

  /// Whether the satellite can listen for programs at the control socket `address`.
  static func control(_ address: ListenAddress) -> Finding {
    finding("control", address) { endpoint, deadline in
      try Connection(to: endpoint, deadline).receive(deadline)?.starts(with: "{\"event\":".utf8) ?? false
    }
  }

  private static func isWyomingSatellite(
    _ endpoint: Connection.Endpoint, _ deadline: Connection.Deadline
  ) throws(NetworkFault) -> Bool {
    let connection = try WyomingConnection(to: endpoint, deadline)
    try connection.send(WyomingEvent("describe"), deadline)
    return try connection.receive(deadline)?["satellite"]?["name"] != nil
  }

  /// Listens at `address` for a moment. An address that a running satellite uses is not a fault.
  ///
  /// - Parameter isSatellite: whether the program that listens at an endpoint answers as a satellite.
  private static func finding(
    _ check: String, _ address: ListenAddress,
    _ isSatellite: (Connection.Endpoint, Connection.Deadline) throws -> Bool
  ) -> Finding {
    do throws(NetworkFault) {
      _ = try ListeningSocket.open(address)
      return .ok(check, "\(address) is free")
    } catch {
      if case .cannotListen(_, EADDRINUSE) = error, let endpoint = try? endpoint(address),
        (try? isSatellite(endpoint, Connection.Deadline(seconds: timeout))) ?? false
      {
        return .ok(check, "a satellite is running at \(address)")
      }
      return .fault(check, error)
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
    if let isConnected = settings.metrics.flatMap({ OutputsCheck.health(at: $0)?["connected"]?.bool }) {
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

  private static func isHome(_ host: String) -> Bool {
    guard let endpoint = try? server(host, homePort) else { return false }
    return (try? Connection(to: endpoint, Connection.Deadline(seconds: timeout))) != nil
  }
}
