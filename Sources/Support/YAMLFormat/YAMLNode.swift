import Platform

/// One value of a YAML document, with its position in the file.
package struct YAMLNode: Sendable {
  package enum Content: Sendable {
    /// Text; `isPlain` when it was written without quotes, so that it may be a number or a truth value.
    case scalar(String, isPlain: Bool)
    case sequence([YAMLNode])
    case mapping([Entry])
  }

  package struct Entry: Sendable {
    package let key: String
    package let keyPosition: SourcePosition
    package let value: YAMLNode
  }

  package let content: Content
  package let position: SourcePosition
  /// Code points from `position` to the first one of the text (1 after a quote); nil where columns within the
  /// text are unknown: block scalars, and quoted text with escapes.
  package let textOffset: Int?

  package init(content: Content, position: SourcePosition, textOffset: Int? = nil) {
    self.content = content
    self.position = position
    self.textOffset = textOffset
  }

  package var text: String? {
    if case .scalar(let text, _) = content { text } else { nil }
  }

  package var sequence: [YAMLNode]? {
    if case .sequence(let nodes) = content { nodes } else { nil }
  }

  package var mapping: [Entry]? {
    if case .mapping(let entries) = content { entries } else { nil }
  }

  /// Whether the value is absent: `key:` alone, `~` or `null`.
  package var isNull: Bool {
    guard case .scalar(let text, true) = content else { return false }
    return ["", "~", "null", "Null", "NULL"].contains(text)
  }

  package subscript(key: String) -> YAMLNode? { mapping?.first { $0.key == key }?.value }

  /// The position of the code point at index `character` of a text node.
  package func position(ofCharacter character: Int) -> SourcePosition {
    textOffset.map { position.advanced(by: $0 + character) } ?? position
  }

  /// The value by YAML 1.2's core schema: plain `true`, `12`, `0.5` and `null` are not text.
  package var json: JSON {
    switch content {
    case .scalar(let text, let isPlain):
      if !isPlain { return .string(text) }
      if isNull { return .null }
      if ["true", "True", "TRUE"].contains(text) { return .bool(true) }
      if ["false", "False", "FALSE"].contains(text) { return .bool(false) }
      if let number = Self.number(text) { return .number(number) }
      return .string(text)
    case .sequence(let nodes): return .array(nodes.map(\.json))
    case .mapping(let entries): return .object(entries.map { JSON.Member($0.key, $0.value.json) })
    }
  }

  private static func number(_ text: String) -> Double? {
    let digits = text.utf8.allSatisfy {
      (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x2E, 0x65, 0x45].contains($0)
    }
    guard digits, text.utf8.contains(where: { (0x30...0x39).contains($0) }) else { return nil }
    return Double(text).flatMap { $0.isFinite ? $0 : nil }
  }
}

/// A position in a text file: line and column, from 1; columns count code points.
public struct SourcePosition: Sendable, Hashable {
  public let line: Int
  public let column: Int

  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// The position `characters` to the right on the same line.
  package func advanced(by characters: Int) -> SourcePosition {
    SourcePosition(line: line, column: column + characters)
  }
}
