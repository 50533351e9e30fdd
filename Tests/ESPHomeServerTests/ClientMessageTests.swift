import Platform
import TestServers
import Testing

@testable import ESPHomeServer

/// Against messages that the Python package `aioesphomeapi` has encoded.
@Suite(.limited) struct ClientMessageTests {
  private func message(_ type: Int, _ body: String) throws -> ClientMessage {
    try ClientMessage(APIFrame(type: type, body: hex(body)))
  }

  @Test func commandsAreDecoded() throws {
    guard
      case .mediaPlayerCommand(let command) = try message(
        65, "0d010000001001180120012d0000003f30013a0a687474703a2f2f612f6240014801")
    else { throw Other() }
    #expect(command.key == 1 && command.verb == .pause && command.volume == 0.5)
    #expect(command.address == "http://a/b" && command.isAnnouncement)
    #expect(try message(51, "0d04000000150000803e") == .numberCommand(key: 4, value: 0.25))
    #expect(try message(33, "0d020000001001") == .switchCommand(key: 2, isOn: true))
    #expect(try message(200, "0801") == .other)
  }

  private struct Other: Error {}

  @Test func theVoiceAssistantIsDecoded() throws {
    guard
      case .voiceAssistantEvent(let event) = try message(
        92,
        "080612150a0f636f6e766572736174696f6e5f696412026331121a0a15636f6e74696e75655f636f6e766572736174696f6e120131"
      ),
      case .voiceAssistantTimer(let timer) = try message(115, "0803120274311a0374656120ac023001"),
      case .voiceAssistantAnnounce(let announcement) = try message(
        119, "0a0a687474703a2f2f612f6d120268691a0a687474703a2f2f612f702001")
    else { throw Other() }
    #expect(event.kind == .intentEnd && event["conversation_id"] == "c1")
    #expect(event["continue_conversation"] == "1" && event["text"] == nil)
    #expect(timer.state == "finished" && timer.id == "t1" && timer.name == "tea" && timer.seconds == 300)
    #expect(announcement.addresses == ["http://a/p", "http://a/m"] && announcement.startsConversation)
  }

  @Test func aMessageThatIsNotProtobufIsAViolation() {
    #expect(throws: ProtobufReader.Violation.truncated) { try message(92, "0806121f0a") }
    // A pair within the event.
    #expect(throws: ProtobufReader.Violation.truncated) { try message(92, "080612020a05") }
  }

  /// Changed bytes are refused or read, and never end the process.
  @Test func changedMessagesAreReadOrRefused() {
    var random = RandomSource(seed: 5)
    let bodies = [
      "0d010000001001180120012d0000003f30013a0a687474703a2f2f612f6240014801",
      "080612150a0f636f6e766572736174696f6e5f696412026331121a0a15636f6e74696e75655f636f6e766572736174696f6e120131",
      "0803120274311a0374656120ac023001",
    ].map { hex($0) }
    for round in 0..<5_000 {
      var bytes = APIFrame(type: [65, 92, 115][round % 3], body: bodies[round % 3]).plain()
      for _ in 0...Int(random.next() % 3) {
        bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
      }
      var decoder = PlainFrameDecoder()
      for frame in (try? decoder.feed(bytes[...])) ?? [] { _ = try? ClientMessage(frame) }
    }
  }

  @Test func aNameBecomesAHostName() {
    func name(_ title: String) -> String {
      DeviceInfo(title: title, address: "", version: "", isEncrypted: true, plays: true).name
    }
    #expect(name("Living Room (2)") == "living-room-2" && name("Küche") == "k-che" && name("?") == "hotword")
    #expect(name(String(repeating: "a", count: 40)).utf8.count == 31)
  }
}
