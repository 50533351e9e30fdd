/// What is said in a recording, without case and punctuation.
public struct SpokenText: Sendable, Equatable {
  public let words: [Substring]

  public init(_ text: some StringProtocol) {
    words = text.lowercased().split { !($0.isLetter || $0.isNumber || $0 == "'" || $0 == "’") }
  }

  /// Whether `other` is said among its words.
  public func contains(_ other: SpokenText) -> Bool {
    guard !other.words.isEmpty, other.words.count <= words.count else { return false }
    return (0...words.count - other.words.count).contains { start in
      words[start..<start + other.words.count].elementsEqual(other.words)
    }
  }
}
