/// A JSON value. Objects keep the order of their members, so that output is predictable.
public enum JSON: Sendable, Equatable {
  case null
  case bool(Bool)
  case number(Double)
  /// The digits of a whole number that a `Double` cannot represent exactly, such as a time in nanoseconds, or of one beyond
  /// 64 bits; all others are ``number(_:)``.
  case longNumber(String)
  case string(String)
  case array([JSON])
  case object([Member])

  /// One member of an object.
  public struct Member: Sendable, Equatable {
    public let name: String
    public let value: JSON

    public init(_ name: String, _ value: JSON) {
      self.name = name
      self.value = value
    }
  }
}

extension JSON {
  /// The value of an object's member `name`; nil for unknown names and for values that are not objects.
  public subscript(name: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  public var string: String? {
    if case .string(let value) = self { value } else { nil }
  }

  public var number: Double? {
    switch self {
    case .number(let value): value
    case .longNumber(let value): Double(value)
    default: nil
    }
  }

  public var bool: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  public var array: [JSON]? {
    if case .array(let values) = self { values } else { nil }
  }

  public var members: [Member]? {
    if case .object(let members) = self { members } else { nil }
  }

  /// A time or score rounded to `digits` decimals.
  public static func rounded(_ value: Double, digits: Int = 3) -> JSON {
    var scale = 1.0
    for _ in 0..<digits { scale *= 10 }
    return .number((value * scale).rounded() / scale)
  }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral, ExpressibleByNilLiteral
{
  public init(stringLiteral value: String) { self = .string(value) }
  public init(arrayLiteral elements: JSON...) { self = .array(elements) }
  public init(dictionaryLiteral elements: (String, JSON)...) {
    self = .object(elements.map { Member($0.0, $0.1) })
  }
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(floatLiteral value: Double) { self = .number(value) }
  public init(integerLiteral value: Int) { self = .number(Double(value)) }
  public init(nilLiteral: ()) { self = .null }
}

extension JSON: CustomStringConvertible {
  /// The value as one line of JSON text; infinities and NaN become `null`.
  public var description: String {
    var text = ""
    write(into: &text)
    return text
  }

  private func write(into text: inout String) {
    switch self {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .number(let value): text += JSON.text(of: value)
    case .longNumber(let value): text += value
    case .string(let value): JSON.quote(value, into: &text)
    case .array(let values):
      text += "["
      for (index, value) in values.enumerated() {
        if index > 0 { text += "," }
        value.write(into: &text)
      }
      text += "]"
    case .object(let members):
      text += "{"
      for (index, member) in members.enumerated() {
        if index > 0 { text += "," }
        JSON.quote(member.name, into: &text)
        text += ":"
        member.value.write(into: &text)
      }
      text += "}"
    }
  }

  private static func text(of number: Double) -> String {
    guard number.isFinite else { return "null" }
    if number == number.rounded(), abs(number) < 0x1p63 { return String(Int(number)) }
    return number.description
  }

  private static func quote(_ value: String, into text: inout String) {
    text += "\""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case "\u{0}"..<"\u{20}", "\u{7F}"..<"\u{A0}":
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}

extension JSON {
  /// How many arrays and objects may be nested in each other.
  public static let depthLimit = 128

  /// Parses JSON text; objects keep the order of their members.
  ///
  /// - Throws: a ``JSONDefect``, also for a name that occurs twice in one object and for nesting deeper than `depthLimit`.
  public init(parsing bytes: [UInt8], depthLimit: Int = JSON.depthLimit) throws(JSONDefect) {
    self = try JSONParser.parse(bytes, depthLimit: depthLimit)
  }

  /// Parses JSON text as ``init(parsing:depthLimit:)`` does.
  ///
  /// - Parameter what: names the bytes in the fault.
  /// - Throws: ``SystemFault/notJSON(what:defect:)``.
  public init(parsing bytes: [UInt8], what: String) throws(SystemFault) {
    do {
      try self.init(parsing: bytes)
    } catch {
      throw .notJSON(what: what, defect: error)
    }
  }
}

/// Why text is not accepted as JSON, and where.
public struct JSONDefect: Error, Sendable, Equatable {
  public enum Kind: Error, Sendable, Equatable {
    /// The text is not JSON, or contains a number too large for a `Double`.
    case syntax
    /// More than `limit` arrays and objects are nested in each other.
    case tooDeep(limit: Int)
    /// A name occurs twice in one object.
    case duplicateName(String)
  }

  public let kind: Kind
  /// The line where the defect is, from 1.
  public let line: Int
  /// The byte of that line, from 1.
  public let column: Int

  init(_ kind: Kind, in bytes: [UInt8], at position: Int) {
    let before = bytes[..<min(position, bytes.count)]
    self.kind = kind
    line = 1 + before.count { $0 == UInt8(ascii: "\n") }
    column = before.count - (before.lastIndex(of: UInt8(ascii: "\n")) ?? -1)
  }
}
