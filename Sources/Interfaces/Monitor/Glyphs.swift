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
