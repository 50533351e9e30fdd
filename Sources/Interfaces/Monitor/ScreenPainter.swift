/// Produces the bytes that change a terminal from one screen to the next: only the differences.
///
/// Uses the part of ECMA-48 that all current terminals support: cursor position, clear, style.
public struct ScreenPainter: Sendable {
  /// Whether styles have colours, not only weight.
  public let hasColour: Bool
  /// The content of the terminal; nil if unknown.
  private var shown: Screen?

  /// Fewer equal cells than this between two changes are sent again, because a cursor position needs more bytes.
  private static let cheapestSkip = 5

  public init(hasColour: Bool) { self.hasColour = hasColour }

  /// Makes the next screen be sent completely.
  public mutating func forget() { shown = nil }

  /// The bytes that make the terminal show `screen`; empty if it does already.
  public mutating func paint(_ screen: Screen) -> [UInt8] {
    var output = Output(hasColour: hasColour)
    var old = Screen(width: screen.width, height: screen.height)
    if let shown, shown.width == screen.width, shown.height == screen.height {
      old = shown
    } else {
      output.clear()
    }
    for row in 0..<screen.height {
      let range = row * screen.width..<(row + 1) * screen.width
      for run in Self.changes(Array(old.cells[range]), Array(screen.cells[range])) {
        output.move(row: row, column: run.lowerBound)
        for cell in screen.cells[range].dropFirst(run.lowerBound).prefix(run.count) { output.write(cell) }
      }
    }
    shown = screen
    return output.end()
  }

  /// The columns that differ; runs with few cells between them are joined.
  private static func changes(_ old: [Screen.Cell], _ new: [Screen.Cell]) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    for column in new.indices where old[column] != new[column] {
      if let last = runs.last, column - last.upperBound < cheapestSkip {
        runs[runs.count - 1] = last.lowerBound..<column + 1
      } else {
        runs.append(column..<column + 1)
      }
    }
    return runs
  }

  private struct Output {
    let hasColour: Bool
    private var bytes: [UInt8] = []
    private var ink = Screen.Ink.plain

    init(hasColour: Bool) { self.hasColour = hasColour }

    mutating func clear() { bytes += "\u{1B}[0m\u{1B}[2J".utf8 }

    mutating func move(row: Int, column: Int) { bytes += "\u{1B}[\(row + 1);\(column + 1)H".utf8 }

    mutating func write(_ cell: Screen.Cell) {
      if cell.ink != ink {
        bytes += "\u{1B}[0\(code(of: cell.ink))m".utf8
        ink = cell.ink
      }
      bytes += String(Character(cell.scalar)).utf8
    }

    mutating func end() -> [UInt8] {
      if ink != .plain { bytes += "\u{1B}[0m".utf8 }
      return bytes
    }

    private func code(of ink: Screen.Ink) -> String {
      switch ink {
      case .plain: ""
      case .bold: ";1"
      case .dim: ";2"
      case .good: hasColour ? ";32" : ""
      case .caution: hasColour ? ";33" : ";1"
      case .bad: hasColour ? ";31" : ";1"
      }
    }
  }
}
