import TestServers
import Testing

@testable import ESPHomeServer

@Suite(.limited) struct FrameTests {
  private func decode(_ bytes: [UInt8], _ pieces: Pieces = .whole) throws -> [APIFrame] {
    var decoder = PlainFrameDecoder()
    return try pieces.cut(bytes).flatMap { try decoder.feed($0) }
  }

  @Test(arguments: Pieces.allCases)
  func framesDoNotDependOnPieces(_ pieces: Pieces) throws {
    let frames = [
      APIFrame(type: 7), APIFrame(type: 1, body: [1, 2, 3]),
      APIFrame(type: 106, body: [UInt8](repeating: 0, count: 1_030)), APIFrame(type: 300, body: [0]),
    ]
    #expect(try decode(frames.flatMap { $0.plain() }, pieces) == frames)
  }

  @Test func anIncompleteFrameIsHeld() throws {
    var decoder = PlainFrameDecoder()
    #expect(try decoder.feed([0, 3, 1, 9][...]).isEmpty)
    #expect(decoder.heldBytes == 4)
    #expect(try decoder.feed([9, 9, 0][...]) == [APIFrame(type: 1, body: [9, 9, 9])])
    #expect(decoder.heldBytes == 1)
  }

  @Test(
    arguments: [
      ([1, 0, 0], .encrypted), ([2], .badIndicator(2)), ([0x47, 0x45, 0x54], .badIndicator(0x47)),
      ([0, 0x80, 0x80, 0x80, 0x80], .longNumber), ([0, 0x80, 0x80, 0x04, 1], .tooLong(size: 65_536)),
      ([0, 1, 0xFF, 0xFF, 0x7F], .badType(2_097_151)),
    ] as [([UInt8], FrameViolation)])
  func violationsAreReported(_ bytes: [UInt8], _ violation: FrameViolation) {
    for pieces in Pieces.allCases { #expect(throws: violation) { try decode(bytes, pieces) } }
  }

  @Test(arguments: Pieces.allCases)
  func encryptedFramesDoNotDependOnPieces(_ pieces: Pieces) throws {
    var decoder = NoiseFrameDecoder()
    let contents: [[UInt8]] = [[], [1, 2, 3], [UInt8](repeating: 7, count: 65_535), [0]]
    let frames = try pieces.cut(contents.flatMap { NoiseFrameDecoder.frame($0) }).flatMap {
      try decoder.feed($0)
    }
    #expect(frames.map { Array($0) } == contents && decoder.heldBytes == 0)
  }

  @Test func aFrameWithoutEncryptionIsRefusedWithTheReason() {
    var decoder = NoiseFrameDecoder()
    #expect(throws: FrameViolation.notEncrypted) { try decoder.feed([0, 0, 7][...]) }
    #expect(FrameViolation.notEncrypted.reply == [1, 0, 19, 1] + Array("Bad indicator byte".utf8))
    #expect(FrameViolation.wrongKey.reply == [1, 0, 22, 1] + Array("Handshake MAC failure".utf8))
  }
}
