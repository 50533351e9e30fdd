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
}
