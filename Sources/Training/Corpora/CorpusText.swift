/// The lines of a text file with their numbers, split lazily.
struct LineTable: Sequence {
  let bytes: [UInt8]

  struct Line {
    /// The line number, starting at 1.
    let number: Int
    let bytes: ArraySlice<UInt8>

    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The tab-separated cells, including empty ones.
    var cells: [ArraySlice<UInt8>] { bytes.split(separator: 9, omittingEmptySubsequences: false) }

    /// Returns up to `most` fields separated by spaces or tabs. The last field is the rest of the line.
    func fields(_ most: Int) -> [String] {
      bytes.split(maxSplits: most - 1) { $0 == 32 || $0 == 9 }.map { field in
        var field = field
        while let first = field.first, first == 32 || first == 9 { field.removeFirst() }
        while let last = field.last, last == 32 || last == 9 { field.removeLast() }
        return String(decoding: field, as: UTF8.self)
      }
    }
  }

  /// Skips blank lines. Accepts Windows line endings.
  func makeIterator() -> AnyIterator<Line> {
    var start = bytes.startIndex
    var number = 0
    return AnyIterator {
      while start < bytes.endIndex {
        let end = bytes[start...].firstIndex(of: 10) ?? bytes.endIndex
        var line = bytes[start..<end]
        start = end + 1
        number += 1
        if line.last == 13 { line.removeLast() }
        if line.contains(where: { $0 != 32 && $0 != 9 }) { return Line(number: number, bytes: line) }
      }
      return nil
    }
  }
}

/// A transcript as words, without case and punctuation.
public struct TranscriptWords: Sendable, Equatable {
  public let words: [Substring]

  public init(_ text: some StringProtocol) {
    words = text.lowercased().split { !($0.isLetter || $0.isNumber || $0 == "'" || $0 == "’") }
  }

  /// Returns whether the words of `other` occur in sequence.
  public func contains(_ other: TranscriptWords) -> Bool {
    guard !other.words.isEmpty, other.words.count <= words.count else { return false }
    return (0...words.count - other.words.count).contains { start in
      words[start..<start + other.words.count].elementsEqual(other.words)
    }
  }
}
