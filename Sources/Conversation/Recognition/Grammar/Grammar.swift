import Platform

/// What a grammar-driven recognizer may hear, as a JSGF text.
///
/// The text is a JSpeech Grammar Format document (W3C note, 2000) with at least one public rule; the first is the
/// start. Words are lower case and written as spoken ("twenty one", not "21").
public struct Grammar: Sendable, Equatable {
  public let jsgf: String
  /// Every word that the rules contain.
  public let words: [String]

  public init(jsgf: String, words: [String]) {
    self.jsgf = jsgf
    self.words = words
  }

  /// A grammar whose words are found in its text: everything that is no rule name, weight, tag, comment or keyword.
  public init(jsgf: String) {
    self.init(jsgf: jsgf, words: Self.words(in: jsgf))
  }

  private static func words(in jsgf: String) -> [String] {
    var found: Set<String> = []
    for line in jsgf.split(whereSeparator: \.isNewline) {
      let text = line.split(separator: "//", maxSplits: 1, omittingEmptySubsequences: false)[0]
      if text.hasPrefix("#JSGF") || text.hasPrefix("grammar ") || text.hasPrefix("import ") { continue }
      var word = ""
      var closing: Character?
      for character in text + " " {
        if let end = closing {
          if character == end { closing = nil }
          continue
        }
        if character.isLetter || character.isNumber || character == "'" || character == "-" && !word.isEmpty {
          word.append(character)
          continue
        }
        if !word.isEmpty, word != "public" { found.insert(word) }
        word = ""
        switch character {
        case "<": closing = ">"
        case "{": closing = "}"
        case "/": closing = "/"
        default: break
        }
      }
    }
    return found.sorted()
  }
}
