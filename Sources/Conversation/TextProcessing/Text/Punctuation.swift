/// Which marks around words carry no meaning for a command, after hassil's rules.
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

  /// Whether a number begins with the point at `index`: ".5", "$.50".
  package static func isDecimalPoint(at index: Int, in scalars: [Unicode.Scalar]) -> Bool {
    guard scalars[index] == ".", index + 1 < scalars.count, (0x30...0x39).contains(scalars[index + 1].value)
    else { return false }
    return index == 0 || scalars[index - 1] != "." && !isWord(scalars[index - 1])
  }

  /// What becomes of the run of marks `scalars[range]`.
  package enum Fate { case kept, dropped, space }

  /// Marks at the edges of words go, those inside words ("7:30", "20.5") stay, and so do initials ("A.C.").
  ///
  /// - Parameters:
  ///   - opensText: whether nothing stands before the first of `scalars`.
  ///   - closesText: whether nothing stands after the last.
  package static func fate(
    of range: Range<Int>, in scalars: [Unicode.Scalar], opensText: Bool = true, closesText: Bool = true
  ) -> Fate {
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

  /// A template's literal text without such marks; its ends touch other parts unless `isLast`.
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
      switch fate(of: index..<end, in: scalars, opensText: false, closesText: isLast) {
      case .kept: text.append(contentsOf: scalars[index..<end])
      case .space: text.append(" ")
      case .dropped: break
      }
      index = end
    }
    return String(text)
  }
}
