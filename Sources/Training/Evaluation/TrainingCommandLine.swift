/// The command line in a model's card and file, with words quoted as for a shell.
package enum TrainingCommandLine {
  private static let options: Set<String> = [
    "--positives", "--negatives", "--noise", "--false-alarms", "--missed",
  ]

  /// Returns the folders of recordings that the command names.
  package static func folders(of command: String) -> [String] {
    let words = words(of: command)
    let separate = zip(words, words.dropFirst()).filter { options.contains($0.0) }.map(\.1)
    let joined = words.compactMap { word -> String? in
      guard let equals = word.firstIndex(of: "="), options.contains(String(word[..<equals])) else {
        return nil
      }
      return String(word[word.index(after: equals)...])
    }
    return separate + joined
  }

  /// Splits at spaces outside of single quotes; outside of them, a backslash quotes the next character.
  package static func words(of command: String) -> [String] {
    var words: [String] = []
    var word: String?
    var isQuoted = false
    var isEscaped = false
    for character in command {
      if isEscaped {
        word = (word ?? "") + String(character)
        isEscaped = false
      } else if character == "'" {
        isQuoted.toggle()
        word = word ?? ""
      } else if character == "\\", !isQuoted {
        isEscaped = true
      } else if character == " ", !isQuoted {
        if let word { words.append(word) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    if let word { words.append(word) }
    return words
  }
}
