/// The fields of one encoded protobuf message, without I/O; every bound is checked.
///
/// A field that a message does not have, or that has another wire type than expected, has the default of its type, as protobuf
/// prescribes; of a repeated one that should be single, the last counts.
public struct ProtobufReader: Sendable, Equatable {
  public enum Violation: Error, Equatable, Sendable {
    /// The message ends within a field.
    case truncated
    /// A number has more than ten bytes.
    case longNumber
    /// A field has the number 0, or one above 2²⁹ - 1.
    case badField
    /// A wire type that is not 0, 1, 2 or 5.
    case badType
  }

  private enum Value: Sendable, Equatable {
    case number(UInt64)
    case fixed32(UInt32)
    case fixed64(UInt64)
    case bytes(ArraySlice<UInt8>)
  }

  private let fields: [(number: Int, value: Value)]

  public init(_ bytes: ArraySlice<UInt8>) throws(Violation) {
    var rest = bytes
    var fields: [(number: Int, value: Value)] = []
    while !rest.isEmpty {
      let tag = try Self.number(&rest)
      guard (8..<(1 << 32)).contains(tag) else { throw .badField }
      fields.append((Int(tag >> 3), try Self.value(type: tag & 7, &rest)))
    }
    self.fields = fields
  }

  private static func value(type: UInt64, _ rest: inout ArraySlice<UInt8>) throws(Violation) -> Value {
    switch type {
    case 0: return .number(try number(&rest))
    case 1: return .fixed64(fixed(try take(8, &rest)))
    case 2:
      let count = try number(&rest)
      guard count <= UInt64(rest.count) else { throw .truncated }
      return .bytes(try take(Int(count), &rest))
    case 5: return .fixed32(UInt32(fixed(try take(4, &rest))))
    default: throw .badType
    }
  }

  private static func number(_ rest: inout ArraySlice<UInt8>) throws(Violation) -> UInt64 {
    var number: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 70, by: 7) {
      guard let byte = rest.popFirst() else { throw .truncated }
      // Bits beyond the 64th are lost, as in other readers.
      if shift < 64 { number |= UInt64(byte & 0x7F) << shift }
      if byte < 0x80 { return number }
    }
    throw .longNumber
  }

  private static func take(_ count: Int, _ rest: inout ArraySlice<UInt8>) throws(Violation) -> ArraySlice<
    UInt8
  > {
    guard count <= rest.count else { throw .truncated }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  private static func fixed(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  private func last<Result>(_ number: Int, _ convert: (Value) -> Result?) -> Result? {
    for field in fields.reversed() where field.number == number {
      if let value = convert(field.value) { return value }
    }
    return nil
  }

  /// The number in field `field`; 0 without one.
  public func number(_ field: Int) -> UInt64 {
    last(field) { if case .number(let number) = $0 { number } else { nil } } ?? 0
  }

  public func flag(_ field: Int) -> Bool { number(field) != 0 }

  public func fixed32(_ field: Int) -> UInt32 {
    last(field) { if case .fixed32(let number) = $0 { number } else { nil } } ?? 0
  }

  public func float(_ field: Int) -> Float { Float(bitPattern: fixed32(field)) }

  /// Every byte string in the repeated field `field`.
  public func all(_ field: Int) -> [ArraySlice<UInt8>] {
    fields.compactMap {
      if $0.number == field, case .bytes(let bytes) = $0.value { bytes } else { nil }
    }
  }

  public func bytes(_ field: Int) -> ArraySlice<UInt8> {
    last(field) { if case .bytes(let bytes) = $0 { bytes } else { nil } } ?? []
  }

  /// The text of field `field`; invalid UTF-8 is replaced.
  public func text(_ field: Int) -> String { String(decoding: bytes(field), as: UTF8.self) }

  public func texts(_ field: Int) -> [String] { all(field).map { String(decoding: $0, as: UTF8.self) } }

  public static func == (one: ProtobufReader, other: ProtobufReader) -> Bool {
    one.fields.elementsEqual(other.fields) { $0.number == $1.number && $0.value == $1.value }
  }
}
