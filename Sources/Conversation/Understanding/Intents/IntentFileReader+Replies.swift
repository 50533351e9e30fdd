import Platform
import YAMLFormat

/// Reads replies, by intent and key.
extension IntentFileReader {
  mutating func replies(
    _ node: YAMLNode, _ result: IntentFile
  ) throws(IntentFileFault) -> [String: [String: ReplyTemplate]] {
    var replies: [String: [String: ReplyTemplate]] = [:]
    let isNested = node.mapping?.count == 1 && node["intents"] != nil
    for entry in try mapping(isNested ? node["intents"] ?? node : node, "'responses'") {
      guard let intent = intent(entry, of: result, within: "'responses'") else { continue }
      let named = entry.value.mapping?.map { ($0.key, $0.value) } ?? [("default", entry.value)]
      for (name, text) in named {
        part(text) { replies[entry.key, default: [:]][name] = try $0.response($1, of: intent) }
      }
    }
    return replies
  }

  /// Adds the replies that the client fills, where there are no others.
  mutating func addClientReplies(_ node: YAMLNode, to result: inout IntentFile) throws(IntentFileFault) {
    let what = "'client_responses'"
    for entry in try mapping(node, what) {
      guard intent(entry, of: result, within: what) != nil else { continue }
      var named: [String: ReplyTemplate] = [:]
      for reply in try mapping(entry.value, what) {
        named[reply.key] = ReplyTemplate(forClient: try text(reply.value, "a response"))
      }
      result.replies[entry.key, default: [:]].merge(named) { own, _ in own }
    }
  }

  /// The index of the intent whose name is a key; keeps a fault where there is none.
  private mutating func intent(
    _ entry: YAMLNode.Entry, of result: IntentFile, within what: String
  ) -> Int? {
    if let index = result.intents.firstIndex(where: { $0.name == entry.key }) { return index }
    let suggestion = nearestName(to: entry.key, among: result.intentNames)
    add(fault(entry.keyPosition, .unknownKey(key: entry.key, within: what, suggestion: suggestion)))
    return nil
  }

  private mutating func response(_ node: YAMLNode, of intent: Int) throws(IntentFileFault) -> ReplyTemplate {
    try reply(node, of: intent, naming: .responseSlot)
  }

  /// Reads a text about an intent, whose slots are checked when the whole file is read.
  ///
  /// - Parameter own: names in the text that are not slots.
  mutating func reply(
    _ node: YAMLNode, of intent: Int, naming kind: NameReference.Kind = .filledSlot,
    besides own: [String] = []
  ) throws(IntentFileFault) -> ReplyTemplate {
    let reply = try reply(node)
    for use in reply.references where !own.contains(use.slot) {
      let position = node.position(ofCharacter: use.offset)
      references.append(NameReference(kind: kind, name: use.slot, position: position, intent: intent))
    }
    return reply
  }

  /// Reads a text without checking the names of its slots.
  func reply(_ node: YAMLNode) throws(IntentFileFault) -> ReplyTemplate {
    let text = try text(node, "a response")
    do throws(IntentFileProblem) {
      return try ReplyTemplate(text)
    } catch {
      throw fault(node.position, error)
    }
  }

  mutating func attachReplies(_ result: inout IntentFile) {
    for index in result.intents.indices {
      let reply = result.replies[result.intents[index].name]?["default"]
      for block in result.intents[index].blocks.indices { result.intents[index].blocks[block].reply = reply }
    }
    for (node, intent, block) in replyKeys {
      part(node) { reader, node in
        guard let reply = try reader.reply(named: node, of: intent, result) else { return }
        result.intents[intent].blocks[block].reply = reply
      }
    }
  }

  /// The reply that `response` of a group of sentences names or is; nil for a name in a file without replies for the intent.
  private mutating func reply(
    named node: YAMLNode, of intent: Int, _ file: IntentFile
  ) throws(IntentFileFault) -> ReplyTemplate? {
    let key = try text(node, "'response'")
    let name = file.intents[intent].name
    let named = file.replies[name] ?? [:]
    if let reply = named[key] { return reply }
    if key.contains(" ") || key.contains("{") { return try response(node, of: intent) }
    if named.isEmpty { return nil }
    let suggestion = nearestName(to: key, among: named.keys)
    throw fault(node.position, .unknownResponse(key: key, intent: name, suggestion: suggestion))
  }
}

/// Reads the words and limits of dialogues: `dialogue`.
extension IntentFileReader {
  /// Reads `node`, with the values of `standard` for missing keys.
  mutating func dialogue(
    _ node: YAMLNode, over standard: DialogueWords
  ) throws(IntentFileFault) -> DialogueWords {
    var result = standard
    try check(node, "'dialogue'", .dialogue)
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
      try check(words, "'words' of 'dialogue'", .dialogueWords)
      for entry in try mapping(words, "'words' of 'dialogue'") {
        guard let word = DialogueWords.Word(rawValue: entry.key) else { continue }
        result.words[word] = try sentences(entry.value, "'\(entry.key)' of 'dialogue'")
      }
    }
    if let replies = node["replies"] {
      try check(replies, "'replies' of 'dialogue'", .dialogueReplies)
      for entry in try mapping(replies, "'replies' of 'dialogue'") {
        guard let key = DialogueWords.Reply(rawValue: entry.key) else { continue }
        part(entry.value) { result.replies[key] = try $0.reply($1, naming: key.placeholders) }
      }
    }
    return result
  }

  /// Reads a reply that may name `values`.
  func reply(_ node: YAMLNode, naming values: [String]) throws(IntentFileFault) -> ReplyTemplate {
    let reply = try reply(node)
    if let wrong = reply.references.first(where: { !values.contains($0.slot) }) {
      let suggestion = nearestName(to: wrong.slot, among: values)
      throw fault(
        node.position(ofCharacter: wrong.offset),
        .unknownName(kind: "value", name: wrong.slot, suggestion: suggestion))
    }
    return reply
  }
}
