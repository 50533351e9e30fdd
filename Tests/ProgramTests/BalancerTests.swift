import Glibc
import PCM
import Platform
import TestServers
import Testing

/// Two servers behind HAProxy with the configuration of the package.
@Suite(
  .limited, .needsProgram, .serialized, .enabled(if: WakeServer.hasClient, "needs python3 with wyoming"),
  .enabled(if: HAProxyBalancer.path != nil, "no haproxy"))
struct BalancerTests {
  private static let configuration = "\(Program.root)/Packaging/haproxy/hotword.cfg"

  private func balancer(_ servers: [WakeServer]) throws -> (balancer: HAProxyBalancer, certificate: String) {
    let certificate = try #require(try HTTPServer.certificate(), "no openssl")
    let ports = servers.compactMap { Int($0.uri.split(separator: ":").last ?? "") }
    let text = String(decoding: try Files.read(Self.configuration), as: UTF8.self)
    return (try HAProxyBalancer(text, servers: (ports[0], ports[1]), certificate: certificate), certificate)
  }

  /// Clients that send commands; `events` counts those of one.
  private struct Clients {
    let server: PythonServer
    let count: Int

    init(_ count: Int, port: Int, certificate: String? = nil) throws {
      let words =
        ["127.0.0.1", "\(port)", "\(count)", try Recordings.orders(2)] + (certificate.map { [$0] } ?? [])
      server = try PythonServer("wyoming_steady_clients.py", words, modules: ["wyoming"])
      self.count = count
    }

    func events(_ name: String) -> [Int] {
      let all = server.requests.filter { $0["event"]?.string == name }
      return (0..<count).map { client in all.count { $0["client"]?.number == Double(client) } }
    }
  }

  @Test(arguments: [SIGTERM, SIGKILL])
  func clientsOfAServerThatIsTakenAwayGoOnWithTheOther(_ signal: Int32) throws {
    let servers = try (0..<2).map { _ in try WakeServer(["--model", "computer"]) }
    let (balancer, _) = try balancer(servers)
    let clients = try Clients(4, port: balancer.port)
    #expect(Waiting.until { clients.events("detection").allSatisfy { $0 > 0 } }, "\(clients.server.requests)")
    #expect(clients.events("connected") == [1, 1, 1, 1])
    let ending = try servers[0].program.end(by: signal)
    #expect(ending.code == (signal == SIGTERM ? 0 : -1))
    let before = clients.events("detection")
    #expect(
      Waiting.until { zip(before, clients.events("detection")).allSatisfy { $1 > $0 + 1 } },
      "\(clients.events("detection")) after \(before)")
    // Those of the other server have not noticed.
    #expect(clients.events("connected").count { $0 == 1 } == 2, "\(clients.events("connected"))")
    #expect(servers[1].terminate() == 0)
  }

  @Test func tlsEndsAtTheBalancerAndTheServersListenOnThisMachineOnly() throws {
    let servers = try (0..<2).map { _ in try WakeServer(["--model", "computer"]) }
    let (balancer, certificate) = try balancer(servers)
    let clients = try Clients(2, port: balancer.encryptedPort, certificate: certificate)
    #expect(Waiting.until { clients.events("detection").allSatisfy { $0 > 0 } }, "\(clients.server.requests)")
    // A client that trusts other certificates, or uses no TLS, is not served.
    let other = try #require(try HTTPServer.certificate())
    let stranger = try Clients(1, port: balancer.encryptedPort, certificate: other)
    let plain = RawHTTP.answer("{\"type\":\"ping\"}\n", port: balancer.encryptedPort)
    #expect(!plain.contains("pong"))
    let pongs = try servers[0].events(
      [["send", "ping"], ["until", "pong"]], at: "tcp://127.0.0.1:\(balancer.port)")
    #expect(pongs.map { $0["type"] } == ["pong"])
    #expect(stranger.events("connected") == [0])
    #expect(servers.allSatisfy { $0.uri.hasPrefix("tcp://127.0.0.1:") })
  }
}
