import Networking
import TestServers
import Testing

@Suite(.limited) struct WebSocketDecoderTests {
  private func decode(_ bytes: [UInt8], _ pieces: Pieces = .whole, limit: Int = 1 << 20) throws
    -> [WebSocketMessage]
  {
    var decoder = WebSocketDecoder(limit: limit)
    return try pieces.cut(bytes).flatMap { try decoder.feed($0) }
  }

  @Test(arguments: Pieces.allCases)
  func messagesDoNotDependOnPieces(_ pieces: Pieces) throws {
    let long = noise(70_000, seed: 1)
    let middling = [UInt8](repeating: 65, count: 300)
    let frames = [
      WebSocketFrame(.text, Array("héllo".utf8)), WebSocketFrame(.text, Array("in ".utf8), isFinal: false),
      WebSocketFrame(.ping, [1, 2]), WebSocketFrame(.continuation, Array("two ".utf8), isFinal: false),
      WebSocketFrame(.continuation, Array("or three".utf8)), WebSocketFrame(.binary, long),
      WebSocketFrame(.text, middling), WebSocketFrame(.text, []), WebSocketFrame(.pong, []),
      WebSocketFrame(.close, [0x03, 0xE8]), WebSocketFrame(.text, Array("too late".utf8)),
    ]
    let expected: [WebSocketMessage] = [
      .text("héllo"), .ping([1, 2]), .text("in two or three"), .binary(long),
      .text(String(repeating: "A", count: 300)), .text(""), .pong([]), .close(code: 1000),
    ]
    #expect(try decode(frames.flatMap { $0.encoded(mask: nil) }, pieces) == expected)
  }

  /// The examples of RFC 6455, section 5.7.
  @Test func theExamplesOfTheStandardAreDecodedAndEncoded() throws {
    #expect(try decode([0x81, 0x05, 0x48, 0x65, 0x6C, 0x6C, 0x6F]) == [.text("Hello")])
    #expect(try decode([0x01, 0x03, 0x48, 0x65, 0x6C, 0x80, 0x02, 0x6C, 0x6F]) == [.text("Hello")])
    let hello = WebSocketFrame(.text, Array("Hello".utf8))
    let masked: [UInt8] = [0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58]
    #expect(hello.encoded(mask: [0x37, 0xFA, 0x21, 0x3D]) == masked)
    #expect(
      WebSocketFrame(.binary, [UInt8](repeating: 0, count: 256)).encoded(mask: nil).prefix(4) == [
        0x82, 0x7E, 1, 0,
      ])
    let large = WebSocketFrame(.binary, [UInt8](repeating: 0, count: 65_536)).encoded(mask: nil)
    #expect(large.prefix(10) == [0x82, 0x7F, 0, 0, 0, 0, 0, 1, 0, 0])
  }

  private static let violations: [([UInt8], WebSocketDecoder.Violation)] = [
    ([0xC1, 0x00], .reservedBits), ([0x83, 0x00], .unknownOpcode(3)), ([0x81, 0x80], .masked),
    ([0x89, 0x7E], .longControlFrame), ([0x09, 0x00], .fragmentedControlFrame),
    ([0x81, 0x7E, 0x00, 0x7D], .overlongLength), ([0x82, 0x7F, 0, 0, 0, 0, 0, 0, 1, 0], .overlongLength),
    ([0x82, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], .tooLarge(limit: 1000)),
    ([0x82, 0x7E, 0x03, 0xE9], .tooLarge(limit: 1000)), ([0x80, 0x00], .unexpectedContinuation),
    ([0x01, 0x00, 0x81, 0x00], .interleaved), ([0x81, 0x01, 0xFF], .notUTF8),
    ([0x88, 0x01, 0x03], .badClose),
  ]

  @Test(arguments: violations)
  func violationsAreReported(_ bytes: [UInt8], _ violation: WebSocketDecoder.Violation) {
    for pieces in [Pieces.whole, .single] {
      #expect(throws: violation) { try decode(bytes, pieces, limit: 1000) }
    }
  }

  @Test func anErrorIsPermanent() {
    var decoder = WebSocketDecoder()
    #expect(throws: WebSocketDecoder.Violation.masked) { try decoder.feed([0x81, 0x80]) }
    #expect(throws: WebSocketDecoder.Violation.masked) { try decoder.feed([0x81, 0x00]) }
  }

  @Test func fragmentedMessagesAreBounded() {
    let fragment = WebSocketFrame(.continuation, [UInt8](repeating: 0, count: 400), isFinal: false)
    let first = WebSocketFrame(.binary, [UInt8](repeating: 0, count: 400), isFinal: false)
    let bytes = first.encoded(mask: nil) + fragment.encoded(mask: nil) + fragment.encoded(mask: nil)
    #expect(throws: WebSocketDecoder.Violation.tooLarge(limit: 1000)) { try decode(bytes, limit: 1000) }
  }

  @Test func randomBytesGiveTheSameResultInAnyPieces() {
    for seed in 0..<300 {
      let bytes = noise(200, seed: UInt64(seed))
      let outcomes = Pieces.allCases.map { pieces -> ([WebSocketMessage], WebSocketDecoder.Violation?) in
        var decoder = WebSocketDecoder(limit: 1000)
        var messages: [WebSocketMessage] = []
        do throws(WebSocketDecoder.Violation) {
          for piece in pieces.cut(bytes) { messages += try decoder.feed(piece) }
        } catch {
          return ([], error)
        }
        return (messages, nil)
      }
      #expect(outcomes.allSatisfy { $0.0 == outcomes[0].0 && $0.1 == outcomes[0].1 })
    }
  }
}

