import Networking
import Platform
import TestServers
import Testing

@Suite(.limited) struct WyomingDecoderTests {
  private func decode(_ bytes: [UInt8], _ pieces: Pieces = .whole) throws -> [WyomingEvent] {
    var decoder = WyomingDecoder()
    return try pieces.cut(bytes).flatMap { try decoder.feed($0) }
  }

  /// A line of `[[0],[0],…]` needs 25 times its size once it is parsed.
  @Test func anIncompleteEventIsHeldAsText() throws {
    var decoder = WyomingDecoder()
    let values = Array(repeating: "[0]", count: 10_000).joined(separator: ",")
    let line = #"{"type":"x","payload_length":2,"data":{"a":[\#(values)]}}"#
    #expect(try decoder.feed(Array("\(line)\n1".utf8)).isEmpty)
    #expect(decoder.heldBytes == line.utf8.count + 1)
    let events = try decoder.feed(Array("2".utf8))
    #expect(events.first?["a"]?.array?.count == 10_000 && events.first?.payload == Array("12".utf8))
    #expect(decoder.heldBytes == 0)
  }

  @Test(arguments: Pieces.allCases)
  func eventsDoNotDependOnPieces(_ pieces: Pieces) throws {
    let events = [
      WyomingEvent("describe"), WyomingEvent("transcribe", [JSON.Member("language", "de")]),
      WyomingEvent("audio-chunk", [JSON.Member("rate", 16_000)], payload: noise(5_000, seed: 3)),
      WyomingEvent("audio-stop", payload: Array("\n{\n".utf8)),
    ]
    #expect(try decode(events.flatMap { $0.encoded() }, pieces) == events)
  }

  @Test func inlineDataIsMergedUnderTheBlock() throws {
    let line = #"{"type":"t","data":{"a":1,"b":2},"data_length":7,"payload_length":null,"version":null}"#
    let events = try decode(Array("\(line)\n{\"b\":3}".utf8))
    #expect(events == [WyomingEvent("t", [JSON.Member("a", 1), JSON.Member("b", 3)])])
    #expect(
      try decode(Array(#"{"type":"t","data":null,"data_length":0}"#.utf8) + [10]) == [WyomingEvent("t")])
  }

  @Test(
    arguments: [
      ("", .notAnEvent), ("[]", .notAnEvent), ("{}", .notAnEvent), (#"{"type":7}"#, .notAnEvent),
      (#"{"type":"t","data_length":-1}"#, .badLength(name: "data_length")),
      (#"{"type":"t","data_length":1.5}"#, .badLength(name: "data_length")),
      (#"{"type":"t","data_length":99999999999999999999}"#, .badLength(name: "data_length")),
      (#"{"type":"t","payload_length":"9"}"#, .badLength(name: "payload_length")),
      (#"{"type":"t","payload_length":1e300}"#, .badLength(name: "payload_length")),
      ("{\"type\":\"t\",\"data_length\":2}\n[]", .notAnEvent),
    ] as [(String, WyomingDecoder.Violation)])
  func violationsAreReported(_ line: String, _ violation: WyomingDecoder.Violation) {
    for pieces in [Pieces.whole, .single] {
      #expect(throws: violation) { try decode(Array((line + "\n").utf8), pieces) }
    }
  }

  @Test func aLineOverTheLimitIsRejected() {
    let bytes = [UInt8](repeating: UInt8(ascii: "a"), count: WyomingDecoder.lineLimit + 1)
    #expect(throws: WyomingDecoder.Violation.longLine) { try decode(bytes, .coalesced) }
    #expect(throws: WyomingDecoder.Violation.longLine) { try decode(bytes + [10]) }
  }

  @Test func deepNestingIsRejected() {
    let deep = String(repeating: "[", count: 30_000)
    #expect(throws: WyomingDecoder.Violation.notAnEvent) {
      try decode(Array(("{\"type\":\"t\",\"data\":" + deep + "\n").utf8))
    }
  }

  @Test func randomBytesAreNeverEvents() {
    for seed in 0..<100 {
      let bytes = noise(300, seed: UInt64(seed)) + [10]
      for pieces in Pieces.allCases {
        #expect(throws: WyomingDecoder.Violation.self) { try decode(bytes, pieces) }
      }
    }
  }
}
