/// Parses JSON text (RFC 8259). Time and memory are proportional to its length, so that untrusted text can be parsed.
///
/// Objects keep the order of their members, and a name that occurs twice in one object is an error.
struct JSONParser {
  private let bytes: [UInt8]
  private let depthLimit: Int
  private var position = 0

  /// Parses the one value of `bytes`, which are UTF-8 with or without a byte order mark.
  static func parse(_ bytes: [UInt8], depthLimit: Int) throws(JSONDefect) -> JSON {
    var parser = JSONParser(bytes: bytes, depthLimit: depthLimit)
    do {
      return try parser.document()
    } catch {
      throw JSONDefect(error, in: bytes, at: parser.position)
    }
  }

  private init(bytes: [UInt8], depthLimit: Int) {
    self.bytes = bytes
    self.depthLimit = depthLimit
  }

  private mutating func document() throws(JSONDefect.Kind) -> JSON {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    let value = try value(depth: 0)
    skipSpace()
    guard position == bytes.count else { throw .syntax }
    return value
  }

  /// The byte at the position; at the end 0, which JSON allows nowhere.
  private var next: UInt8 { position < bytes.count ? bytes[position] : 0 }

  private mutating func skipSpace() {
    while [0x20, 0x09, 0x0A, 0x0D].contains(next) { position += 1 }
  }

  /// Skips `character` if it is next, and returns whether it was.
  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func value(depth: Int) throws(JSONDefect.Kind) -> JSON {
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

  private mutating func word(_ word: StaticString, _ value: JSON) throws(JSONDefect.Kind) -> JSON {
    let end = position + word.utf8CodeUnitCount
    guard end <= bytes.count else { throw .syntax }
    for offset in 0..<word.utf8CodeUnitCount where bytes[position + offset] != word.utf8Start[offset] {
      throw .syntax
    }
    position = end
    return value
  }

  private mutating func array(depth: Int) throws(JSONDefect.Kind) -> JSON {
    guard depth < depthLimit else { throw .tooDeep(limit: depthLimit) }
    position += 1
    var values: [JSON] = []
    skipSpace()
    if take("]") { return .array(values) }
    repeat {
      values.append(try value(depth: depth + 1))
      skipSpace()
    } while take(",")
    guard take("]") else { throw .syntax }
    return .array(values)
  }

  private mutating func object(depth: Int) throws(JSONDefect.Kind) -> JSON {
    guard depth < depthLimit else { throw .tooDeep(limit: depthLimit) }
    position += 1
    var members: [JSON.Member] = []
    var names: Set<String> = []
    skipSpace()
    if take("}") { return .object([]) }
    repeat {
      skipSpace()
      guard next == UInt8(ascii: "\"") else { throw .syntax }
      let start = position
      let name = try string()
      guard names.insert(name).inserted else {
        position = start
        throw .duplicateName(name)
      }
      skipSpace()
      guard take(":") else { throw .syntax }
      members.append(JSON.Member(name, try value(depth: depth + 1)))
      skipSpace()
    } while take(",")
    guard take("}") else { throw .syntax }
    return .object(members)
  }

  private mutating func number() throws(JSONDefect.Kind) -> JSON {
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
    guard let number = Double(text), number.isFinite else { throw .syntax }
    guard isWhole, abs(number) >= 0x1p53 else { return .number(number) }
    let isExact = Int(text).map { Int(exactly: number) == $0 } ?? false
    return isExact ? .number(number) : .longNumber(text)
  }

  private mutating func digits() throws(JSONDefect.Kind) {
    let start = position
    while (0x30...0x39).contains(next) { position += 1 }
    if position == start { throw .syntax }
  }

  private mutating func string() throws(JSONDefect.Kind) -> String {
    position += 1
    var start = position
    var text: [UInt8] = []
    while true {
      switch next {
      case UInt8(ascii: "\""):
        text += bytes[start..<position]
        position += 1
        guard let valid = String(validating: text, as: UTF8.self) else { throw .syntax }
        return valid
      case UInt8(ascii: "\\"):
        text += bytes[start..<position]
        position += 1
        text += UTF8.encode(try escape())!
        start = position
      case 0..<0x20: throw .syntax
      default: position += 1
      }
    }
  }

  private mutating func escape() throws(JSONDefect.Kind) -> Unicode.Scalar {
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
      guard unit < 0xDC00, take("\\"), take("u") else { throw .syntax }
      let low = try hexadecimal()
      guard (0xDC00...0xDFFF).contains(low),
        let scalar = Unicode.Scalar(0x10000 + (UInt32(unit) - 0xD800) << 10 + UInt32(low) - 0xDC00)
      else { throw .syntax }
      return scalar
    default: throw .syntax
    }
  }

  private mutating func hexadecimal() throws(JSONDefect.Kind) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard let digit = Character(Unicode.Scalar(next)).hexDigitValue, next < 0x80 else { throw .syntax }
      unit = unit << 4 | UInt16(digit)
      position += 1
    }
    return unit
  }
}
