import Platform

/// Turns a YAML tree into an ``IntentFile``; refuses what it does not know by its line and column.
struct IntentFileReader {
  let file: String
  private var replyKeys: [(node: YAMLNode, intent: Int, block: Int)] = []

  init(file: String) { self.file = file }

  mutating func read(_ root: YAMLNode) throws(UnderstandingFault) -> IntentFile {
    if root.isNull { throw fault(root.position, .empty) }
    try check(
      root, "the intent file",
      ["language", "intents", "lists", "expansion_rules", "skip_words", "responses", "settings"])
    guard let language = root["language"] else {
      throw fault(root.position, .missingKey(key: "language", within: "the intent file"))
    }
    guard let intents = root["intents"] else {
      throw fault(root.position, .missingKey(key: "intents", within: "the intent file"))
    }
    var result = IntentFile(name: file, language: try text(language, "'language'"))
    if let node = root["lists"] { result.lists = try lists(node) }
    if let node = root["expansion_rules"] { result.rules = try rules(node) }
    if let node = root["skip_words"] {
      for word in try sequence(node, "'skip_words'") {
        result.skipWords.append(try text(word, "a skip word"))
      }
    }
    for entry in try mapping(intents, "'intents'") {
      result.intents.append(try intent(entry, index: result.intents.count))
    }
    if let node = root["responses"] { result.replies = try replies(node, result) }
    try attachReplies(&result)
    return result
  }

  // MARK: Intents

  private mutating func intent(_ entry: YAMLNode.Entry, index: Int) throws(UnderstandingFault) -> Intent {
    let what = "the intent '\(entry.key)'"
    try check(entry.value, what, ["data", "description", "domain", "supported"])
    guard let data = entry.value["data"] else {
      throw fault(entry.value.position, .missingKey(key: "data", within: what))
    }
    var intent = Intent(name: entry.key, blocks: [])
    for node in try sequence(data, "'data' of \(what)") {
      intent.blocks.append(try block(node, what, intent: index, index: intent.blocks.count))
    }
    return intent
  }

  private mutating func block(
    _ node: YAMLNode, _ what: String, intent: Int, index: Int
  ) throws(UnderstandingFault) -> SentenceBlock {
    try check(
      node, "'data' of \(what)",
      [
        "sentences", "slots", "response", "requires_context", "excludes_context", "expansion_rules", "lists",
        "required_keywords", "metadata", "settings", "inferred_domain", "name_domains",
      ])
    guard let sentences = node["sentences"] else {
      throw fault(node.position, .missingKey(key: "sentences", within: "'data' of \(what)"))
    }
    var block = SentenceBlock()
    for sentence in try sequence(sentences, "'sentences'") { block.sentences.append(try rule(sentence)) }
    if let slots = node["slots"] {
      block.slots = try mapping(slots, "'slots'").map { JSON.Member($0.key, $0.value.json) }
    }
    if let rules = node["requires_context"] { block.required = try contextRules(rules) }
    if let rules = node["excludes_context"] { block.excluded = try contextRules(rules) }
    if let node = node["expansion_rules"] { block.rules = try rules(node) }
    if let node = node["lists"] { block.lists = try lists(node) }
    if let keywords = node["required_keywords"] {
      for word in try sequence(keywords, "'required_keywords'") {
        block.keywords.insert(try text(word, "a keyword").lowercased())
      }
    }
    if let response = node["response"] { replyKeys.append((response, intent, index)) }
    return block
  }

  private func contextRules(_ node: YAMLNode) throws(UnderstandingFault) -> [ContextRule] {
    var rules: [ContextRule] = []
    for entry in try mapping(node, "the context") {
      var value: YAMLNode? = entry.value
      var slot: String?
      if entry.value.mapping != nil {
        try check(entry.value, "the context '\(entry.key)'", ["value", "slot"])
        value = entry.value["value"]
        switch entry.value["slot"]?.json {
        case .bool(true): slot = entry.key
        case .string(let name): slot = name
        default: break
        }
      }
      let values: [JSON]? =
        switch value?.json {
        case nil, .null: nil
        case .array(let values): values
        case .some(let value): [value]
        }
      rules.append(ContextRule(key: entry.key, values: values, slot: slot))
    }
    return rules
  }

  // MARK: Rules and lists

  private func rules(_ node: YAMLNode) throws(UnderstandingFault) -> [String: Rule] {
    var rules: [String: Rule] = [:]
    for entry in try mapping(node, "'expansion_rules'") { rules[entry.key] = try rule(entry.value) }
    return rules
  }

