import TestServers
import Testing

@testable import ESPHomeServer

@Suite(.limited) struct ProtobufTests {
  @Test func whatIsWrittenIsRead() throws {
    var writer = ProtobufWriter()
    writer.number(1, 300)
    writer.text(2, "Küche")
    writer.flag(3, true)
    writer.float(4, 0.25)
    writer.message(5) { $0.number(1, 7) }
    writer.item(6, [])
    writer.item(6, [9])
    let fields = try ProtobufReader(writer.bytes[...])
    #expect(fields.number(1) == 300 && fields.text(2) == "Küche" && fields.flag(3) && fields.float(4) == 0.25)
    #expect(try ProtobufReader(fields.bytes(5)).number(1) == 7)
    #expect(fields.all(6) == [[], [9]])
  }

  @Test func defaultsAreNotWritten() {
    var writer = ProtobufWriter()
    writer.number(1, 0)
    writer.text(2, "")
    writer.flag(3, false)
    writer.float(4, 0)
    #expect(writer.bytes.isEmpty)
  }

  @Test func missingFieldsAndOtherTypesHaveDefaults() throws {
    // Field 1 as a number.
    let fields = try ProtobufReader([0x08, 0x05][...])
    #expect(fields.number(1) == 5 && fields.text(1) == "" && fields.float(1) == 0 && fields.number(2) == 0)
  }

  @Test func ofARepeatedSingleFieldTheLastCounts() throws {
    #expect(try ProtobufReader([0x08, 0x05, 0x08, 0x06][...]).number(1) == 6)
  }

  @Test(
    arguments: [
      ([0x08], .truncated), ([0x0A, 0x05, 0x01], .truncated), ([0x0D, 1, 2, 3], .truncated),
      ([0x09, 1, 2, 3, 4, 5, 6, 7], .truncated), ([0x08] + [UInt8](repeating: 0xFF, count: 10), .longNumber),
      ([0x00, 0x01], .badField), ([0x0B], .badType), ([0x0F], .badType),
      ([0x0A] + [UInt8](repeating: 0xFF, count: 9) + [0x01], .truncated),
      ([0xF8, 0xFF, 0xFF, 0xFF, 0xFF, 0x01, 0x00], .badField),
    ] as [([UInt8], ProtobufReader.Violation)])
  func violationsAreReported(_ bytes: [UInt8], _ violation: ProtobufReader.Violation) {
    #expect(throws: violation) { try ProtobufReader(bytes[...]) }
  }

  @Test func everyPrefixOfAMessageIsReadOrRefused() {
    let message = hex("080612150a0f636f6e766572736174696f6e5f69641202633112")
    for count in 0...message.count { _ = try? ProtobufReader(message[..<count]) }
  }
}
