/// The characters that pictures are made of, by what the terminal can show.
public struct Glyphs: Sendable, Equatable {
  /// From the lowest to a full cell.
  let steps: [Unicode.Scalar]
  let full: String
  let empty: String
  let mark: String
  /// Across a graph where a threshold lies.
  let line: String
  let rule: String

  public static let unicode = Glyphs(
    steps: ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"], full: "█", empty: "·", mark: "│", line: "┄", rule: "─")
  public static let ascii = Glyphs(
    steps: ["_", ".", "-", ":", "=", "+", "*", "#"], full: "#", empty: ".", mark: "|", line: "-", rule: "-")
}
