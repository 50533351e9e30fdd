/// Encodes a protobuf message. Fields with the default of their type are left out, as protobuf prescribes.
public struct ProtobufWriter: Sendable {
  public private(set) var bytes: [UInt8] = []

  public init() {}

  /// Appends `number` in pieces of seven bits, the lowest first.
  static func append(_ number: UInt64, to bytes: inout [UInt8]) {
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  private mutating func tag(_ field: Int, _ type: UInt64) {
    Self.append(UInt64(field) << 3 | type, to: &bytes)
  }

  public mutating func number(_ field: Int, _ value: UInt64) {
    guard value != 0 else { return }
    tag(field, 0)
    Self.append(value, to: &bytes)
  }

  public mutating func number(_ field: Int, _ value: Int) { number(field, UInt64(value)) }

  public mutating func flag(_ field: Int, _ value: Bool) { number(field, value ? 1 : 0) }

  public mutating func fixed32(_ field: Int, _ value: UInt32) {
    guard value != 0 else { return }
    tag(field, 5)
    for shift in stride(from: 0, to: 32, by: 8) { bytes.append(UInt8(truncatingIfNeeded: value >> shift)) }
  }

  public mutating func float(_ field: Int, _ value: Float) { fixed32(field, value.bitPattern) }

  public mutating func bytes(_ field: Int, _ value: [UInt8]) {
    guard !value.isEmpty else { return }
    item(field, value)
  }

  public mutating func text(_ field: Int, _ value: String) { bytes(field, Array(value.utf8)) }

  /// Appends an item of a repeated field: also if it is empty.
  public mutating func item(_ field: Int, _ value: [UInt8]) {
    tag(field, 2)
    Self.append(UInt64(value.count), to: &bytes)
    bytes += value
  }

  /// Appends a message within the message.
  public mutating func message(_ field: Int, _ fill: (inout ProtobufWriter) -> Void) {
    var inner = ProtobufWriter()
    fill(&inner)
    item(field, inner.bytes)
  }
}
