import TestServers
import Testing

@testable import ESPHomeServer

@Suite(.limited) struct ConnectionStateTests {
  @Test func aClientSaysHelloFirst() throws {
    var state = ConnectionState(at: 0)
    #expect(try state.take(.pingRequest, at: 0) == [.send(.pingResponse)])
    #expect(throws: ConnectionState.Violation.noHello) { try state.take(.deviceInfoRequest, at: 0) }
    #expect(try state.take(.hello(client: "me"), at: 0) == [.command(.hello(client: "me"))])
    #expect(try state.take(.authentication, at: 0) == [.send(.authenticated)])
    #expect(try state.take(.deviceInfoRequest, at: 0) == [.sendInfo])
    #expect(try state.take(.other, at: 0).isEmpty)
    #expect(try state.take(.disconnectRequest, at: 0) == [.send(.disconnectResponse), .close])
  }

  @Test func tooManyMessagesAreAViolation() throws {
    var state = ConnectionState(at: 0)
    for _ in 0..<Int(ConnectionState.burst) { _ = try state.take(.pingRequest, at: 0) }
    #expect(throws: ConnectionState.Violation.tooMany) { try state.take(.pingRequest, at: 0) }
    for _ in 0..<Int(ConnectionState.rate) { _ = try state.take(.pingRequest, at: 1) }
    #expect(throws: ConnectionState.Violation.tooMany) { try state.take(.pingRequest, at: 1) }
  }
}
