import YAMLFormat

/// How a conversation is held: `dialogue`.
extension IntentFileReader {
  /// The words of `node` in place of those of `standard`.
  func dialogue(
    _ node: YAMLNode, over standard: DialogueWords
  ) throws(IntentFileFault) -> DialogueWords {
    var result = standard
    try check(node, "'dialogue'", ["timeout", "attempts", "words", "replies"])
    if let timeout = try number(node, "timeout", "'dialogue'") {
      guard timeout > 0 else {
        throw fault(
          node.position, .wrongShape(what: "'timeout' of 'dialogue'", expected: "seconds, more than 0"))
      }
      result.timeout = timeout
    }
    if let attempts = try whole(node, "attempts", "'dialogue'") {
      guard (0...100).contains(attempts) else {
        throw fault(
          node.position, .wrongShape(what: "'attempts' of 'dialogue'", expected: "a number from 0 to 100"))
      }
      result.attempts = attempts
    }
    if let words = node["words"] {
      try check(words, "'words' of 'dialogue'", DialogueWords.Word.allCases.map(\.rawValue))
      for entry in try mapping(words, "'words' of 'dialogue'") {
        guard let word = DialogueWords.Word(rawValue: entry.key) else { continue }
        var sentences: [Rule] = []
        for sentence in try sequence(entry.value, "'\(entry.key)' of 'dialogue'") {
          sentences.append(try rule(sentence))
        }
        result.words[word] = sentences
      }
    }
    if let replies = node["replies"] {
      try check(replies, "'replies' of 'dialogue'", DialogueWords.Reply.allCases.map(\.rawValue))
      for entry in try mapping(replies, "'replies' of 'dialogue'") {
        guard let key = DialogueWords.Reply(rawValue: entry.key) else { continue }
        result.replies[key] = try reply(entry.value)
      }
    }
    return result
  }
}
