import Actions
import Networking
import Platform
import RemoteServices
import TestServers
import Testing

private let canRun =
  MosquittoBroker.path != nil && PythonServer.python(with: ["rhasspyhermes", "paho.mqtt"]) != nil

@Suite(.limited, .enabled(if: canRun, "needs mosquitto, and python3 with rhasspy-hermes"))
struct MQTTHandlerTests {
  private let order = IntentEvent.sample(
    "turn on the kitchen light at twenty", "TurnOn",
    slots: [
      .init(name: "area", value: "kitchen", text: "kitchen", confidence: 1, range: 12..<19),
      .init(name: "level", value: 20, text: "twenty", confidence: 0.5, range: 29..<35),
      .init(name: "domain", value: "light", text: "", confidence: 1, range: nil),
    ])

  private func address(_ port: Int, _ scheme: String = "mqtt") throws -> WebAddress {
    try WebAddress("\(scheme)://127.0.0.1:\(port)", schemes: ["mqtt", "mqtts"], expected: "")
  }

  private func listener(_ broker: MosquittoBroker) throws -> PythonServer {
    try PythonServer("hermes_listener.py", ["\(broker.port)"], modules: ["rhasspyhermes", "paho.mqtt"])
  }

  /// The output of the listener, once there is any.
  private func heard(_ listener: PythonServer) -> [JSON] {
    _ = Waiting.until { !listener.requests.isEmpty }
    return listener.requests
  }

  @Test func theMessageFollowsHermes() throws {
    let broker = try MosquittoBroker()
    let listener = try listener(broker)
    let handler = try MQTTHandler(MQTTBroker(address(broker.port)), site: "kitchen", timeout: 5)
    #expect(try handler.handle(order) == nil)
    let message = try #require(heard(listener).first)
    #expect(message["topic"]?.string == "hermes/intent/TurnOn")
    #expect(message["intent"]?.string == "TurnOn")
    #expect(message["payload"]?["siteId"]?.string == "kitchen")
    #expect(message["payload"]?["wakewordId"]?.string == "computer")
    #expect(message["slots"]?["area"] == ["kitchen", 12, 19])
    #expect(message["slots"]?["level"] == [20, 29, 35])
    #expect(message["slots"]?["domain"]?.array?.first == "light")
  }

  @Test func topicAndPasswordAreUsed() throws {
    let broker = try MosquittoBroker(password: "s3cret")
    let right = MQTTBroker(try address(broker.port), user: "hotword", password: Secret("s3cret"))
    _ = try MQTTHandler(right, topic: "home/intents", timeout: 5).handle(IntentEvent.sample)
    let wrong = MQTTBroker(try address(broker.port), user: "hotword", password: Secret("wr0ng"))
    #expect { try MQTTHandler(wrong, timeout: 5).handle(IntentEvent.sample) } throws: { fault in
      guard case .failed(_, let reason)? = fault.networkFault else { return false }
      return reason.contains("rejects") && !reason.contains("wr0ng")
    }
  }

  @Test(.enabled(if: (try? HTTPServer.certificate()) ?? nil != nil, "needs openssl"))
  func certificatesAreChecked() throws {
    let certificate = try #require(try HTTPServer.certificate())
    let broker = try MosquittoBroker(certificate: certificate)
    let address = try address(broker.port, "mqtts")
    let trusting = MQTTBroker(address, authorities: certificate)
    _ = try MQTTHandler(trusting, timeout: 5).handle(IntentEvent.sample)
    #expect(throws: ActionFault.self) {
      try MQTTHandler(MQTTBroker(address), timeout: 5).handle(IntentEvent.sample)
    }
  }

  @Test func anUnreachableOrSilentBrokerTimesOut() throws {
    #expect { try MQTTHandler(MQTTBroker(self.address(1)), timeout: 5).handle(IntentEvent.sample) } throws: {
      fault in
      if case .unreachable("127.0.0.1:1", _)? = fault.networkFault { true } else { false }
    }
    let silent = try HTTPServer([.init("", delay: 20)])
    let port = try #require(Int(silent.url.split(separator: ":").last ?? ""))
    let began = MonotonicClock.now()
    #expect {
      try MQTTHandler(MQTTBroker(self.address(port)), timeout: 0.5).handle(IntentEvent.sample)
    } throws: {
      fault in
      fault.networkFault != nil
    }
    #expect(MonotonicClock.now() - began < 8)
  }

  @Test func topicsAreChecked() throws {
    let broker = MQTTBroker(try address(1))
    for topic in ["", "a/+", "#", "a\u{0}b", String(repeating: "a", count: 2_000)] {
      #expect(throws: ActionFault.badTopic(topic)) { try MQTTHandler(broker, topic: topic) }
    }
    #expect(throws: ActionFault.badTopic("hermes/intent/a/#")) {
      try MQTTHandler(broker, timeout: 5).handle(IntentEvent.sample("x", "a/#"))
    }
  }
}
