import Networking
import Platform
import Synchronization
import TestServers
import Testing

/// What a link has told so far.
private final class Told: Sendable {
  let events = Mutex<[MQTTLink.Event]>([])

  func count(_ isWanted: (MQTTLink.Event) -> Bool) -> Int { events.withLock { $0.count(where: isWanted) } }

  func wait(_ isWanted: @escaping (MQTTLink.Event) -> Bool) -> Bool {
    let deadline = MonotonicClock.now() + 20
    while count(isWanted) == 0, MonotonicClock.now() < deadline {
      MonotonicClock.sleep(until: MonotonicClock.now() + 0.02)
    }
    return count(isWanted) > 0
  }
}

@Suite(.enabled(if: MosquittoBroker.path != nil, "needs mosquitto"))
struct MQTTLinkTests {
  private func broker(_ port: Int) throws -> MQTTBroker {
    MQTTBroker(try WebAddress("mqtt://127.0.0.1:\(port)", schemes: ["mqtt"], expected: ""))
  }

  /// A link that hears `topics`, and what it tells.
  private func link(_ port: Int, _ topics: [String] = []) throws -> (MQTTLink, Told) {
    let link = try MQTTLink(broker(port), status: "test/status", topics: topics)
    let told = Told()
    try link.start { event in told.events.withLock { $0.append(event) } }
    return (link, told)
  }

  private func isConnected(_ event: MQTTLink.Event) -> Bool { event == .connected }

  private func isLost(_ event: MQTTLink.Event) -> Bool {
    if case .lost = event { true } else { false }
  }

  @Test func whatWasPublishedWhileTheBrokerWasAwayComesWithItsReturn() throws {
    let server = try MosquittoBroker()
    let (listener, heard) = try link(server.port, ["test/wakes"])
    #expect(heard.wait(isConnected))
    let (link, told) = try link(server.port)
    #expect(told.wait(isConnected))
    server.stop()
    #expect(told.wait(isLost) && heard.wait(isLost))
    heard.events.withLock { $0.removeAll() }
    for number in 0..<50 { #expect(link.publish(MQTTMessage("test/wakes", [UInt8(number)]))) }
    try server.start()
    let last = MQTTLink.Event.received(MQTTMessage("test/wakes", [49]))
    // The listener may come back after the sender; then what was sent is told to the next one to ask.
    if heard.wait(isConnected), !heard.wait({ $0 == last }) {
      link.publish(MQTTMessage("test/wakes", [49]))
    }
    #expect(told.count(isLost) == 1)
    #expect(heard.wait { $0 == last })
    link.close(within: 5)
    listener.close(within: 5)
  }

  @Test func theStatusFollowsTheConnection() throws {
    let server = try MosquittoBroker()
    let (link, told) = try link(server.port)
    #expect(told.wait(isConnected))
    let (watcher, seen) = try self.link(server.port, ["test/+"])
    #expect(seen.wait { $0 == .received(MQTTMessage("test/status", Array("online".utf8))) })
    link.close(within: 5)
    #expect(seen.wait { $0 == .received(MQTTMessage("test/status", Array("offline".utf8))) })
    watcher.close(within: 5)
  }

  @Test func aBrokerThatRefusesIsToldOnce() throws {
    let server = try MosquittoBroker(password: "s3cret")
    let (link, told) = try link(server.port)
    #expect(told.wait(isLost))
    MonotonicClock.sleep(until: MonotonicClock.now() + 2.5)
    #expect(told.count(isLost) == 1 && told.count(isConnected) == 0)
    link.close(within: 0)
  }

  @Test func tooManyMessagesAreRefusedRatherThanKept() throws {
    let (link, _) = try link(1)
    for _ in 0..<MQTTLink.limit { #expect(link.publish(MQTTMessage("test/a", [1]))) }
    #expect(!link.publish(MQTTMessage("test/a", [1])))
    link.close(within: 0)
  }
}
