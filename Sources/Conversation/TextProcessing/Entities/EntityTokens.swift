/// The tokens of a text: words, runs of digits, and single signs ("7:30pm" has four).
package struct EntityTokens: Sendable {
  package struct Token: Sendable {
    package let text: String
    /// The value of a run of digits.
    package let number: Int?
    /// Its range in the units of the normalized text.
    package let range: Range<Int>
    /// Whether a space precedes it.
    package let isApart: Bool
    /// Whether a number before it must not continue with it.
    package let startsNumber: Bool
  }

  package let tokens: [Token]
  /// The index of the token that starts at each unit, or -1.
  package let tokenAt: [Int32]

  package init(_ text: NormalizedText) {
    var tokens: [Token] = []
    let units = text.units
    var index = 0
    var isApart = true
    while index < units.count {
      let first = units[index].folded
      let start = index
      index += 1
      if first == " " || Self.isHyphen(at: start, in: units) {
        isApart = true
        continue
      }
      if first.isASCII, first.wholeNumberValue != nil {
        while index < units.count, units[index].folded.isASCII, units[index].folded.wholeNumberValue != nil {
          index += 1
        }
      } else if first.isLetter {
        while index < units.count, units[index].folded.isLetter || units[index].folded == "'" { index += 1 }
      }
      let word = String(units[start..<index].map(\.folded))
      let number = index - start <= Self.digitLimit ? Int(word) : nil
      tokens.append(
        Token(
          text: word, number: number, range: start..<index, isApart: isApart,
          startsNumber: text.startsNumber(at: start)))
      isApart = false
    }
    var tokenAt = [Int32](repeating: -1, count: units.count + 1)
    for (place, token) in tokens.enumerated() { tokenAt[token.range.lowerBound] = Int32(place) }
    self.tokens = tokens
    self.tokenAt = tokenAt
  }

  /// A longer run of digits is not a number.
  private static let digitLimit = 15

  /// Whether the hyphen at `index` joins two words: "half-past", "30-minute"; in "2026-11-21" it is a sign.
  private static func isHyphen(at index: Int, in units: [NormalizedText.Unit]) -> Bool {
    guard units[index].folded == "-", index > 0, index + 1 < units.count else { return false }
    let (before, after) = (units[index - 1].folded, units[index + 1].folded)
    return before.isLetter && (after.isLetter || after.isNumber) || before.isNumber && after.isLetter
  }

  /// The word or sign at `index`; empty after the end.
  package func word(_ index: Int) -> String { tokens.indices.contains(index) ? tokens[index].text : "" }

  /// The value of the digits at `index`; nil where there are none.
  func digits(_ index: Int) -> Int? { tokens.indices.contains(index) ? tokens[index].number : nil }

  /// Whether the token at `index` follows the one before it without a space.
  func touches(_ index: Int) -> Bool { tokens.indices.contains(index) && !tokens[index].isApart }

  /// The word at `index` without the genitive ending: "hours" for "hours'" in "two hours' time"; nil where it has none.
  func possessor(_ index: Int) -> String? {
    let word = word(index)
    if word.hasSuffix("'s") { return String(word.dropLast(2)) }
    return word.hasSuffix("'") ? String(word.dropLast()) : nil
  }

  /// The index after `phrase` (words separated by spaces) where it is at `index`; else nil.
  func end(of phrase: String, at index: Int) -> Int? {
    let first = word(index)
    guard !first.isEmpty, phrase.utf8.starts(with: first.utf8) else { return nil }
    var place = index
    for word in phrase.split(separator: " ") {
      guard self.word(place) == word else { return nil }
      place += 1
    }
    return place
  }

  /// The index after the first of `phrases` that is at `index`; nil where none is.
  func end(ofAny phrases: [String], at index: Int) -> Int? {
    for phrase in phrases {
      if let end = end(of: phrase, at: index) { return end }
    }
    return nil
  }
}
