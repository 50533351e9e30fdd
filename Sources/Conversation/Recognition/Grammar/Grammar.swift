import Platform

/// The sentences that a recognizer accepts, as a JSGF grammar.
///
/// JSpeech Grammar Format (W3C note, 2000) with at least one public rule; the first one is the start. Words are
/// lowercase and written as spoken ("twenty one", not "21").
public struct Grammar: Sendable, Equatable {
  public let jsgf: String
  /// All words in the rules.
  public let words: [String]
  /// What the rules `sentence_1`, `sentence_2` and so on express, for ``RecognitionRequest/expected``.
  public let meanings: [String]

  public init(jsgf: String, words: [String], meanings: [String] = []) {
    self.jsgf = jsgf
    self.words = words
    self.meanings = meanings
  }

  /// A grammar whose words are extracted from its text: all but rule names, weights, tags, comments and keywords.
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
