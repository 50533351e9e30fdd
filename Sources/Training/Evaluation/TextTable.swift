/// Tables and paragraphs for a terminal of 80 columns.
package enum TextTable {
  static let width = 80

  /// Returns one row: the first cell left-aligned, the others right-aligned in columns of these widths.
  package static func row(_ cells: [String], widths: [Int]) -> String {
    var line = ""
    for (index, (cell, width)) in zip(cells, widths).enumerated() {
      let pad = String(repeating: " ", count: max(0, width - cell.count))
      line += index == 0 ? cell + pad : pad + cell
    }
    while line.hasSuffix(" ") { line.removeLast() }
    return line
  }

  /// Returns `text` with its middle replaced by `…` if it is longer than `limit` characters.
  static func shortened(_ text: String, to limit: Int) -> String {
    guard text.count > limit else { return text }
    let half = (limit - 1) / 2
    return "\(text.prefix(limit - 1 - half))…\(text.suffix(half))"
  }

  /// Returns `text` wrapped at spaces; the lines after the first are indented by `hanging`.
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

/// Formats numbers for tables.
public enum Decimals {
  /// Returns `value` with a fixed number of decimals, up to 9.
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

  /// Returns `value` with up to `digits` decimals and no trailing zeros.
  public static func short(_ value: Double, _ digits: Int = 2) -> String {
    var text = text(value, digits)
    guard text.contains(".") else { return text }
    while text.hasSuffix("0") { text.removeLast() }
    if text.hasSuffix(".") { text.removeLast() }
    return text
  }

  /// Returns a share, 0…1, in percent with one decimal; 100 has none.
  public static func percent(_ share: Double) -> String {
    share >= 0.9995 ? "100" : text(100 * share, 1)
  }

  /// Returns for example `1 file` or `3 files`.
  public static func count(_ count: Int, _ one: String, _ many: String) -> String {
    "\(count) \(count == 1 ? one : many)"
  }
}
