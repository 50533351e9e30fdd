import Configuration
import Networking
import Platform
import TestServers
import Testing

@testable import Web

/// The server with its headers, over a socket of one's own.
@Suite(.limited) struct WebServerTests {
  private func server() throws -> WebServer {
    let program = WebProgram(
      service: nil, settings: { ServiceSettings() }, sentences: { _ in [:] }, devices: { [] },
      findings: { [] },
      check: { (nil, []) })
    return try WebServer(WebAccess(HTTPEndpoint("127.0.0.1:0")), token: nil, program)
  }

  private func get(_ path: String, _ server: WebServer, host: String = "localhost") -> String {
    RawHTTP.answer(
      "GET \(path) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n",
      port: server.endpoint.address!.port)
  }

  @Test func everyAnswerForbidsForeignAndInlineScripts() throws {
    let server = try server()
    for (path, host, status) in [
      ("/", "localhost", 200), ("/api/session", "localhost", 200), ("/nothing", "localhost", 404),
      ("/", "evil.example", 403),
    ] {
      let answer = get(path, server, host: host)
      #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(path)")
      let policy = answer.split(separator: "\r\n").first { $0.hasPrefix("Content-Security-Policy: ") }
      #expect(try #require(policy).contains("default-src 'none'"))
      #expect(policy?.contains("unsafe") == false && policy?.contains("http") == false)
      #expect(answer.contains("\r\nX-Content-Type-Options: nosniff\r\n"))
    }
  }

  @Test func eachStartHasATokenOfItsOwn() throws {
    let tokens = try (0..<2).map { _ in
      let body = try #require(get("/api/session", try server()).split(separator: "\r\n\r\n").last)
      return try JSON(parsing: Array(body.utf8))["token"]?.string ?? ""
    }
    #expect(tokens[0].count == 64)
    #expect(tokens[0] != tokens[1])
  }

  @Test func aLargeBodyIsRejectedBeforeItIsSent() throws {
    let server = try server()
    let request =
      "POST /api/check HTTP/1.1\r\nHost: localhost\r\nX-Hotword-Token: x\r\nContent-Length: 100000000\r\n\r\n"
    let answer = RawHTTP.answer(request, port: server.endpoint.address!.port)
    #expect(answer.hasPrefix("HTTP/1.1 403 "))
  }

  @Test func withoutAServiceThereIsNoLiveView() throws {
    let page = try TestPage(hasService: false)
    #expect(page.send("GET", "/api/live").status == 409)
    #expect(try page.json("GET", "/api/session")["live"] == false)
    #expect(try page.json("GET", "/api/state")["health"] == .null)
    let change: JSON = ["model": "computer", "sensitivity": 1]
    #expect(page.send("POST", "/api/sensitivity", change).status == 409)
  }
}
