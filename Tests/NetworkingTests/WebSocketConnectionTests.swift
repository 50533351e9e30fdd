import Networking
import Platform
import TestServers
import Testing

private let hasWebSockets = PythonServer.python(with: ["websockets"]) != nil

@Suite(.limited, .enabled(if: hasWebSockets, "needs python3 with websockets"))
struct WebSocketConnectionTests {
  private func server(_ arguments: String...) throws -> PythonServer {
    try PythonServer("websocket_server.py", arguments, modules: ["websockets"])
  }

  private func open(
    _ server: PythonServer, _ scheme: String = "ws", authorities: String? = nil, seconds: Double = 5
  ) throws -> WebSocketConnection {
    let address = try WebAddress(
      "\(scheme)://127.0.0.1:\(server.port)/x", schemes: ["ws", "wss"], expected: "")
    return try WebSocketConnection(address, authorities: authorities, .init(seconds: seconds))
  }

  private func exchange(_ socket: WebSocketConnection, _ server: PythonServer) throws {
    let deadline = Connection.Deadline(seconds: 10)
    #expect(try socket.receive(deadline) == .text("hello"))
    #expect(try socket.receive(deadline) == .text("fragmented"))
    #expect(try socket.receive(deadline) == .binary([0, 1, 2]))
    #expect(try socket.receiveNow(deadline).isEmpty)
    for count in [0, 1, 125, 126, 65_535, 65_536, 200_000] {
      let bytes = noise(count, seed: 9)
      try socket.send(binary: bytes, deadline)
      #expect(try socket.receive(deadline) == .binary(bytes))
    }
    try socket.send(text: "bye", deadline)
    #expect(try socket.receive(deadline) == .text("bye"))
    #expect(try socket.receive(deadline) == nil)
    #expect(server.requests.last?.string == "bye")
  }

  @Test func itExchangesMessagesWithAServer() throws {
    let server = try server("talk")
    try exchange(open(server), server)
  }

  @Test(.enabled(if: certificate != nil, "needs openssl"))
  func itConnectsOverTLS() throws {
    let certificate = try #require(certificate)
    let server = try server("talk", certificate)
    try exchange(open(server, "wss", authorities: certificate), server)
    #expect(throws: NetworkFault.self) { try open(server, "wss") }
  }

  @Test func theEndOfTheConnectionIsAClose() throws {
    let server = try server("vanishes")
    let socket = try open(server)
    var messages: [WebSocketMessage] = []
    let isClosed = Waiting.until {
      messages += (try? socket.receiveNow(.init(seconds: 5))) ?? []
      return messages.last == .close(code: nil)
    }
    #expect(isClosed && messages.first == .text("hello"), "\(messages)")
  }

  @Test func messagesOverTheLimitAreRejected() throws {
    let server = try server("large")
    // The message may arrive with the handshake.
    #expect(throws: NetworkFault.tooLarge(peer: "127.0.0.1:\(server.port)", limit: 1 << 20)) {
      try open(server).receive(.init(seconds: 5))
    }
  }

  @Test func aSilentServerTimesOut() throws {
    let server = try server("silent")
    let socket = try open(server)
    let began = MonotonicClock.now()
    #expect(throws: NetworkFault.timedOut(peer: socket.peer, seconds: 0.2)) {
      try socket.receive(.init(seconds: 0.2))
    }
    #expect(throws: NetworkFault.cancelled) { try socket.receive(.init(seconds: 9) { true }) }
    #expect(MonotonicClock.now() - began < 2)
  }

  @Test(arguments: ["no-http", "refuses", "wrong-accept", "endless"])
  func invalidHandshakesAreRejected(_ behaviour: String) throws {
    let server = try server(behaviour)
    #expect { try open(server) } throws: { fault in
      if case .notUnderstood? = fault as? NetworkFault { true } else { false }
    }
  }

  @Test func aServerThatNeverAnswersTimesOut() throws {
    let server = try server("silent")
    let raw = try WebAddress("tcp://127.0.0.1:\(server.port)", schemes: ["tcp"], expected: "")
    let connection = try Connection(to: .host(raw), .init(seconds: 5))
    #expect(try connection.receiveNow() == [])
    #expect(throws: NetworkFault.self) { try connection.receive(.init(seconds: 0.1)) }
  }
}
