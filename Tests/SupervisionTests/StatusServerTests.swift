import Glibc
import TestServers
import Testing

@testable import Supervision

/// Pages by libmicrohttpd, asked for over a socket of one's own.
@Suite(.limited) struct StatusServerTests {
  private func server() throws -> StatusServer {
    try StatusServer(try #require(StatusAddress("127.0.0.1:0"))) { path in
      path == "/page" ? StatusServer.Page(status: 503, type: "text/plain", text: "héllo\n") : nil
    }
  }

  /// All that the server answers to `request`.
  private func answer(_ request: String, port: Int) -> String {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    let connected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard connected == 0 else { return "" }
    let bytes = Array(request.utf8)
    send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    var answer: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = recv(descriptor, &chunk, chunk.count, 0)
      if count <= 0 { return String(decoding: answer, as: UTF8.self) }
      answer += chunk[..<count]
    }
  }

  private func get(_ path: String, method: String = "GET", port: Int) -> String {
    answer("\(method) \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", port: port)
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
      #expect(answer(request, port: server.address.port).hasPrefix("HTTP/1.1 \(status) "), "\(host)")
    }
    #expect(answer("GET /page HTTP/1.0\r\n\r\n", port: server.address.port).contains(" 503 "))
    #expect(RequestHost.isTrusted("pi.example.org", machine: "pi"))
    #expect(RequestHost.isTrusted("pi.example.org", machine: "pi.example.org"))
    #expect(!RequestHost.isTrusted("pi2.example.org", machine: "pi"))
  }

  @Test func whatIsNotThereIsSaid() throws {
    let server = try server()
    #expect(get("/", port: server.address.port).hasPrefix("HTTP/1.1 404 "))
    #expect(get("/page", method: "DELETE", port: server.address.port).hasPrefix("HTTP/1.1 405 "))
    let post = "POST /page HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 3\r\n\r\nabc"
    #expect(answer(post, port: server.address.port).hasPrefix("HTTP/1.1 405 "))
  }

  @Test func manyConnectionsLeaveNothingBehind() throws {
    let server = try server()
    for _ in 0..<200 { #expect(get("/page", port: server.address.port).hasSuffix("héllo\n")) }
  }

  @Test func aPortThatIsTakenIsNamed() throws {
    let server = try server()
    #expect(
      throws: SupervisionFault.cannotListen(server.address, reason: "Address already in use"),
      performing: { try StatusServer(server.address) { _ in nil } })
  }

  @Test func itEndsWithItsOwner() throws {
    let port = try server().address.port
    #expect(get("/page", port: port).isEmpty)
  }

  @Test func addressesAreReadAsUsersWriteThem() {
    #expect(StatusAddress("127.0.0.1:9464")?.description == "127.0.0.1:9464")
    #expect(StatusAddress("localhost:1")?.description == "127.0.0.1:1")
    #expect(StatusAddress("9464")?.description == "127.0.0.1:9464")
    #expect(StatusAddress("[::1]:80")?.description == "[::1]:80")
    #expect(StatusAddress("[::1]:80")?.isLoopback == true)
    #expect(StatusAddress("0.0.0.0:80")?.isLoopback == false)
    for text in ["", ":", "127.0.0.1", "127.0.0.1:", "::1:80", "host:80", "127.0.0.1:65536", "1.2.3.4:+5"] {
      #expect(StatusAddress(text) == nil, "\(text)")
    }
  }
}
