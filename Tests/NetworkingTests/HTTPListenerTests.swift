import Glibc
import Platform
import TestServers
import Testing

@testable import Networking

extension HTTPListener {
  fileprivate var port: Int { endpoint.address!.port }
}

/// Answers and streams by libmicrohttpd, over a socket of one's own.
@Suite(.limited) struct HTTPListenerTests {
  private func server(
    _ limits: HTTPListener.Limits = HTTPListener.Limits(),
    answer: @escaping @Sendable (ServedRequest) -> ServedResponse
  ) throws -> HTTPListener {
    try HTTPListener(
      .address(try #require(HTTPAddress("127.0.0.1:0"))), purpose: "test", limits: limits, answer: answer)
  }

  @Test func aRequestComesWithItsPathQueryHeadersAndBody() throws {
    let server = try server { request in
      let parts = [
        request.method, request.path, request.query["a b"] ?? "-", request.query["empty"] ?? "-",
        request.headers["x-thing"] ?? "-", String(decoding: request.body, as: UTF8.self),
      ]
      return .text(200, parts.joined(separator: "|"))
    }
    let request =
      "PUT /h%C3%A9/x?a%20b=c%26d&empty HTTP/1.1\r\nHost: x\r\nX-Thing: 7\r\nConnection: close\r\n"
      + "Content-Length: 4\r\n\r\nbody"
    #expect(RawHTTP.answer(request, port: server.port).hasSuffix("PUT|/hé/x|c&d||7|body"))
  }

  @Test(arguments: [
    "Content-Length: 11\r\n\r\n12345678901",
    "Transfer-Encoding: chunked\r\n\r\nb\r\n12345678901\r\n0\r\n\r\n",
  ])
  func aBodyAboveTheLimitIsDropped(_ rest: String) throws {
    var limits = HTTPListener.Limits()
    limits.bodyBytes = 10
    let server = try server(limits) { .text($0.isTooLarge ? 413 : 200, "\($0.body.count)") }
    let head = "POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
    #expect(RawHTTP.answer(head + rest, port: server.port).hasPrefix("HTTP/1.1 413 "))
    let small = head + "Content-Length: 10\r\n\r\n1234567890"
    #expect(RawHTTP.answer(small, port: server.port).hasSuffix("10"))
  }

  @Test func eventsArriveAndTheEndOfTheConnectionIsReported() throws {
    let streams = JobQueue<EventStream>()
    let ended = JobQueue<Bool>()
    let server = try server { _ in
      let stream = EventStream { ended.append(true) }
      streams.append(stream)
      return .events(stream)
    }
    let descriptor = try #require(RawHTTP.connection(to: server.port))
    let request = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"
    send(descriptor, request, request.utf8.count, 0)
    let stream = streams.take()
    stream.send("level", "{\"db\":-20}")
    #expect(RawHTTP.waits(for: "event: level\ndata: {\"db\":-20}\n\n", on: descriptor))
    close(descriptor)
    #expect(
      Waiting.until {
        stream.send("level", "1")
        return ended.takeIfAny() ?? false
      })
  }

  @Test func aClientThatReadsNothingIsDisconnected() {
    let stream = EventStream()
    for index in 0...EventStream.limit { stream.send("n", "\(index)") }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    var count = 0
    while buffer.withUnsafeMutableBytes({ stream.read(into: $0) }) != nil { count += 1 }
    #expect(count == EventStream.limit)
  }

  @Test func itEndsAtOnceWithOpenStreams() throws {
    var server: HTTPListener? = try server { _ in .events(EventStream()) }
    let descriptors = try (0..<3).map { _ in try #require(RawHTTP.connection(to: server!.port)) }
    for descriptor in descriptors {
      let request = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"
      send(descriptor, request, request.utf8.count, 0)
      #expect(RawHTTP.waits(for: "\r\n\r\n", on: descriptor))
    }
    let start = MonotonicClock.now()
    server = nil
    #expect(MonotonicClock.now() - start < 2)
    for descriptor in descriptors { close(descriptor) }
  }

  @Test func loopbackNamesAreThoseOfThisMachineOnly() {
    for host in ["localhost", "LOCALHOST:80", "127.0.0.1:10480", "127.1.2.3", "[::1]:80", "localhost.:1"] {
      #expect(RequestHost.isLoopback(host), "\(host)")
    }
    for host in [
      "", "evil.example", "127.0.0.1.evil.example", "kitchen-pi", "192.168.1.2", "[::2]", "localhost.evil",
    ] {
      #expect(!RequestHost.isLoopback(host), "\(host)")
    }
  }

  /// Found by fuzzing: the system reads an address up to a zero byte.
  @Test func anAddressWithAZeroByteIsNone() throws {
    #expect(HTTPAddress("127.0.0.1\u{0}:9426.0.0.1:94") == nil)
    #expect(!RequestHost.isLoopback("127.0.0.1\u{0}.example.com"))
    #expect(!RequestHost.isTrusted("10.0.0.1\u{0}.example.com", machine: "hall"))
    #expect(throws: NetworkFault.self) { try AllowedPeers(["10.0.0.1\u{0}x"]) }
  }

  @Test func addressesAreReadAsUsersWriteThem() {
    #expect(HTTPAddress("127.0.0.1:9464")?.description == "127.0.0.1:9464")
    #expect(HTTPAddress("localhost:1")?.description == "127.0.0.1:1")
    #expect(HTTPAddress("9464")?.description == "127.0.0.1:9464")
    #expect(HTTPAddress("[::1]:80")?.description == "[::1]:80")
    #expect(HTTPAddress("[::1]:80")?.isLoopback == true)
    #expect(HTTPAddress("0.0.0.0:80")?.isLoopback == false)
    for text in ["", ":", "127.0.0.1", "127.0.0.1:", "::1:80", "host:80", "127.0.0.1:65536", "1.2.3.4:+5"] {
      #expect(HTTPAddress(text) == nil, "\(text)")
    }
  }
}
