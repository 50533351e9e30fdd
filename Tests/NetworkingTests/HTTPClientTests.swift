import Networking
import Platform
import TestServers
import Testing

/// A self-signed certificate for the loopback interface.
let certificate = try? HTTPServer.certificate()

@Suite(.limited) struct HTTPClientTests {
  private func address(_ url: String) throws -> WebAddress {
    try WebAddress(url, schemes: ["http", "https"], expected: "http://HOST")
  }

  private func get(_ url: String, _ client: HTTPClient = HTTPClient(timeout: 5)) throws -> HTTPResponse {
    try client.send(HTTPRequest(.get, address(url)))
  }

  @Test func requestsArriveComplete() throws {
    let server = try HTTPServer("{}")
    let body = Array("{\"a\":\"ü\u{0}\"}".utf8)
    let headers = [
      HTTPRequest.Header("Content-Type", "application/json"), HTTPRequest.Header("X-Bad", "a\r\nX-Evil: b"),
    ]
    let request = HTTPRequest(.post, try address(server.url + "/path?q=1"), headers: headers, body: body)
    let response = try HTTPClient(timeout: 5).send(request)
    #expect(response == HTTPResponse(status: 200, contentType: "application/json", body: Array("{}".utf8)))
    let seen = try #require(server.requests.first)
    #expect(seen["method"]?.string == "POST" && seen["path"]?.string == "/path?q=1")
    #expect(seen["headers"]?["content-type"]?.string == "application/json")
    #expect(seen["headers"]?["x-evil"] == nil && seen["headers"]?["x-bad"] == nil)
    #expect(seen["headers"]?["expect"] == nil)
    #expect(seen["body"]?.string?.unicodeScalars.map { UInt8($0.value) } == body)
  }

  @Test func longAndEmptyBodiesArrive() throws {
    let server = try HTTPServer("")
    let client = HTTPClient(timeout: 10)
    _ = try client.send(
      HTTPRequest(.post, address(server.url), body: [UInt8](repeating: 65, count: 3_000_000)))
    _ = try client.send(HTTPRequest(.post, address(server.url)))
    #expect(server.requests.map { $0["body"]?.string?.count } == [3_000_000, 0])
  }

  @Test func errorStatusesAreResponses() throws {
    let server = try HTTPServer([.init("no", status: 404, type: "Text/Plain; charset=utf-8")])
    let response = try get(server.url)
    #expect(response == HTTPResponse(status: 404, contentType: "text/plain", body: Array("no".utf8)))
    #expect(!response.isSuccess)
  }

  @Test func redirectsAreNotFollowed() throws {
    let target = try HTTPServer("stolen")
    let server = try HTTPServer([.init("", status: 302, location: target.url)])
    #expect(try get(server.url).status == 302)
    #expect(target.requests.isEmpty)
  }

  @Test func longAnswersAreRejected() throws {
    let server = try HTTPServer([.init("0123456789", times: 1000)])
    #expect(try get(server.url, HTTPClient(timeout: 5, limit: 10_000)).body.count == 10_000)
    let peer = try address(server.url).peer
    #expect(throws: NetworkFault.tooLarge(peer: peer, limit: 9_999)) {
      try get(server.url, HTTPClient(timeout: 5, limit: 9_999))
    }
    let headers =
      "HTTP/1.1 200 OK\r\n" + String(repeating: "X: \(String(repeating: "y", count: 1000))\r\n", count: 400)
    let chatty = try HTTPServer([.init(raw: headers)])
    #expect(throws: NetworkFault.self) { try get(chatty.url) }
  }

  @Test(arguments: [
    "", "garbage\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nshort", "\u{0}\u{0}\u{0}",
  ])
  func invalidAnswersAreFaults(_ raw: String) throws {
    let server = try HTTPServer([.init(raw: raw)])
    #expect(throws: NetworkFault.self) { try get(server.url) }
  }

  @Test func aSlowAnswerTimesOut() throws {
    let server = try HTTPServer([.init("late", delay: 20)])
    let began = MonotonicClock.now()
    let peer = try address(server.url).peer
    #expect(throws: NetworkFault.timedOut(peer: peer, seconds: 0.3)) {
      try get(server.url, HTTPClient(timeout: 0.3))
    }
    let asked = MonotonicClock.now()
    #expect(throws: NetworkFault.cancelled) {
      try HTTPClient(timeout: 10).send(HTTPRequest(.get, address(server.url))) {
        MonotonicClock.now() - asked > 0.2
      }
    }
    #expect(MonotonicClock.now() - began < 8)
  }

  @Test func unreachableServersAreReported() throws {
    #expect { try get("http://127.0.0.1:1") } throws: { fault in
      if case .unreachable("127.0.0.1:1", _)? = fault as? NetworkFault { true } else { false }
    }
    #expect { try get("http://nowhere.invalid") } throws: { fault in
      if case .unreachable("nowhere.invalid", _)? = fault as? NetworkFault { true } else { false }
    }
  }

  @Test(.enabled(if: certificate != nil, "needs openssl"))
  func certificatesAreChecked() throws {
    let certificate = try #require(certificate)
    let server = try HTTPServer([.init("safe")], certificate: certificate)
    #expect { try get(server.url) } throws: { fault in
      if case .untrusted? = fault as? NetworkFault { true } else { false }
    }
    let trusting = HTTPClient(timeout: 5, authorities: certificate)
    #expect(try get(server.url, trusting).body == Array("safe".utf8))
    let other = try WebAddress(
      server.url.split(separator: "127.0.0.1").joined(separator: "localhost"), schemes: ["https"],
      expected: "")
    #expect(throws: NetworkFault.self) { try trusting.send(HTTPRequest(.get, other)) }
  }

  @Test func formsAreSeparatedByTheirBoundary() {
    var form = MultipartForm(boundary: "b")
    form.add("model", "m")
    form.add("file", file: "a.wav", type: "audio/wav", [1, 2])
    let head = "--b\r\nContent-Disposition: form-data; name=\"model\"\r\n\r\nm\r\n--b\r\n"
    let file =
      "Content-Disposition: form-data; name=\"file\"; filename=\"a.wav\"\r\nContent-Type: audio/wav\r\n\r\n"
    #expect(form.body == Array((head + file).utf8) + [1, 2] + Array("\r\n--b--\r\n".utf8))
    #expect(form.header.value == "multipart/form-data; boundary=b")
  }
}
