/// The bytes of one message in the wire format of Protocol Buffers, built field by field.
///
/// https://protobuf.dev/programming-guides/encoding/
struct ProtobufMessage: Sendable, Equatable {
  private(set) var bytes: [UInt8] = []

  private enum WireType: Int {
    case varint = 0
    case length = 2
    case fixed32 = 5
  }

  mutating func add(_ field: Int, _ value: Int) {
    tag(field, .varint)
    varint(UInt64(bitPattern: Int64(value)))
  }

  mutating func add(_ field: Int, _ value: Float) {
    tag(field, .fixed32)
    for shift in 0..<4 { bytes.append(UInt8(truncatingIfNeeded: value.bitPattern >> (8 * UInt32(shift)))) }
  }

  mutating func add(_ field: Int, bytes content: [UInt8]) {
    tag(field, .length)
    varint(UInt64(content.count))
    bytes += content
  }

  mutating func add(_ field: Int, _ text: String) { add(field, bytes: Array(text.utf8)) }

  mutating func add(_ field: Int, _ message: ProtobufMessage) { add(field, bytes: message.bytes) }

  private mutating func tag(_ field: Int, _ type: WireType) { varint(UInt64(field << 3 | type.rawValue)) }

  private mutating func varint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }
}
