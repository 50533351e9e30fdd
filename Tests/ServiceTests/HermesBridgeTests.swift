import Assistant
import Configuration
import Networking
import Service
import Supervision
import Synchronization
import TestServers
import Testing
import Understanding

/// What a client has heard: `ended` for each end of a session, and the statuses.
private final class Heard: Sendable {
  let isConnected = Mutex(false)
  let words = Mutex<[String]>([])

  func take(_ event: MQTTLink.Event) {
    if event == .connected { isConnected.withLock { $0 = true } }
    guard case .received(let message) = event else { return }
    let isEnd = message.topic.hasSuffix("sessionEnded")
    words.withLock { $0.append(isEnd ? "ended" : String(decoding: message.payload, as: UTF8.self)) }
  }
}

@Suite(.limited, .enabled(if: MosquittoBroker.path != nil, "needs mosquitto"))
struct HermesBridgeTests {
  @Test func whatWasNotedBeforeTheEndIsDeliveredBeforeTheGoodbye() throws {
    let count = 300
    let server = try MosquittoBroker()
    let address = "mqtt://127.0.0.1:\(server.port)"
    let listener = try MQTTLink(
      MQTTBroker(WebAddress(address, schemes: ["mqtt"], expected: "")), status: "test/status",
      topics: ["hermes/dialogueManager/sessionEnded", "hotword/default/status"])
    let heard = Heard()
    try listener.start { heard.take($0) }
    #expect(Waiting.until { heard.isConnected.withLock { $0 } })

    let bridge = try PlugIns.hermes(address, bringsAudio: false)
    let understander = try Understander(IntentFile.standard())
    try bridge.start(
      HermesBridge.Scope(keywords: [], understander, language: "en"), EventQueue(),
      metrics: ServiceMetrics(endings: []))
    #expect(Waiting.until { heard.words.withLock { $0 == ["online"] } })
    for number in 0..<count {
      let wake = Wake(keyword: "computer", start: number, end: number + 1, score: 1)
      bridge.note(AssistantEvent(at: number, .wake(wake, snr: nil)))
      bridge.note(AssistantEvent(at: number + 1, .idle(.noSpeech)))
    }
    bridge.close(within: 30)
    #expect(Waiting.until { heard.words.withLock { $0.last == "offline" } })
    let expected = ["online"] + [String](repeating: "ended", count: count) + ["offline"]
    #expect(heard.words.withLock { $0 } == expected)
    listener.close(within: 5)
  }
}
