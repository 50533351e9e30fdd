import Networking
import Platform
import Synchronization
import TestServers
import Testing

/// The events that a link has reported.
private final class Events: Sendable {
  let events = Mutex<[MQTTLink.Event]>([])

  func count(_ isMatch: (MQTTLink.Event) -> Bool) -> Int { events.withLock { $0.count(where: isMatch) } }

  func wait(_ isMatch: @escaping (MQTTLink.Event) -> Bool) -> Bool {
    Waiting.until { count(isMatch) > 0 }
  }
}

extension MQTTLink.Event {
  /// The payload of a received message with this topic.
  fileprivate func payload(of topic: String) -> [UInt8]? {
    if case .received(let message) = self, message.topic == topic { message.payload } else { nil }
  }
}

@Suite(.limited, .enabled(if: MosquittoBroker.path != nil, "needs mosquitto"))
struct MQTTLinkTests {
  private func broker(_ port: Int) throws -> MQTTBroker {
    MQTTBroker(try WebAddress("mqtt://127.0.0.1:\(port)", schemes: ["mqtt"], expected: ""))
  }

  /// A link that subscribes to `topics`, and its events.
  private func link(_ port: Int, _ topics: [String] = []) throws -> (MQTTLink, Events) {
    let link = try MQTTLink(broker(port), status: "test/status", topics: topics)
    let reported = Events()
    try link.start { event in reported.events.withLock { $0.append(event) } }
    return (link, reported)
  }

  private func isConnected(_ event: MQTTLink.Event) -> Bool { event == .connected }

  private func isLost(_ event: MQTTLink.Event) -> Bool {
    if case .lost = event { true } else { false }
  }

  @Test func messagesPublishedDuringAnOutageArriveOnceAndInOrder() throws {
    let server = try MosquittoBroker()
    let relay = try TCPRelay(to: server.port)
    // The listener stays connected; only the sender's connection breaks.
    let (listener, received) = try link(server.port, ["test/wakes"])
    #expect(received.wait(isConnected))
    let (link, reported) = try link(relay.port)
    #expect(reported.wait(isConnected))
    relay.cut()
    #expect(reported.wait(isLost))
    for number in 0..<50 { #expect(link.publish(MQTTMessage("test/wakes", [UInt8(number)]))) }
    relay.restore()
    // What the listener has not received before this message is lost.
    link.publish(MQTTMessage("test/wakes", [50]))
    #expect(received.wait { $0.payload(of: "test/wakes") == [50] })
    let numbers = received.events.withLock { $0.compactMap { $0.payload(of: "test/wakes") } }
    #expect(numbers == (0...50).map { [$0] })
    #expect(reported.count(isLost) == 1)
    link.close(within: 5)
    listener.close(within: 5)
  }

  @Test func aLinkThatIsClosedBeforeItIsConnectedIsOffline() throws {
    let server = try MosquittoBroker()
    let (watcher, statuses) = try link(server.port, ["other/status"])
    #expect(statuses.wait(isConnected))
    server.stop()
    let link = try MQTTLink(broker(server.port), status: "other/status", topics: [])
    let lost = Events()
    try link.start { event in lost.events.withLock { $0.append(event) } }
    #expect(lost.wait(isLost))
    // The link tries again while it is being closed.
    try server.start()
    link.close(within: 30)
    #expect(statuses.wait { $0.payload(of: "other/status") == Array("offline".utf8) })
    #expect(statuses.count { $0.payload(of: "other/status") == Array("online".utf8) } == 0)
    watcher.close(within: 5)
  }

  @Test func theStatusFollowsTheConnection() throws {
    let server = try MosquittoBroker()
    let (link, reported) = try link(server.port)
    #expect(reported.wait(isConnected))
    let (watcher, seen) = try self.link(server.port, ["test/+"])
    #expect(seen.wait { $0 == .received(MQTTMessage("test/status", Array("online".utf8), isRetained: true)) })
    link.close(within: 5)
    #expect(seen.wait { $0 == .received(MQTTMessage("test/status", Array("offline".utf8))) })
    watcher.close(within: 5)
  }

  @Test func aRejectedConnectionIsReportedOnce() throws {
    let server = try MosquittoBroker(password: "s3cret")
    let (link, reported) = try link(server.port)
    #expect(reported.wait(isLost))
    // Nothing reports the next attempt, which comes after 0.8 to 1.2 s: sleep past it.
    MonotonicClock.sleep(until: MonotonicClock.now() + 2.5)
    #expect(reported.count(isLost) == 1 && reported.count(isConnected) == 0)
    link.close(within: 0)
  }

  @Test func messagesOverTheLimitAreDropped() throws {
    let (link, _) = try link(1)
    for _ in 0..<MQTTLink.limit { #expect(link.publish(MQTTMessage("test/a", [1]))) }
    #expect(!link.publish(MQTTMessage("test/a", [1])))
    link.close(within: 0)
  }

  @Test func whatTheLibraryRefusesDoesNotWait() throws {
    let server = try MosquittoBroker()
    let (listener, received) = try link(server.port, ["test/a"])
    let (link, reported) = try link(server.port)
    #expect(reported.wait(isConnected) && received.wait(isConnected))
    for _ in 0...MQTTLink.limit { #expect(!link.publish(MQTTMessage("test/#", [1]))) }
    #expect(link.publish(MQTTMessage("test/a", [2])))
    #expect(received.wait { $0.payload(of: "test/a") == [2] })
    link.close(within: 5)
    listener.close(within: 5)
  }

  @Test func aLargeMessageIsReportedAndNotKept() throws {
    let server = try MosquittoBroker()
    let (listener, received) = try link(server.port, ["test/a"])
    let (link, reported) = try link(server.port)
    #expect(reported.wait(isConnected) && received.wait(isConnected))
    link.publish(MQTTMessage("test/a", [UInt8](repeating: 0x61, count: 1 << 20)))
    link.publish(MQTTMessage("test/a", [2]))
    #expect(received.wait { $0.payload(of: "test/a") == [2] })
    #expect(received.count { $0 == .tooLarge(topic: "test/a", bytes: 1 << 20) } == 1)
    #expect(received.count { $0.payload(of: "test/a") != nil } == 1)
    link.close(within: 5)
    listener.close(within: 5)
  }

  @Test func namesBecomeLevelsOfTopics() {
    for (name, level) in [
      ("TurnOn", "TurnOn"), ("a+b#c/d", "a_b_c_d"), ("küche", "küche"), ("", "_"), ("a\nb\0", "a_b_"),
    ] {
      #expect(MQTTBroker.level(name) == level)
    }
    let long = MQTTBroker.level(String(repeating: "ü", count: 5_000))
    #expect(long.utf8.count == 200 && MQTTBroker.isTopic(long))
  }
}