  private func rule(_ node: YAMLNode) throws(UnderstandingFault) -> Rule {
    let text = try text(node, "a sentence")
    do throws(TemplateParser.Failure) {
      return Rule(template: try TemplateParser.parse(text), node: node)
    } catch {
      throw fault(node.position(ofCharacter: error.offset), .template(error.problem))
    }
  }

  private func lists(_ node: YAMLNode) throws(UnderstandingFault) -> [String: SlotList] {
    var lists: [String: SlotList] = [:]
    for entry in try mapping(node, "'lists'") { lists[entry.key] = try list(entry) }
    return lists
  }

  private func list(_ entry: YAMLNode.Entry) throws(UnderstandingFault) -> SlotList {
    let what = "the list '\(entry.key)'"
    try check(entry.value, what, ["values", "range", "wildcard", "metadata"])
    let kinds = (entry.value.mapping ?? []).filter { ["values", "range", "wildcard"].contains($0.key) }
    guard kinds.count == 1, let kind = kinds.first else {
      throw fault(entry.value.position, .listKind(list: entry.key))
    }
    switch kind.key {
    case "values":
      var values: [SlotList.Value] = []
      for node in try sequence(kind.value, "'values' of \(what)") { values.append(try value(node, what)) }
      return SlotList(name: entry.key, kind: .values(values), position: entry.value.position)
    case "range":
      let range = try range(kind.value, entry.key)
      return SlotList(name: entry.key, kind: .range(range), position: entry.value.position)
    default:
      guard kind.value.json == .bool(true) else {
        throw fault(kind.value.position, .listKind(list: entry.key))
      }
      return SlotList(name: entry.key, kind: .wildcard, position: entry.value.position)
    }
  }

  private func value(_ node: YAMLNode, _ what: String) throws(UnderstandingFault) -> SlotList.Value {
    guard node.mapping != nil else {
      let said = try rule(node)
      let isPlain = node.text.map { !TemplateParser.isTemplate($0) } ?? false
      return SlotList.Value(
        said: said, value: isPlain ? node.text.map(JSON.string) : nil, context: [])
    }
    try check(node, "a value of \(what)", ["in", "out", "context", "metadata"])
    guard let said = node["in"] else {
      throw fault(node.position, .missingKey(key: "in", within: "a value of \(what)"))
    }
    var context: [JSON.Member] = []
    if let known = node["context"] {
      context = try mapping(known, "'context'").map { JSON.Member($0.key, $0.value.json) }
    }
    return SlotList.Value(
      said: try rule(said), value: node["out"]?.json, context: context)
  }

  private func range(_ node: YAMLNode, _ list: String) throws(UnderstandingFault) -> NumberRange {
    let what = "the range of '\(list)'"
    try check(
      node, what,
      ["from", "to", "step", "type", "multiplier", "fractions", "digits", "words", "words_language"])
    guard let from = try whole(node, "from", what), let to = try whole(node, "to", what) else {
      let key = node["from"] == nil ? "from" : "to"
      throw fault(node.position, .missingKey(key: key, within: what))
    }
    func bad(_ reason: IntentFileProblem.RangeReason) -> UnderstandingFault {
      fault(node.position, .badRange(list: list, reason: reason))
    }
    guard abs(from) <= 1_000_000_000, abs(to) <= 1_000_000_000 else { throw bad(.tooLarge) }
    guard from <= to else { throw bad(.backwards) }
    var range = NumberRange(from: from, to: to)
    range.step = try whole(node, "step", what) ?? 1
    guard range.step > 0 else { throw bad(.step) }
    if let type = node["type"] {
      _ = try choice(type, "'type' of \(what)", ["number", "percentage", "temperature"])
    }
    if let multiplier = node["multiplier"] {
      guard let number = multiplier.json.number else {
        throw fault(multiplier.position, .wrongShape(what: "'multiplier' of \(what)", expected: "a number"))
      }
      range.multiplier = number
    }
    if let node = node["fractions"] {
      let name = try choice(node, "'fractions' of \(what)", NumberRange.Fractions.allCases.map(\.rawValue))
      range.fractions = NumberRange.Fractions(rawValue: name)
    }
    range.allowsDigits = try truth(node, "digits", what)
    range.allowsWords = try truth(node, "words", what)
    guard range.allowsDigits || range.allowsWords else { throw bad(.neither) }
    return range
  }

  // MARK: Replies

