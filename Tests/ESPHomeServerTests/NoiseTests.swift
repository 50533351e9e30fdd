import Platform
import TestServers
import Testing

@testable import ESPHomeServer

/// Against a transcript of the Python package `noiseprotocol`, which Home Assistant uses: the secret keys of the handshake are 32 bytes
/// of 1 and of 2, and the shared key is the bytes 0…31.
@Suite(.limited) struct NoiseTests {
  private static let request = hex(
    "a4e09292b651c278b9772c569f5fa9bb13d906b46ab68c9df9dc2b4409f8a209f0c00e96458473006479a4a6d2f4c0b6")
  private static let answer = hex(
    "ce8d3ad1ccb633ec7b70c17814a5c76ecd029685050d344745ba05870e587d596861a524ec5a0c60694277c72b6e7035")
  private static let ping = hex("0cedf1e0b1433263967ca9d07a9739dbfcc3329f")
  private static let hello = hex("0d82ced61c8787d4e1373e4ed07c981dc2bc62ce98dab1")
  private static let pong = hex("d87d80c6310af420ad1446f9138c9a86e7c7a75c")
  private static let key = EncryptionKey(bytes: (0..<32).map { UInt8($0) })

  private static func responder(key: EncryptionKey = key) throws -> NoiseResponder {
    try Sodium.load()
    return NoiseResponder(
      key, name: "kitchen", address: "02a1b2c3d4e5", secret: [UInt8](repeating: 2, count: 32))
  }

  private static let greeting =
    [1, 0, 22, 1] + Array("kitchen".utf8) + [0] + Array("02a1b2c3d4e5".utf8) + [0]

  private static var stream: [UInt8] {
    [1, 0, 0] + NoiseFrameDecoder.frame([0] + request) + NoiseFrameDecoder.frame(ping)
      + NoiseFrameDecoder.frame(hello)
  }

  @Test(arguments: Pieces.allCases)
  func theTranscriptOfAnotherProgramIsUnderstood(_ pieces: Pieces) throws {
    var responder = try Self.responder()
    var outputs: [NoiseResponder.Output] = []
    for piece in pieces.cut(Self.stream) { try responder.feed(piece, into: &outputs) }
    #expect(outputs.count == 5)
    #expect(outputs.first == .send(Self.greeting))
    #expect(outputs[1] == .send(NoiseFrameDecoder.frame([0] + Self.answer)))
    guard case .established(var cipher) = outputs[2] else { throw Missing() }
    #expect(cipher.frame(APIFrame(type: 8)) == NoiseFrameDecoder.frame(Self.pong))
    #expect(
      outputs.suffix(2) == [
        .message(APIFrame(type: 7)), .message(APIFrame(type: 1, body: Array("abc".utf8))),
      ])
  }

  private struct Missing: Error {}

  @Test func anotherKeyIsRefused() throws {
    var responder = try Self.responder(key: EncryptionKey(bytes: [UInt8](repeating: 9, count: 32)))
    // The client reads the reason after the greeting, whether the bytes come together or not.
    var outputs: [NoiseResponder.Output] = []
    #expect(throws: FrameViolation.wrongKey) { try responder.feed(Self.stream[...], into: &outputs) }
    #expect(outputs == [.send(Self.greeting)])
  }

  @Test func aChangedMessageIsRefused() throws {
    for place in [70, 90, 100] {
      var responder = try Self.responder()
      var stream = Self.stream
      stream[place] ^= 1
      var outputs: [NoiseResponder.Output] = []
      #expect(throws: FrameViolation.self) { try responder.feed(stream[...], into: &outputs) }
    }
  }

  @Test func anInvalidHandshakeIsRefused() throws {
    for (frame, violation) in [
      ([], .badHandshake), ([1] + Self.request, .badHandshake), ([0], .wrongKey),
      ([0] + Self.request.dropLast(), .wrongKey),
    ] as [([UInt8], FrameViolation)] {
      var responder = try Self.responder()
      var outputs: [NoiseResponder.Output] = []
      try responder.feed([1, 0, 0][...], into: &outputs)
      #expect(throws: violation) {
        try responder.feed(NoiseFrameDecoder.frame(frame)[...], into: &outputs)
      }
    }
  }

  @Test func aRepeatedMessageIsRefused() throws {
    var responder = try Self.responder()
    var outputs: [NoiseResponder.Output] = []
    try responder.feed(Self.stream[...], into: &outputs)
    #expect(throws: FrameViolation.corrupt) {
      try responder.feed(NoiseFrameDecoder.frame(Self.hello)[...], into: &outputs)
    }
  }

  @Test func aPublicKeyOfLowOrderIsRefused() throws {
    try Sodium.load()
    #expect(Sodium.sharedSecret([UInt8](repeating: 2, count: 32), [UInt8](repeating: 0, count: 32)) == nil)
  }

  @Test func aKeyIsMadeOnceForItsOwnerOnly() throws {
    let path = PythonServer.temporaryFolder() + "/keys/esphome.key"
    let first = try EncryptionKey.load(path)
    let second = try EncryptionKey.load(path)
    #expect(first.isNew && !second.isNew && first.key == second.key && first.key.text.utf8.count == 44)
    #expect(EncryptionKey(first.key.text) == first.key && "\(first.key)" == "(secret)")
    #expect(try Subprocess(["stat", "-c", "%a", path]).run(timeout: 10).output == Array("600\n".utf8))
  }

  @Test(arguments: ["", "secret", "AAAA", String(repeating: "A", count: 44)])
  func aFileWithoutAKeyIsAFault(_ text: String) throws {
    let path = PythonServer.temporaryFolder() + "/esphome.key"
    try Files.write(Array(text.utf8), to: path)
    #expect(throws: ESPHomeFault.badKey(file: path)) { try EncryptionKey.load(path) }
  }
}
