/// Reads JSON text (RFC 8259), in time and memory that grow with its length alone: what a stranger sends may be read.
struct JSONParser {
  /// The text is no JSON, is nested deeper than ``JSON/depthLimit``, or holds a number that no `Double` can be.
  struct Malformed: Error {}

  private let bytes: [UInt8]
  private var position = 0

  /// The one value of `bytes`, which are UTF-8, perhaps after a byte order mark.
  static func parse(_ bytes: [UInt8]) throws(Malformed) -> JSON {
    var parser = JSONParser(bytes: bytes)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { parser.position = 3 }
    let value = try parser.value(depth: 0)
    parser.skipSpace()
    guard parser.position == bytes.count else { throw Malformed() }
    return value
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  /// The byte at the position; 0, which is nowhere allowed, at the end.
  private var next: UInt8 { position < bytes.count ? bytes[position] : 0 }

  private mutating func skipSpace() {
    while [0x20, 0x09, 0x0A, 0x0D].contains(next) { position += 1 }
  }

  /// Passes over `character` if it is next.
  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func value(depth: Int) throws(Malformed) -> JSON {
    guard depth <= JSON.depthLimit else { throw Malformed() }
    skipSpace()
    switch next {
    case UInt8(ascii: "{"): return try object(depth: depth)
    case UInt8(ascii: "["): return try array(depth: depth)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return try number()
    }
  }

  private mutating func word(_ word: StaticString, _ value: JSON) throws(Malformed) -> JSON {
    let end = position + word.utf8CodeUnitCount
    guard end <= bytes.count else { throw Malformed() }
    for offset in 0..<word.utf8CodeUnitCount where bytes[position + offset] != word.utf8Start[offset] {
      throw Malformed()
    }
    position = end
    return value
  }

  private mutating func array(depth: Int) throws(Malformed) -> JSON {
    position += 1
    var values: [JSON] = []
    skipSpace()
    if take("]") { return .array(values) }
    repeat {
      values.append(try value(depth: depth + 1))
      skipSpace()
    } while take(",")
    guard take("]") else { throw Malformed() }
    return .array(values)
  }

  /// Of two members of one name the last counts.
  private mutating func object(depth: Int) throws(Malformed) -> JSON {
    position += 1
    var members: [String: JSON] = [:]
    skipSpace()
    if take("}") { return .object([]) }
    repeat {
      skipSpace()
      guard next == UInt8(ascii: "\"") else { throw Malformed() }
      let name = try string()
      skipSpace()
      guard take(":") else { throw Malformed() }
      members[name] = try value(depth: depth + 1)
      skipSpace()
    } while take(",")
    guard take("}") else { throw Malformed() }
    return .object(members.sorted { $0.key < $1.key }.map { JSON.Member($0.key, $0.value) })
  }

  private mutating func number() throws(Malformed) -> JSON {
    let start = position
    _ = take("-")
    if !take("0") { try digits() }
    let isWhole = next != UInt8(ascii: ".") && next != UInt8(ascii: "e") && next != UInt8(ascii: "E")
    if take(".") { try digits() }
    if take("e") || take("E") {
      if !take("+") { _ = take("-") }
      try digits()
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    guard let number = Double(text), number.isFinite else { throw Malformed() }
    guard isWhole, abs(number) >= 0x1p53 else { return .number(number) }
    let isExact = Int(text).map { Int(exactly: number) == $0 } ?? false
    return isExact ? .number(number) : .longNumber(text)
  }

  private mutating func digits() throws(Malformed) {
    let start = position
    while (0x30...0x39).contains(next) { position += 1 }
    if position == start { throw Malformed() }
  }

  private mutating func string() throws(Malformed) -> String {
    position += 1
    var start = position
    var text: [UInt8] = []
    while true {
      switch next {
      case UInt8(ascii: "\""):
        text += bytes[start..<position]
        position += 1
        guard let valid = String(validating: text, as: UTF8.self) else { throw Malformed() }
        return valid
      case UInt8(ascii: "\\"):
        text += bytes[start..<position]
        position += 1
        text += UTF8.encode(try escape())!
        start = position
      case 0..<0x20: throw Malformed()
      default: position += 1
      }
    }
  }

  private mutating func escape() throws(Malformed) -> Unicode.Scalar {
    let kind = next
    position += 1
    switch kind {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(kind)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"):
      let unit = try hexadecimal()
      if let scalar = Unicode.Scalar(unit) { return scalar }
      guard unit < 0xDC00, take("\\"), take("u") else { throw Malformed() }
      let low = try hexadecimal()
      guard (0xDC00...0xDFFF).contains(low),
        let scalar = Unicode.Scalar(0x10000 + (UInt32(unit) - 0xD800) << 10 + UInt32(low) - 0xDC00)
      else { throw Malformed() }
      return scalar
    default: throw Malformed()
    }
  }

  private mutating func hexadecimal() throws(Malformed) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard let digit = Character(Unicode.Scalar(next)).hexDigitValue, next < 0x80 else { throw Malformed() }
      unit = unit << 4 | UInt16(digit)
      position += 1
    }
    return unit
  }
}
