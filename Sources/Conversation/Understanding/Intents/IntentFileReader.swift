import Platform
import YAMLFormat

/// Turns a YAML tree into an ``IntentFile``; an unknown key is a fault with its line and column.
struct IntentFileReader {
  let file: String
  var replyKeys: [(node: YAMLNode, intent: Int, block: Int)] = []
  /// The names that the requirements of intents refer to, checked when the whole file is read.
  var references: [NameReference] = []
  /// The voices that the requirements of intents refer to.
  var voices: [VoiceReference] = []

  init(file: String) { self.file = file }

  mutating func read(_ root: YAMLNode) throws(IntentFileFault) -> IntentFile {
    if root.isNull { throw fault(root.position, .empty) }
    try check(root, "the intent file", .file)
    guard let language = root["language"] else {
      throw fault(root.position, .missingKey(key: "language", within: "the intent file"))
    }
    guard let intents = root["intents"] else {
      throw fault(root.position, .missingKey(key: "intents", within: "the intent file"))
    }
    var result = IntentFile(name: file, language: try text(language, "'language'"))
    if let node = root["lists"] { result.lists = try lists(node) }
    if let node = root["expansion_rules"] { result.rules = try rules(node) }
    if let node = root["vocabulary"] { result.vocabulary = try vocabulary(node) }
    if let node = root["recognizer"] { result.recognizer = try recognizer(node) }
    if let node = root["skip_words"] {
      for word in try sequence(node, "'skip_words'") {
        result.skipWords.append(try text(word, "a skip word"))
      }
    }
    for entry in try mapping(intents, "'intents'") {
      result.intents.append(try intent(entry, index: result.intents.count))
    }
    if let node = root["responses"] { result.replies = try replies(node, result) }
    if let node = root["client_responses"] { try addClientReplies(node, to: &result) }
    try attachReplies(&result)
    if let node = root["rooms"] {
      for entry in try mapping(node, "'rooms'") {
        result.rooms[entry.key] = try text(entry.value, "the room of '\(entry.key)'")
      }
    }
    if let node = root["dialogue"] { result.dialogue = try dialogue(node, over: DialogueWords.standard()) }
    if let node = root["traits"] { result.traits = try traits(node) }
    try checkReferences(result)
    result.voices = voices
    try result.completeLists()
    return result
  }

  mutating func intent(_ entry: YAMLNode.Entry, index: Int) throws(IntentFileFault) -> Intent {
    let what = "the intent '\(entry.key)'"
    try check(entry.value, what, .intent)
    var intent = Intent(name: entry.key, blocks: [])
    intent.requirements = try requirements(entry.value, what, intent: index)
    guard entry.value["data"] != nil || entry.value["examples"] != nil || intent.requirements.isFallback
    else {
      throw fault(entry.value.position, .missingKey(key: "data", within: what))
    }
    if let data = entry.value["data"] {
      for node in try sequence(data, "'data' of \(what)") {
        intent.blocks.append(try block(node, what, intent: index, index: intent.blocks.count))
      }
    }
    intent.requireContexts()
    if let node = entry.value["slots"] { intent.slots = try slotRules(node, what, intent: index) }
    if let node = entry.value["examples"] { intent.examples = try examples(node, what) }
    return intent
  }

  mutating func block(
    _ node: YAMLNode, _ what: String, intent: Int, index: Int
  ) throws(IntentFileFault) -> SentenceBlock {
    try check(node, "'data' of \(what)", .sentences)
    guard let sentences = node["sentences"] else {
      throw fault(node.position, .missingKey(key: "sentences", within: "'data' of \(what)"))
    }
    var block = SentenceBlock()
    for sentence in try sequence(sentences, "'sentences'") { block.sentences.append(try rule(sentence)) }
    if let slots = node["slots"] {
      block.slots = try mapping(slots, "'slots'").map { JSON.Member($0.key, $0.value.json) }
    }
    if node["speech"] != nil { block.isSpoken = try truth(node, "speech", "'data' of \(what)") }
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

  func contextRules(_ node: YAMLNode) throws(IntentFileFault) -> [ContextRule] {
    var rules: [ContextRule] = []
    for entry in try mapping(node, "the context") {
      var value: YAMLNode? = entry.value
      var slot: String?
      if entry.value.mapping != nil {
        try check(entry.value, "the context '\(entry.key)'", .contextRule)
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
}

/// Reads values of the expected shape; other values are faults.
extension IntentFileReader {
  /// Parses `bytes` as YAML.
  static func tree(of bytes: [UInt8], file: String) throws(IntentFileFault) -> YAMLNode {
    do throws(YAMLFault) {
      return try YAMLReader.read(bytes, file: file)
    } catch {
      let problem = error.problem == .empty ? .empty : IntentFileProblem.yaml(error.problem)
      throw .invalid(file: file, position: error.position, problem: problem)
    }
  }

  func fault(_ position: SourcePosition, _ problem: IntentFileProblem) -> IntentFileFault {
    .invalid(file: file, position: position, problem: problem)
  }

  func check(_ node: YAMLNode, _ what: String, _ keys: IntentFileKeys) throws(IntentFileFault) {
    for entry in try mapping(node, what) where !keys.names.contains(entry.key) {
      let suggestion = nearestName(to: entry.key, among: keys.names)
      throw fault(entry.keyPosition, .unknownKey(key: entry.key, within: what, suggestion: suggestion))
    }
  }

  func mapping(_ node: YAMLNode, _ what: String) throws(IntentFileFault) -> [YAMLNode.Entry] {
    guard let entries = node.mapping else {
      throw fault(node.position, .wrongShape(what: what, expected: "a mapping of keys to values"))
    }
    return entries
  }

  func sequence(_ node: YAMLNode, _ what: String) throws(IntentFileFault) -> [YAMLNode] {
    guard let items = node.sequence else {
      throw fault(node.position, .wrongShape(what: what, expected: "a list of items that begin with '- '"))
    }
    return items
  }

  func text(_ node: YAMLNode, _ what: String) throws(IntentFileFault) -> String {
    guard let text = node.text, !text.isEmpty else {
      throw fault(node.position, .wrongShape(what: what, expected: "text"))
    }
    return text
  }

  func whole(
    _ node: YAMLNode, _ key: String, _ what: String
  ) throws(IntentFileFault) -> Int? {
    guard let value = node[key] else { return nil }
    guard let number = value.json.number, let whole = Int(exactly: number) else {
      throw fault(value.position, .wrongShape(what: "'\(key)' of \(what)", expected: "a whole number"))
    }
    return whole
  }

  func truth(_ node: YAMLNode, _ key: String, _ what: String) throws(IntentFileFault) -> Bool {
    guard let value = node[key] else { return true }
    guard let truth = value.json.bool else {
      throw fault(value.position, .wrongShape(what: "'\(key)' of \(what)", expected: "true or false"))
    }
    return truth
  }

  func choice(
    _ node: YAMLNode, _ what: String, _ choices: [String]
  ) throws(IntentFileFault) -> String {
    let value = try text(node, what)
    guard choices.contains(value) else {
      let suggestion = nearestName(to: value, among: choices)
      throw fault(
        node.position, .notOneOf(what: what, value: value, choices: choices, suggestion: suggestion))
    }
    return value
  }
}
