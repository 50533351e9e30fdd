import Platform
import TestServers
import Testing

/// The pages `/metrics` and `/health` of the Wyoming server.
@Suite(.limited, .needsProgram, .serialized, .enabled(if: WakeServer.hasClient, "needs python3 with wyoming"))
struct ServeStatusTests {
  /// Runs lines of bash that have the pages' address in `$pages`.
  private func run(_ lines: String, _ server: WakeServer) throws -> String {
    _ = Waiting.until { server.program.statusPort != nil }
    let port = try #require(server.program.statusPort)
    let script = try Program.file("script", Array("pages=http://127.0.0.1:\(port)\n\(lines)\n".utf8))
    return try Program.shell("bash \(script)").output
  }

  @Test func aServerThatAnswersIsHealthyAndCounts() throws {
    let server = try WakeServer(["--model", "computer", "--metrics", "127.0.0.1:0"])
    let path = JSON.string(try Recordings.twoOrders())
    _ = try server.events([
      // As of another spelling.
      ["send", "detect", ["names": ["Computer"]]],
      ["send", "audio-start", ["rate": 16_000, "width": 2, "channels": 1]], ["wav", path, 1_024],
      ["send", "audio-stop"], ["send", "ping", ["text": "last"]], ["until", "pong"],
    ])
    let health = try run("curl -sw '%{http_code}' $pages/health", server)
    #expect(
      health.hasPrefix(#"{"status":"ok","problems":[],"keywords":["computer"],"clients":0,"#), "\(health)")
    #expect(health.hasSuffix("}\n200"), "\(health)")
    let metrics = try run("curl -s $pages/metrics", server)
    for line in [
      #"hotword_wakes_total{keyword="computer"} 2"#, "hotword_clients 0", "hotword_transcripts_total 0",
    ] { #expect(metrics.contains("\n\(line)\n"), "\(metrics)") }
    #expect(server.terminate() == 0)
  }

  @Test func theCheckOfAFullServerTakesNoPlace() throws {
    let server = try WakeServer(
      ["--model", "computer", "--wake-only", "--metrics", "127.0.0.1:0"], before: "ulimit -n 64")
    let port = try #require(server.uri.split(separator: ":").last)
    let clients = try run(
      """
      for client in $(seq 60); do exec {descriptor}<>/dev/tcp/127.0.0.1/\(port); done
      sleep 1
      for check in 1 2 3; do curl -s $pages/health | sed 's/.*"status":"\\([a-z]*\\)".*"clients":\\([0-9]*\\).*/\\1 \\2/'; done
      """, server
    ).split(separator: "\n")
    #expect(clients.count == 3 && Set(clients).count == 1, "\(clients)")
    #expect(clients.allSatisfy { $0.hasPrefix("ok ") && $0 > "ok 1" }, "\(clients)")
  }

  @Test func aBadAddressIsReported() throws {
    let outcome = try Program.run(["serve", "--metrics", "here"])
    #expect(outcome.code == 64)
    #expect(outcome.onlyError?.contains("ADDRESS:PORT, such as 127.0.0.1:9464") == true, "\(outcome.errors)")
  }
}
