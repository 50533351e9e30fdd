import Glibc
import Platform
import Synchronization
import TestServers
import Testing

@testable import Networking

/// Sends back what it receives once a newline has arrived, and `#` as a megabyte.
private final class Echo: ClientHandler {
  private var bytes: [UInt8] = []
  private(set) var incompleteSince: Double?
  var heldBytes: Int { bytes.count }

  func receive(_ new: ArraySlice<UInt8>, from client: ServedClient) throws(NetworkFault) {
    bytes += new
    incompleteSince = new.last == UInt8(ascii: "\n") ? nil : incompleteSince ?? MonotonicClock.now()
    guard new.last == UInt8(ascii: "\n") else { return }
    client.send(bytes.contains(UInt8(ascii: "#")) ? [UInt8](repeating: 0x23, count: 1 << 20) : bytes)
    bytes = []
  }

  func work(for client: ServedClient) throws(NetworkFault) -> Bool { false }
  func end(_ fault: NetworkFault?) {}
}

@Suite(.limited) struct StreamServerTests {
  private static func server(_ change: (inout ServerLimits) -> Void = { _ in }) throws -> StreamServer {
    var limits = ServerLimits()
    change(&limits)
    let server = try StreamServer([], workers: 2, limits: limits) { _ in Echo() }
    try server.start()
    return server
  }

  /// Connects a client; returns its end.
  private static func client(of server: StreamServer, host: String) throws -> Int32 {
    let (ours, theirs) = try #require(Loopback.pair())
    _ = fcntl(theirs, F_SETFL, O_NONBLOCK)
    server.adopt(theirs, peer: "\(host):1", host: host)
    return ours
  }

  /// Whether the server answers the client.
  private static func isServed(_ client: Int32) -> Bool {
    guard send(client, "x\n", 2, Int32(MSG_NOSIGNAL)) == 2 else { return false }
    var ready = pollfd(fd: client, events: Int16(POLLIN), revents: 0)
    var bytes: [UInt8] = [0, 0]
    return poll(&ready, 1, 10_000) == 1 && recv(client, &bytes, 2, 0) == 2
  }

  @Test func idleClientsOfOneHostGiveTheirPlacesToOthers() throws {
    let server = try Self.server { $0.clients = 8 }
    let crowd = try (0..<8).map { _ in try Self.client(of: server, host: "10.0.0.1") }
    #expect(crowd.allSatisfy(Self.isServed))
    let other = try Self.client(of: server, host: "10.0.0.2")
    #expect(Self.isServed(other))
    #expect(crowd.filter(Self.isServed).count == 7)
    // A further one of the host with most connections, all of them active, is refused.
    let refused = try Self.client(of: server, host: "10.0.0.1")
    #expect(!Self.isServed(refused) && Self.isServed(other))
    for descriptor in crowd + [other, refused] { close(descriptor) }
    server.stop()
  }

  @Test func theCheckPassesWhileClientsAreAnsweredAndTakesNoPlace() throws {
    let server = try Self.server { $0.clients = 1 }
    let only = try Self.client(of: server, host: "10.0.0.1")
    #expect(server.answers(Array("x\n".utf8), within: 10))
    #expect(Self.isServed(only))
    // The echo answers whole lines only.
    #expect(!server.answers(Array("x".utf8), within: 0.1))
    server.stop()
    #expect(!server.answers(Array("x\n".utf8), within: 0.1))
    close(only)
  }

  @Test func theIdlestClientOfTheHostWithMostConnectionsGivesUpItsPlace() {
    func place(_ number: UInt64, _ host: String, _ lastActive: Double, isKept: Bool = false)
      -> ClientPlaces.Place
    {
      .init(number: number, host: host, lastActive: lastActive, isKept: isKept)
    }
    let places = [
      place(1, "a", 50), place(2, "b", 3), place(3, "b", 2, isKept: true), place(4, "b", 70),
      place(5, "c", 1),
    ]
    #expect(ClientPlaces.toFree(places, for: "d", at: 100)?.number == 2)
    #expect(ClientPlaces.toFree(places, for: "b", at: 100)?.number == 2)
    #expect(ClientPlaces.toFree([place(1, "a", 95), place(2, "b", 99)], for: "c", at: 100) == nil)
    #expect(ClientPlaces.toFree([place(1, "a", 95, isKept: true)], for: "b", at: 200) == nil)
    #expect(ClientPlaces.toFree([place(1, "a", 99), place(2, "a", 98)], for: "b", at: 100)?.number == 2)
  }

  /// Several times: another thread must not take the limit for exceeded while the client is being disconnected.
  @Test(arguments: 1...8) func onlyTheClientThatOccupiesMostIsDisconnectedAboveTheCommonLimit(_: Int) throws {
    let server = try Self.server { $0.bytes = 1 << 20 }
    let good = try Self.client(of: server, host: "10.0.0.1")
    let greedy = try Self.client(of: server, host: "10.0.0.2")
    let block = [UInt8](repeating: 0x78, count: 16_384)
    var sent = 0
    while sent < 4 << 20 {
      let count = send(greedy, block, block.count, Int32(MSG_NOSIGNAL))
      guard count > 0 else { break }
      sent += count
    }
    #expect(sent < 4 << 20, "it was not disconnected")
    #expect(Self.isServed(good))
    close(good)
    close(greedy)
    server.stop()
  }

