/// Text normalized for matching; each character has its position in the original text.
///
/// Case is folded, white space collapsed, and punctuation at the edges of words dropped; canonically equal
/// characters are equal. The text ends with a space, so that every word is followed by one.
package struct NormalizedText: Sendable {
  /// One character of the normalized text.
  package struct Unit: Sendable {
    /// The original character, and the same with case folded.
    package let written: Character
    package let folded: Character
    /// Its range in the original text, in code points.
    package let source: Range<Int>
    /// Whether its word was written in digits, or as a word that is not only a number, such as "to".
    var startsNumber = false
  }

  package let scalars: [Unicode.Scalar]
  package private(set) var units: [Unit]
  /// Whether some words were replaced, so that they differ from the original text.
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

  /// The text with homophones replaced by one of them; nil where it has none.
  package var foldingHomophones: NormalizedText? { folding(Homophones.folded) }

  /// The text with numbers below 1000 in words; nil where none is in digits.
  package var spellingNumbers: NormalizedText? { folding(Homophones.spelledNumber) }

  /// The text with each word replaced by `fold`; nil where `fold` replaces none.
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
          let startsNumber = folded != text && Homophones.startsNumber(text)
          copy.units += folded.map {
            Unit(written: $0, folded: $0, source: source, startsNumber: startsNumber)
          }
        } else {
          copy.units += units[part]
        }
        copy.units.append(units[part.upperBound])
      }
    }
    return isAlone ? nil : copy
  }

  /// A word split at its hyphens, except at those between digits and at its ends.
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

  /// Whether a number before the word at `index` of the units must not continue with that word.
  package func startsNumber(at index: Int) -> Bool {
    units[index].startsNumber && (index == 0 || units[index - 1].source != units[index].source)
  }

  /// Whether the unit at `index` was written in digits, which folding replaced by words.
  package func wasNumber(at index: Int) -> Bool {
    isFolded && scalars[units[index].source.lowerBound].properties.numericType != nil
  }

  /// The words and their ranges in the units.
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

  /// The original text of `range` of the units, without spaces at its ends.
  package func written(_ range: Range<Int>) -> String {
    if isFolded { return original(source(range)) }
    let trimmed = trimmed(range)
    return String(units[trimmed].map(\.written))
  }

  /// The range of the original text, in code points, that `range` of the units comes from.
  package func source(_ range: Range<Int>) -> Range<Int> {
    let trimmed = trimmed(range)
    guard let first = units[trimmed].first, let last = units[trimmed].last else { return 0..<0 }
    return first.source.lowerBound..<last.source.upperBound
  }

  /// The original text at a range of its code points.
  package func original(_ range: Range<Int>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars[range])
    return String(view)
  }

  /// The lowercase form of a character where that is one character; else the character itself.
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
        switch Punctuation.treatment(of: index..<end, in: scalars) {
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
