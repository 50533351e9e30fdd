/// A writer of manual pages: text for the macros of groff_man(7), in ASCII.
struct Roff {
  private(set) var text = ""
  /// Whether the section is still empty; a section begins a paragraph by itself.
  private var isAtStart = false

  /// - Parameters:
  ///   - title: the page's name; upper case by convention.
  ///   - source: the program that the page documents, with its version.
  init(title: String, section: Int, source: String) {
    macro("TH", title, String(section), "", source, section == 5 ? "File Formats" : "User Commands")
    // No hyphenation and no justification: users can type what is printed.
    text += ".nh\n.ad l\n"
  }

  mutating func section(_ name: String) {
    macro("SH", name)
    isAtStart = true
  }

  /// A paragraph of plain text.
  mutating func paragraph(_ plain: String) {
    if !isAtStart { text += ".PP\n" }
    line(Self.escaped(plain))
  }

  /// Text below an indented term.
  ///
  /// - Parameter term: already in roff, as from ``bold(_:)``.
  mutating func entry(_ term: String, _ plain: String) {
    text += ".TP\n"
    line(term)
    line(Self.escaped(plain))
  }

  /// Lines that are printed unchanged.
  mutating func literal(_ lines: [String]) {
    text += ".nf\n.RS 4\n"
    for plain in lines { line(Self.escaped(plain)) }
    text += ".RE\n.fi\n"
  }

  /// A line that is already in roff.
  mutating func line(_ roff: String) {
    isAtStart = false
    let isControl = roff.hasPrefix(".") || roff.hasPrefix("'")
    text += (isControl ? "\\&" : "") + roff + "\n"
  }

  private mutating func macro(_ name: String, _ arguments: String...) {
    let quoted = arguments.map { "\"\(Self.escaped($0))\"" }
    text += "." + ([name] + quoted).joined(separator: " ") + "\n"
  }

  static func bold(_ plain: String) -> String { "\\fB\(escaped(plain))\\fR" }
  static func italic(_ plain: String) -> String { "\\fI\(escaped(plain))\\fR" }

  /// `plain` with the characters that roff interprets, and those outside ASCII, as escapes.
  static func escaped(_ plain: String) -> String {
    plain.unicodeScalars.map { scalar in
      switch scalar {
      case "\\": "\\e"
      case "-": "\\-"
      case "'": "\\(aq"
      case "\"": "\\(dq"
      case "`": "\\(ga"
      case "^": "\\(ha"
      case "~": "\\(ti"
      default:
        scalar.isASCII ? String(scalar) : "\\[u\(fourDigits(scalar.value))]"
      }
    }.joined()
  }

  private static func fourDigits(_ value: UInt32) -> String {
    let digits = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
