/// Tables and paragraphs for a terminal of 80 columns.
package enum TextTable {
  static let width = 80

  /// A line of cells: the first one to the left, the others to the right of their columns.
  package static func row(_ cells: [String], widths: [Int]) -> String {
    var line = ""
    for (index, (cell, width)) in zip(cells, widths).enumerated() {
      let pad = String(repeating: " ", count: max(0, width - cell.count))
      line += index == 0 ? cell + pad : pad + cell
    }
    while line.hasSuffix(" ") { line.removeLast() }
    return line
  }

  /// `text`, its middle left out where it is longer than `limit` characters.
  static func shortened(_ text: String, to limit: Int) -> String {
    guard text.count > limit else { return text }
    let half = (limit - 1) / 2
    return "\(text.prefix(limit - 1 - half))…\(text.suffix(half))"
  }

  /// `text` broken at spaces; the lines after the first are indented by `hanging`.
  package static func wrap(_ text: String, indent: Int, hanging: Int) -> [String] {
    var lines: [String] = []
    var line = String(repeating: " ", count: indent)
    var isEmpty = true
    for word in text.split(separator: " ") {
      if !isEmpty, line.count + 1 + word.count > width {
        lines.append(line)
        line = String(repeating: " ", count: hanging)
        isEmpty = true
      }
      line += (isEmpty ? "" : " ") + word
      isEmpty = false
    }
    return lines + [line]
  }
}
