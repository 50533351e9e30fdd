import TextProcessing

/// The text as a chart sees it.
extension Chart {
  func isBreak(_ symbol: Int32) -> Bool {
    symbol == Program.Symbol.space || symbol == Program.Symbol.hyphen || symbol == Program.Symbol.underscore
  }

  func skippingSpaces(_ place: Int) -> Int {
    var place = place
    while place < symbols.count, symbols[place] == Program.Symbol.space { place += 1 }
    return place
  }

  func digits(at start: Int, allowingFraction: Bool) -> (end: Int, value: Double)? {
    let units = text.units
    var written = ""
    var place = start
    if place < units.count, units[place].folded == "-" {
      written = "-"
      place += 1
    }
    let beginsWithPoint =
      allowingFraction && place < units.count && units[place].folded == "." && digit(at: place + 1) != nil
    if beginsWithPoint { written += "0" }
    let first = place
    func take() {
      while place < units.count, let digit = units[place].folded.wholeNumberValue, written.count < 16 {
        written += String(digit)
        place += 1
      }
    }
    take()
    guard place > first || beginsWithPoint, digit(at: place) == nil else { return nil }
    if allowingFraction, place + 1 < units.count, ".,".contains(units[place].folded),
      digit(at: place + 1) != nil
    {
      written += "."
      place += 1
      take()
    }
    return Double(written).map { (place, $0) }
  }

  func digit(at place: Int) -> Int? {
    place < text.units.count ? text.units[place].folded.wholeNumberValue : nil
  }

  /// The letters and digits of a word between other characters: "twenty-one%" counts as two.
  static func parts(
    _ word: (text: String, range: Range<Int>)
  ) -> [(text: String, range: Range<Int>)] {
    let isWhole = word.text.unicodeScalars.allSatisfy(Punctuation.isWord)
    if isWhole { return [word] }
    var parts: [(String, Range<Int>)] = []
    var part = ""
    for (index, character) in (word.text + " ").enumerated() {
      if character.unicodeScalars.allSatisfy(Punctuation.isWord) {
        part.append(character)
      } else if !part.isEmpty {
        let end = word.range.lowerBound + index
        parts.append((part, end - part.count..<end))
        part = ""
      }
    }
    return parts
  }
}
