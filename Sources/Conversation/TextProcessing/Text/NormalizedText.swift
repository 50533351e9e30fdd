/// Text made ready for matching, each character with its place in what was said.
///
/// Case is folded, white space collapsed, marks at the edges of words dropped; canonically equal characters are
/// one. One space stands at the end, so that every word ends with one.
package struct NormalizedText: Sendable {
  /// One character that is left after normalization.
  package struct Unit: Sendable {
    /// As it was written, and with case folded.
    package let written: Character
    package let folded: Character
    /// Where it stands in the given text, in code points.
    package let source: Range<Int>
    /// Whether it is of a word that was written as digits, or as one that has a meaning beside the number: "to".
    var opensNumber = false
  }

  package let scalars: [Unicode.Scalar]
  package private(set) var units: [Unit]
  /// Whether words stand in it that were not written.
  private var isFolded = false

  package init(_ text: String) {
    scalars = Array(text.unicodeScalars)
    units = []
    append(Self.kept(scalars))
    endWithSpace()
  }

  /// The text without the units in `ranges`, which are sorted and do not overlap.
  package func removing(_ ranges: [Range<Int>]) -> NormalizedText {
    var copy = self
    copy.units = []
    var removed = ranges[...]
    for (index, unit) in units.enumerated() {
      while let first = removed.first, first.upperBound <= index { removed.removeFirst() }
      if removed.first?.contains(index) ?? false { continue }
      if unit.folded == " ", copy.units.last.map({ $0.folded == " " }) ?? true { continue }
      copy.units.append(unit)
    }
    copy.endWithSpace()
    return copy
  }

  /// The text with its words folded by how they sound; nil where none sounds like another.
  package var foldingHomophones: NormalizedText? { folding(Homophones.folded) }

  /// The text with numbers below a thousand in words; nil where none is in digits.
  package var spellingNumbers: NormalizedText? { folding(Homophones.spelledNumber) }

  /// The text with other words where `fold` has some; nil where it has none.
  private func folding(_ fold: (String) -> String?) -> NormalizedText? {
    var copy = self
    copy.units = []
    copy.isFolded = true
    var isAlone = true
    for word in words {
      for part in parts(of: word.range) {
        let text = String(units[part].map(\.folded))
        if let folded = fold(text) {
          isAlone = false
          let source = source(part)
          let opensNumber = folded != text && Homophones.opensNumber(text)
          copy.units += folded.map {
            Unit(written: $0, folded: $0, source: source, opensNumber: opensNumber)
          }
        } else {
          copy.units += units[part]
        }
        copy.units.append(units[part.upperBound])
      }
    }
    return isAlone ? nil : copy
  }

  /// A word cut at its hyphens; those between digits and at its ends join.
  private func parts(of word: Range<Int>) -> [Range<Int>] {
    var parts: [Range<Int>] = []
    var start = word.lowerBound
    for index in word.dropFirst().dropLast() where units[index].folded == "-" && index > start {
      guard units[index - 1].folded.isLetter || units[index + 1].folded.isLetter else { continue }
      parts.append(start..<index)
      start = index + 1
    }
    return parts + [start..<word.upperBound]
  }

  /// Whether a number that was begun before the word at `index` of the units does not go on with it.
  package func opensNumber(at index: Int) -> Bool {
    units[index].opensNumber && (index == 0 || units[index - 1].source != units[index].source)
  }

  /// Whether digits were written where the unit at `index` stands, though folding made them words.
  package func wasNumber(at index: Int) -> Bool {
    isFolded && scalars[units[index].source.lowerBound].properties.numericType != nil
  }

  /// The words and where they stand among the units.
  package var words: [(text: String, range: Range<Int>)] {
    var words: [(String, Range<Int>)] = []
    var start = 0
    for (index, unit) in units.enumerated() where unit.folded == " " {
      if index > start {
        words.append((String(units[start..<index].map(\.folded)), start..<index))
      }
      start = index + 1
    }
    return words
  }

  /// What was written at `range` of the units, spaces at the ends left out.
  package func written(_ range: Range<Int>) -> String {
    if isFolded { return original(source(range)) }
    let trimmed = trimmed(range)
    return String(units[trimmed].map(\.written))
  }

  /// The code points of the given text that `range` of the units came from.
  package func source(_ range: Range<Int>) -> Range<Int> {
    let trimmed = trimmed(range)
    guard let first = units[trimmed].first, let last = units[trimmed].last else { return 0..<0 }
    return first.source.lowerBound..<last.source.upperBound
  }

  /// The given text at a range of its code points.
  package func original(_ range: Range<Int>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars[range])
    return String(view)
  }

  /// A character with its case folded, when that is one character again.
  package static func fold(_ character: Character) -> Character {
    if let ascii = character.asciiValue {
      return (0x41...0x5A).contains(ascii) ? Character(Unicode.Scalar(ascii | 0x20)) : character
    }
    let lower = character.lowercased()
    return lower.count == 1 ? lower.first ?? character : character
  }

  private func trimmed(_ range: Range<Int>) -> Range<Int> {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, units[start].folded == " " { start += 1 }
    while end > start, units[end - 1].folded == " " { end -= 1 }
    return start..<end
  }

  private static func kept(_ scalars: [Unicode.Scalar]) -> [(scalar: Unicode.Scalar, source: Int)] {
    var kept: [(Unicode.Scalar, Int)] = []
    var index = 0
    func appendSpace() {
      if kept.last?.0 != " ", !kept.isEmpty { kept.append((" ", index)) }
    }
    while index < scalars.count {
      let scalar = scalars[index]
      if scalar.properties.isWhitespace {
        appendSpace()
      } else if Punctuation.isMark(scalar), !isApostrophe(at: index, in: scalars) {
        let end = scalars[index...].firstIndex { !Punctuation.isMark($0) } ?? scalars.count
        if Punctuation.isDecimalPoint(at: end - 1, in: scalars) {
          if end - 1 > index { appendSpace() }
          kept.append((scalars[end - 1], end - 1))
          index = end
          continue
        }
        switch Punctuation.fate(of: index..<end, in: scalars) {
        case .kept: for place in index..<end { kept.append((scalars[place], place)) }
        case .space: appendSpace()
        case .dropped: break
        }
        index = end
        continue
      } else {
        kept.append((scalar == "’" || scalar == "‘" ? "'" : scalar, index))
      }
      index += 1
    }
    return kept
  }

  private static func isApostrophe(at index: Int, in scalars: [Unicode.Scalar]) -> Bool {
    guard scalars[index] == "’" || scalars[index] == "‘" else { return false }
    return index > 0 && Punctuation.isWord(scalars[index - 1])
  }

  private mutating func append(_ kept: [(scalar: Unicode.Scalar, source: Int)]) {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: kept.map(\.scalar))
    var next = 0
    for character in String(text) {
      let count = character.unicodeScalars.count
      let source = kept[next].source..<(kept[next + count - 1].source + 1)
      units.append(Unit(written: character, folded: Self.fold(character), source: source))
      next += count
    }
  }

  private mutating func endWithSpace() {
    guard units.last?.folded != " " else { return }
    units.append(Unit(written: " ", folded: " ", source: scalars.count..<scalars.count))
  }
}
