/// Which punctuation has no meaning for a command, by hassil's rules.
package enum Punctuation {
  private static let marks = Set(".。,，?¿？؟!¡！;；:：’‘…—–―\"“”«»„()".unicodeScalars)

  package static func isMark(_ scalar: Unicode.Scalar) -> Bool { marks.contains(scalar) }

  /// Letters, digits, combining marks and the underscore.
  package static func isWord(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII {
      return (0x30...0x39).contains(scalar.value) || (0x61...0x7A).contains(scalar.value | 0x20)
        || scalar == "_"
    }
    return scalar.properties.isAlphabetic || scalar.properties.numericType != nil
      || scalar.properties.canonicalCombiningClass != .notReordered
  }

  /// Whether a number starts with the point at `index`: ".5", "$.50".
  package static func isDecimalPoint(at index: Int, in scalars: [Unicode.Scalar]) -> Bool {
    guard scalars[index] == ".", index + 1 < scalars.count, (0x30...0x39).contains(scalars[index + 1].value)
    else { return false }
    return index == 0 || scalars[index - 1] != "." && !isWord(scalars[index - 1])
  }

  /// What normalization does with punctuation.
  package enum Treatment { case kept, dropped, space }

  /// Drops punctuation at the edges of words, and keeps it inside words ("7:30", "20.5") and in initials ("A.C.").
  ///
  /// - Parameters:
  ///   - range: a run of punctuation in `scalars`.
  ///   - opensText: whether the first of `scalars` is the start of the text.
  ///   - closesText: whether the last of `scalars` is the end of the text.
  package static func treatment(
    of range: Range<Int>, in scalars: [Unicode.Scalar], opensText: Bool = true, closesText: Bool = true
  ) -> Treatment {
    let before = range.lowerBound > 0 ? isWord(scalars[range.lowerBound - 1]) : !opensText
    let after = range.upperBound < scalars.count ? isWord(scalars[range.upperBound]) : !closesText
    if before, after {
      let isText = range.lowerBound > 0 && range.upperBound < scalars.count
      let betweenDigits = isText && scalars[range.lowerBound - 1].properties.numericType != nil
      let parts = range.count > 1 || scalars[range.lowerBound] == "," && !betweenDigits
      return isText && parts ? .space : .kept
    }
    let isInitial =
      before && range.count == 1 && scalars[range.lowerBound] == "." && range.lowerBound >= 2
      && scalars[range.lowerBound - 2] == "."
    return isInitial ? .kept : .dropped
  }

  /// The literal text of a template without such punctuation; other parts follow unless `isLast`.
  package static func stripped(_ scalars: [Unicode.Scalar], isLast: Bool) -> String {
    var text = String.UnicodeScalarView()
    var index = 0
    while index < scalars.count {
      guard isMark(scalars[index]) else {
        text.append(scalars[index])
        index += 1
        continue
      }
      let end = scalars[index...].firstIndex { !isMark($0) } ?? scalars.count
      switch treatment(of: index..<end, in: scalars, opensText: false, closesText: isLast) {
      case .kept: text.append(contentsOf: scalars[index..<end])
      case .space: text.append(" ")
      case .dropped: break
      }
      index = end
    }
    return String(text)
  }
}
