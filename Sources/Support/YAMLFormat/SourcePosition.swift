/// A place in a text file; lines and columns count from one, columns in code points.
public struct SourcePosition: Sendable, Hashable {
  public let line: Int
  public let column: Int

  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// The place `characters` further right on the same line.
  package func advanced(by characters: Int) -> SourcePosition {
    SourcePosition(line: line, column: column + characters)
  }
}
