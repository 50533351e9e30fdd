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
}