  private func replies(
    _ node: YAMLNode, _ result: IntentFile
  ) throws(UnderstandingFault) -> [String: [String: ReplyTemplate]] {
    var replies: [String: [String: ReplyTemplate]] = [:]
    let isNested = node.mapping?.count == 1 && node["intents"] != nil
    for entry in try mapping(isNested ? node["intents"] ?? node : node, "'responses'") {
      guard result.intents.contains(where: { $0.name == entry.key }) else {
        let suggestion = nearestName(to: entry.key, among: result.intentNames)
        throw fault(
          entry.keyPosition, .unknownKey(key: entry.key, within: "'responses'", suggestion: suggestion))
      }
      if entry.value.mapping == nil {
        replies[entry.key] = ["default": try reply(entry.value)]
      } else {
        for named in try mapping(entry.value, "'responses'") {
          replies[entry.key, default: [:]][named.key] = try reply(named.value)
        }
      }
    }
    return replies
  }

  private func reply(_ node: YAMLNode) throws(UnderstandingFault) -> ReplyTemplate {
    let text = try text(node, "a response")
    do throws(IntentFileProblem) {
      return try ReplyTemplate(text)
    } catch {
      throw fault(node.position, error)
    }
  }

  private func attachReplies(_ result: inout IntentFile) throws(UnderstandingFault) {
    for index in result.intents.indices {
      let reply = result.replies[result.intents[index].name]?["default"]
      for block in result.intents[index].blocks.indices { result.intents[index].blocks[block].reply = reply }
    }
    for (node, intent, block) in replyKeys {
      let key = try text(node, "'response'")
      let named = result.replies[result.intents[intent].name] ?? [:]
      if let reply = named[key] {
        result.intents[intent].blocks[block].reply = reply
      } else if key.contains(" ") || key.contains("{") {
        result.intents[intent].blocks[block].reply = try reply(node)
      } else if !named.isEmpty {
        let name = result.intents[intent].name
        let suggestion = nearestName(to: key, among: named.keys)
        throw fault(node.position, .unknownResponse(key: key, intent: name, suggestion: suggestion))
      }
    }
  }

  // MARK: Shapes

  private func fault(_ position: SourcePosition, _ problem: IntentFileProblem) -> UnderstandingFault {
    .invalid(file: file, position: position, problem: problem)
  }

  private func check(_ node: YAMLNode, _ what: String, _ keys: [String]) throws(UnderstandingFault) {
    for entry in try mapping(node, what) where !keys.contains(entry.key) {
      let suggestion = nearestName(to: entry.key, among: keys)
      throw fault(entry.keyPosition, .unknownKey(key: entry.key, within: what, suggestion: suggestion))
    }
  }

  private func mapping(_ node: YAMLNode, _ what: String) throws(UnderstandingFault) -> [YAMLNode.Entry] {
    guard let entries = node.mapping else {
      throw fault(node.position, .wrongShape(what: what, expected: "a mapping of keys to values"))
    }
    return entries
  }

  private func sequence(_ node: YAMLNode, _ what: String) throws(UnderstandingFault) -> [YAMLNode] {
    guard let items = node.sequence else {
      throw fault(node.position, .wrongShape(what: what, expected: "a list of items that begin with '- '"))
    }
    return items
  }

  private func text(_ node: YAMLNode, _ what: String) throws(UnderstandingFault) -> String {
    guard let text = node.text, !text.isEmpty else {
      throw fault(node.position, .wrongShape(what: what, expected: "text"))
    }
    return text
  }

  private func whole(
    _ node: YAMLNode, _ key: String, _ what: String
  ) throws(UnderstandingFault) -> Int? {
    guard let value = node[key] else { return nil }
    guard let number = value.json.number, let whole = Int(exactly: number) else {
      throw fault(value.position, .wrongShape(what: "'\(key)' of \(what)", expected: "a whole number"))
    }
    return whole
  }

  private func truth(_ node: YAMLNode, _ key: String, _ what: String) throws(UnderstandingFault) -> Bool {
    guard let value = node[key] else { return true }
    guard let truth = value.json.bool else {
      throw fault(value.position, .wrongShape(what: "'\(key)' of \(what)", expected: "true or false"))
    }
    return truth
  }

  private func choice(
    _ node: YAMLNode, _ what: String, _ choices: [String]
  ) throws(UnderstandingFault) -> String {
    let value = try text(node, what)
    guard choices.contains(value) else {
      let suggestion = nearestName(to: value, among: choices)
      throw fault(
        node.position, .notOneOf(what: what, value: value, choices: choices, suggestion: suggestion))
    }
    return value
  }
}
