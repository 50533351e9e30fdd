/// Base64 (RFC 4648).
public enum Base64 {
  /// The URL-safe alphabet without padding.
  public static func encodeForURL(_ bytes: [UInt8]) -> String {
    let letters: [Character: String] = ["+": "-", "/": "_", "=": ""]
    return encode(bytes).map { letters[$0] ?? String($0) }.joined()
  }

  /// The standard alphabet with padding.
  public static func encode(_ bytes: [UInt8]) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for place in 0..<4 {
        text.append(place <= group.count ? alphabet[bits >> (18 - 6 * place) & 63] : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The bytes of a text in the standard alphabet with padding; nil if it is not one.
  public static func decode(_ text: String) -> [UInt8]? {
    let letters = Array(text.utf8)
    guard letters.count % 4 == 0 else { return nil }
    let padding = letters.reversed().prefix { $0 == UInt8(ascii: "=") }.count
    guard padding <= 2 else { return nil }
    var bytes: [UInt8] = []
    var bits = 0
    for (place, letter) in letters.dropLast(padding).enumerated() {
      guard let value = value(of: letter) else { return nil }
      bits = (bits << 6 | value) & 0xFFFF
      if place % 4 > 0 { bytes.append(UInt8(truncatingIfNeeded: bits >> (6 - 2 * (place % 4)))) }
    }
    return bytes
  }

  private static func value(of letter: UInt8) -> Int? {
    switch letter {
    case 0x41...0x5A: Int(letter) - 0x41
    case 0x61...0x7A: Int(letter) - 0x61 + 26
    case 0x30...0x39: Int(letter) - 0x30 + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
