/// What JSON text looks like before it is parsed: how deep it nests and how many members its objects have.
///
/// The parser keeps one of several members of one name; text with more members than came out of it had doubles.
/// Text that is no JSON gets some outline and is left to the parser.
struct JSONOutline {
  /// Brackets and braces open at once, at most.
  private(set) var depth = 0
  /// Colons outside of strings.
  private(set) var members = 0

  init(_ text: [UInt8]) {
    var open = 0
    var inString = false
    var escaped = false
    for byte in text {
      if escaped {
        escaped = false
      } else if inString {
        switch byte {
        case UInt8(ascii: "\\"): escaped = true
        case UInt8(ascii: "\""): inString = false
        default: break
        }
      } else {
        switch byte {
        case UInt8(ascii: "\""): inString = true
        case UInt8(ascii: ":"): members += 1
        case UInt8(ascii: "{"), UInt8(ascii: "["):
          open += 1
          depth = max(depth, open)
        case UInt8(ascii: "}"), UInt8(ascii: "]"): open -= 1
        default: break
        }
      }
    }
  }
}