@Suite(.limited) struct WebSocketHandshakeTests {
  private let good = [
    "HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: keep-alive, Upgrade",
    "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=",
  ]

  private func shake(_ lines: [String], _ pieces: Pieces = .whole, rest: [UInt8] = []) throws -> [UInt8]? {
    let address = try WebAddress("ws://server.example.com/chat", schemes: ["ws"], expected: "")
    // The key of RFC 6455, section 1.3.
    var handshake = try WebSocketHandshake(address, nonce: Array("the sample nonce".utf8))
    let text = String(decoding: handshake.request, as: UTF8.self)
    #expect(text.hasPrefix("GET /chat HTTP/1.1\r\nHost: server.example.com\r\n"))
    #expect(text.contains("Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"))
    var result: [UInt8]?
    for piece in pieces.cut(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + rest) {
      if result != nil {
        result! += piece
      } else {
        result = try handshake.feed(piece)
      }
    }
    return result
  }

  @Test(arguments: Pieces.allCases)
  func theExampleOfTheStandardIsAccepted(_ pieces: Pieces) throws {
    #expect(try shake(good, pieces, rest: [0x81, 0x00]) == [0x81, 0x00])
  }

  @Test func otherAnswersAreRejected() {
    #expect(throws: WebSocketHandshake.Violation.refused(status: 403)) {
      try shake(["HTTP/1.1 403 Forbidden"])
    }
    #expect(throws: WebSocketHandshake.Violation.refused(status: nil)) { try shake(["SSH-2.0-OpenSSH"]) }
    for (line, name) in [(1, "Upgrade"), (2, "Connection"), (3, "Sec-WebSocket-Accept")] {
      var lines = good
      lines.remove(at: line)
      #expect(throws: WebSocketHandshake.Violation.badHeader(name: name)) { try shake(lines) }
    }
    #expect(throws: WebSocketHandshake.Violation.badHeader(name: "Sec-WebSocket-Extensions")) {
      try shake(good + ["Sec-WebSocket-Extensions: permessage-deflate"])
    }
    #expect(throws: WebSocketHandshake.Violation.tooLarge) {
      try shake([String(repeating: "x", count: 20_000)])
    }
  }
}
