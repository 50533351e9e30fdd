/// The content of a terminal: a grid of cells, each one column wide.
public struct Screen: Sendable, Equatable {
  /// The style of a cell.
  public enum Ink: Sendable, Equatable {
    case plain
    case bold
    case dim
    case good
    case caution
    case bad
  }

  public struct Cell: Sendable, Equatable {
    public var scalar: Unicode.Scalar
    public var ink: Ink

    public static let blank = Cell(scalar: " ", ink: .plain)
  }

  public let width: Int
  public let height: Int
  public private(set) var cells: [Cell]

  /// A blank screen.
  public init(width: Int, height: Int) {
    self.width = max(0, width)
    self.height = max(0, height)
    cells = Array(repeating: .blank, count: self.width * self.height)
  }

  /// Writes `text` from a position on. Characters outside the screen are dropped; characters that are not one column wide become `?`.
  public mutating func put(_ text: String, row: Int, column: Int, _ ink: Ink = .plain) {
    guard row >= 0, row < height else { return }
    for (offset, scalar) in text.unicodeScalars.enumerated() {
      let place = column + offset
      guard place < width else { return }
      guard place >= 0 else { continue }
      cells[row * width + place] = Cell(scalar: Self.isNarrow(scalar) ? scalar : "?", ink: ink)
    }
  }

  /// The rows as text, without trailing blanks.
  public var lines: [String] {
    (0..<height).map { row in
      var text = ""
      for cell in cells[row * width..<(row + 1) * width] { text.unicodeScalars.append(cell.scalar) }
      while text.hasSuffix(" ") { text.removeLast() }
      return text
    }
  }

  /// Letters of European scripts, lines and blocks: no wide, combining or control characters.
  private static func isNarrow(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x20...0x7E, 0xA1...0xAC, 0xAE...0x2FF, 0x370...0x482, 0x48A...0x52F, 0x2010...0x2027,
      0x2190...0x21FF, 0x2500...0x259F:
      true
    default: false
    }
  }
}

/// The characters of the screen: Unicode blocks and lines, or ASCII.
public struct Glyphs: Sendable, Equatable {
  /// From the lowest to the full cell.
  let steps: [Unicode.Scalar]
  let full: String
  let empty: String
  let mark: String
  /// The threshold in a graph.
  let line: String
  let rule: String

  public static let unicode = Glyphs(
    steps: ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"], full: "█", empty: "·", mark: "│", line: "┄", rule: "─")
  public static let ascii = Glyphs(
    steps: ["_", ".", "-", ":", "=", "+", "*", "#"], full: "#", empty: ".", mark: "|", line: "-", rule: "-")
}
