import Networking
import Supervision
import TestServers
import Testing

/// Pages by libmicrohttpd, asked for over a socket of one's own.
@Suite(.limited) struct StatusServerTests {
  private func server() throws -> StatusServer {
    try StatusServer(try #require(HTTPAddress("127.0.0.1:0"))) { path in
      path == "/page" ? StatusServer.Page(status: 503, type: "text/plain", text: "héllo\n") : nil
    }
  }

  private func get(_ path: String, method: String = "GET", port: Int) -> String {
    RawHTTP.answer("\(method) \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", port: port)
  }

  @Test func aPageIsServedWithItsStatusAndType() throws {
    let server = try server()
    let page = get("/page", port: server.address.port)
    #expect(page.hasPrefix("HTTP/1.1 503 "))
    #expect(page.contains("Content-Type: text/plain\r\n"))
    #expect(page.contains("Content-Length: 7\r\n"))
    #expect(page.hasSuffix("\r\n\r\nhéllo\n"))
    #expect(get("/page", method: "HEAD", port: server.address.port).hasSuffix("\r\n\r\n"))
  }

  @Test func requestsForAnotherSitesNameAreRejected() throws {
    let server = try server()
    for (host, status) in [
      ("evil.example", 403), ("127.0.0.1.evil.example:80", 403), ("evil.example.", 403),
      ("[evil.example]", 403),
      ("127.0.0.1:9464", 503), ("[::1]:9464", 503), ("[fe80::1%25eth0]", 503), ("kitchen-pi", 503),
      ("LOCALHOST:1", 503),
      ("kitchen-pi.local", 503), ("pi.lan:9464", 503),
    ] {
      let request = "GET /page HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n"
      #expect(RawHTTP.answer(request, port: server.address.port).hasPrefix("HTTP/1.1 \(status) "), "\(host)")
    }
    #expect(RawHTTP.answer("GET /page HTTP/1.0\r\n\r\n", port: server.address.port).contains(" 503 "))
    #expect(RequestHost.isTrusted("pi.example.org", machine: "pi"))
    #expect(RequestHost.isTrusted("pi.example.org", machine: "pi.example.org"))
    #expect(!RequestHost.isTrusted("pi2.example.org", machine: "pi"))
  }

  @Test func whatIsNotThereIsSaid() throws {
    let server = try server()
    #expect(get("/", port: server.address.port).hasPrefix("HTTP/1.1 404 "))
    #expect(get("/page", method: "DELETE", port: server.address.port).hasPrefix("HTTP/1.1 405 "))
    let post = "POST /page HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 3\r\n\r\nabc"
    #expect(RawHTTP.answer(post, port: server.address.port).hasPrefix("HTTP/1.1 405 "))
  }

  @Test func manyConnectionsLeaveNothingBehind() throws {
    let server = try server()
    for _ in 0..<200 { #expect(get("/page", port: server.address.port).hasSuffix("héllo\n")) }
  }

  @Test func aPortThatIsTakenIsNamed() throws {
    let server = try server()
    #expect(
      throws: HTTPServerFault.cannotListen(
        .address(server.address), purpose: "metrics", reason: "Address already in use"),
      performing: { try StatusServer(server.address) { _ in nil } })
  }

  @Test func itEndsWithItsOwner() throws {
    let port = try server().address.port
    #expect(get("/page", port: port).isEmpty)
  }
}
