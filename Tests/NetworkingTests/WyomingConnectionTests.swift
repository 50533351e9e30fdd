import Networking
import Platform
import TestServers
import Testing

private let hasWyoming = PythonServer.python(with: ["wyoming"]) != nil

@Suite(.limited, .enabled(if: hasWyoming, "needs python3 with wyoming"))
struct WyomingConnectionTests {
  private func transcribe(_ endpoint: Connection.Endpoint) throws -> WyomingEvent? {
    let deadline = Connection.Deadline(seconds: 10)
    let connection = try WyomingConnection(to: endpoint, deadline)
    let format = [JSON.Member("rate", 16_000), JSON.Member("width", 2), JSON.Member("channels", 1)]
    try connection.send(WyomingEvent("transcribe", [JSON.Member("language", "en")]), deadline)
    try connection.send(WyomingEvent("audio-start", format), deadline)
    for _ in 0..<50 {
      try connection.send(WyomingEvent("audio-chunk", format, payload: noise(3200, seed: 2)), deadline)
    }
    try connection.send(WyomingEvent("audio-stop"), deadline)
    let event = try connection.receive(deadline)
    #expect(try connection.receive(deadline) == nil)
    return event
  }

  @Test func itExchangesEventsOverTCPAndLocalSockets() throws {
    let remote = try PythonServer("wyoming_asr.py", ["answers", "tcp://127.0.0.1:0"], modules: ["wyoming"])
    let path = PythonServer.temporaryFolder() + "/asr"
    let local = try PythonServer("wyoming_asr.py", ["answers", "unix://\(path)"], modules: ["wyoming"])
    for (uri, server) in [("tcp://127.0.0.1:\(remote.port)", remote), ("unix://\(path)", local)] {
      let event = try transcribe(WyomingConnection.endpoint(uri))
      #expect(event?.type == "transcript")
      #expect(event?["text"]?.string == " turn on the light\n")
      #expect(server.requests.last?["bytes"]?.number == 160_000)
    }
  }

  @Test func addressesAreChecked() {
    for text in ["tcp://host", "http://host:1", "unix://relative", "tcp://host:1/path", "stdio://"] {
      #expect(throws: NetworkFault.self) { try WyomingConnection.endpoint(text) }
    }
  }
}