  @Test func whatASlowClientHasReadIsFreed() throws {
    let server = try Self.server { $0.bytes = 3 << 20 }
    let slow = try Self.client(of: server, host: "10.0.0.1")
    // Each answer is a megabyte, of which the socket takes a part: without freeing, the third is above the limit.
    for _ in 0..<10 {
      #expect(send(slow, "#\n", 2, Int32(MSG_NOSIGNAL)) == 2)
      var left = 1 << 20
      var bytes = [UInt8](repeating: 0, count: 65_536)
      while left > 0 {
        let count = recv(slow, &bytes, min(left, bytes.count), 0)
        try #require(count > 0, "disconnected")
        left -= count
      }
    }
    close(slow)
    server.stop()
  }

  @Test func halfAMessageAndAnAnswerThatIsNotReadEndAConnectionAfterThirtySeconds() throws {
    let server = try Self.server()
    let (good, half, deaf) = (
      try Self.client(of: server, host: "10.0.0.1"), try Self.client(of: server, host: "10.0.0.2"),
      try Self.client(of: server, host: "10.0.0.3")
    )
    let began = MonotonicClock.now()
    send(half, "x", 1, Int32(MSG_NOSIGNAL))
    // A megabyte: more than the socket takes.
    send(deaf, "#\n", 2, Int32(MSG_NOSIGNAL))
    var ready = pollfd(fd: deaf, events: Int16(POLLIN), revents: 0)
    #expect(poll(&ready, 1, 10_000) == 1 && Self.isServed(good))
    server.sweep(at: began + 25)
    #expect(!Self.isClosed(half))
    // The server may have noted the half message or the full socket late.
    #expect(
      Waiting.until {
        server.sweep(at: MonotonicClock.now() + 31)
        return Self.isClosed(half) && Self.isClosed(deaf)
      })
    #expect(Self.isServed(good))
    for descriptor in [good, half, deaf] { close(descriptor) }
    server.stop()
  }

  /// Whether the server has ended the connection, whatever it has sent before.
  private static func isClosed(_ client: Int32) -> Bool {
    var state = pollfd(fd: client, events: 0, revents: 0)
    return poll(&state, 1, 0) == 1 && state.revents & Int16(POLLHUP) != 0
  }

  @Test func clientsOutsideTheAllowedNetworksAreNotServed() throws {
    let allowed = try AllowedPeers(["192.168.1.0/24", "10.0.0.7", "fd00::/8"])
    for host in [
      "192.168.1.200", "::ffff:192.168.1.3", "10.0.0.7", "fd12::1", "127.0.0.1", "::1", "/run/socket",
    ] {
      #expect(allowed.contains(host), "\(host)")
    }
    for host in ["192.168.2.1", "10.0.0.8", "::ffff:10.0.0.8", "fe80::1%eth0", "2001:db8::1"] {
      #expect(!allowed.contains(host), "\(host)")
    }
    #expect(try AllowedPeers(["any"]).contains("8.8.8.8"))
    for text in ["", "host", "1.2.3", "1.2.3.4/33", "1.2.3.4/", "1.2.3.4/8/8", "::/129"] {
      #expect(throws: NetworkFault.badAddress(text, expected: AllowedPeers.expected)) {
        try AllowedPeers([text])
      }
    }
  }
}

@Suite(.limited) struct ListeningSocketTests {
  @Test func onlyASocketThatNobodyListensOnIsReplaced() throws {
    let path = PythonServer.temporaryFolder() + "/wake"
    let address = ListenAddress.socket(path: path)
    try Files.write(Array("precious".utf8), to: path)
    #expect(throws: NetworkFault.cannotListen(address: "unix://\(path)", code: EEXIST)) {
      try ListeningSocket.open(address)
    }
    #expect(try Files.read(path) == Array("precious".utf8))
    #expect(symlink(path, path + ".link") == 0)
    #expect(throws: NetworkFault.self) { try ListeningSocket.open(.socket(path: path + ".link")) }
    #expect(try Files.read(path) == Array("precious".utf8))

    unlink(path)
    let full = try #require(try ListeningSocket.open(address).first)
    // More connections than its queue holds: the server does not accept any.
    var crowd: [Int32] = []
    while let client = Loopback.connection(toPath: path), crowd.count < 10_000 { crowd.append(client) }
    #expect(throws: NetworkFault.cannotListen(address: "unix://\(path)", code: EADDRINUSE)) {
      try ListeningSocket.open(address)
    }
    for client in crowd { close(client) }
    full.remove()
    try withExtendedLifetime(ListeningSocket.open(address)) {
      #expect(throws: NetworkFault.cannotListen(address: "unix://\(path)", code: EADDRINUSE)) {
        try ListeningSocket.open(address)
      }
      // Another file that takes the name meanwhile is left alone.
      unlink(path)
      try Files.write(Array("precious".utf8), to: path)
    }
    #expect(try Files.read(path) == Array("precious".utf8))
  }
}
