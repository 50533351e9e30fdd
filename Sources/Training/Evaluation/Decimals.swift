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
