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

/// Numbers for tables.
public enum Decimals {
  /// `value` with a fixed number of decimals, at most 9.
  public static func text(_ value: Double, _ digits: Int) -> String {
    guard value.isFinite, abs(value) < 1e9 else { return value.isNaN ? "–" : "∞" }
    var scale = 1
    for _ in 0..<digits { scale *= 10 }
    let whole = Int((abs(value) * Double(scale)).rounded())
    let sign = value < 0 && whole > 0 ? "-" : ""
    guard digits > 0 else { return "\(sign)\(whole)" }
    let fraction = String(whole % scale)
    return "\(sign)\(whole / scale)." + String(repeating: "0", count: digits - fraction.count) + fraction
  }

  /// `value` with at most `digits` decimals and no trailing zeros.
  public static func short(_ value: Double, _ digits: Int = 2) -> String {
    var text = text(value, digits)
    guard text.contains(".") else { return text }
    while text.hasSuffix("0") { text.removeLast() }
    if text.hasSuffix(".") { text.removeLast() }
    return text
  }

  /// A share, 0…1, in percent with one decimal; 100 without.
  public static func percent(_ share: Double) -> String {
    share >= 0.9995 ? "100" : text(100 * share, 1)
  }

  /// `1 file` or `3 files`.
  public static func count(_ count: Int, _ one: String, _ many: String) -> String {
    "\(count) \(count == 1 ? one : many)"
  }
}
