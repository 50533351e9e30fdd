import Platform
import YAMLFormat

/// Turns a YAML tree into an ``IntentFile``, and finds all its faults with their lines and columns.
struct IntentFileReader {
  /// How many faults are kept.
  static let faultLimit = 100

  let file: String
  /// The faults of the parts that could not be read.
  private(set) var faults: [IntentFileFault] = []
  var replyKeys: [(node: YAMLNode, intent: Int, block: Int)] = []
  /// The names that the requirements of intents refer to, checked when the whole file is read.
  var references: [NameReference] = []
  /// The voices that the requirements of intents refer to.
  var voices: [VoiceReference] = []

  init(file: String) { self.file = file }

  /// Reads the file as far as possible: it is complete if there are no ``faults``.
  mutating func read(_ root: YAMLNode) -> IntentFile {
    var result = IntentFile(name: file, language: "")
    part(root) { try $0.read($1, into: &result) }
    return result
  }

  private mutating func read(_ root: YAMLNode, into result: inout IntentFile) throws(IntentFileFault) {
    if root.isNull { throw fault(root.position, .empty) }
    try check(root, "the intent file", .file)
    for key in ["language", "intents"] where root[key] == nil {
      add(fault(root.position, .missingKey(key: key, within: "the intent file")))
    }
    part(root["language"]) { result.language = try $0.text($1, "'language'") }
    part(root["lists"]) { result.lists = try $0.lists($1) }
    part(root["expansion_rules"]) { result.rules = try $0.rules($1) }
    part(root["vocabulary"]) { result.vocabulary = try $0.vocabulary($1) }
    part(root["recognizer"]) { result.recognizer = try $0.recognizer($1) }
    part(root["skip_words"]) { reader, node in
      for word in try reader.sequence(node, "'skip_words'") {
        result.skipWords.append(try reader.text(word, "a skip word"))
      }
    }
    part(root["intents"]) { reader, node in
      for entry in try reader.mapping(node, "'intents'") {
        let intent = reader.intent(entry, index: result.intents.count)
        result.intents.append(intent)
      }
    }
    part(root["responses"]) { result.replies = try $0.replies($1, result) }
    part(root["client_responses"]) { try $0.addClientReplies($1, to: &result) }
    attachReplies(&result)
    part(root["rooms"]) { reader, node in
      for entry in try reader.mapping(node, "'rooms'") {
        result.rooms[entry.key] = try reader.text(entry.value, "the room of '\(entry.key)'")
      }
    }
    part(root["room_ids"]) { reader, node in
      for entry in try reader.mapping(node, "'room_ids'") {
        result.roomIdentifiers[entry.key] = try reader.text(entry.value, "the room of '\(entry.key)'")
      }
    }
    part(root["dialogue"]) { result.dialogue = try $0.dialogue($1, over: DialogueWords.standard()) }
    part(root["traits"]) { result.traits = try $0.traits($1) }
    // What the other parts refer to is known only if all of them could be read.
    if faults.isEmpty { checkReferences(result) }
    result.voices = voices
    for fault in result.completeLists() { add(fault) }
  }

  /// Calls `read` with `node` if there is one; keeps a fault, so that those of other parts are found too.
  mutating func part(
    _ node: YAMLNode?, _ read: (inout Self, YAMLNode) throws -> Void
  ) {
    guard let node else { return }
    do {
      try read(&self, node)
    } catch let fault as IntentFileFault {
      add(fault)
    } catch {
      fatalError("unexpected fault: \(error)")
    }
  }

  /// Keeps a fault, unless it follows from another one.
  mutating func add(_ fault: IntentFileFault) {
    switch fault {
    case .invalid(_, _, .missingKey(let key, let within)) where isMistyped(key, within): return
    case .invalid(_, _, .listKind(let list))
    where ["values", "range", "wildcard", "type"].contains { isMistyped($0, "the list '\(list)'") }:
      return
    default: break
    }
    if faults.count < Self.faultLimit, !faults.contains(fault) { faults.append(fault) }
  }

  /// Whether a key has been read that probably means `key`.
  private func isMistyped(_ key: String, _ within: String) -> Bool {
    faults.contains {
      guard case .invalid(_, _, .unknownKey(_, within, key)) = $0 else { return false }
      return true
    }
  }

  private mutating func intent(_ entry: YAMLNode.Entry, index: Int) -> Intent {
    var intent = Intent(name: entry.key, blocks: [])
    part(entry.value) { try $0.read($1, into: &intent, index: index) }
    return intent
  }

  private mutating func read(
    _ node: YAMLNode, into intent: inout Intent, index: Int
  ) throws(IntentFileFault) {
    let what = "the intent '\(intent.name)'"
    try check(node, what, .intent)
    intent.requirements = requirements(node, what, intent: index)
    if node["data"] == nil, node["examples"] == nil, !intent.requirements.isFallback {
      add(fault(node.position, .missingKey(key: "data", within: what)))
    }
    part(node["data"]) { reader, data in
      let groups = try reader.sequence(data, "'data' of \(what)")
      if groups.isEmpty {
        throw reader.fault(
          data.position,
          .wrongShape(what: "'data' of \(what)", expected: "a list with at least one group of sentences"))
      }
      for node in groups {
        let number = intent.blocks.count
        intent.blocks.append(SentenceBlock())
        reader.part(node) {
          try $0.read($1, into: &intent.blocks[number], what, intent: index, index: number)
        }
      }
    }
    intent.requireContexts()
    part(node["slots"]) { intent.slots = try $0.slotRules($1, what, intent: index) }
    part(node["examples"]) { intent.examples = try $0.examples($1, what) }
  }

  private mutating func read(
    _ node: YAMLNode, into block: inout SentenceBlock, _ what: String, intent: Int, index: Int
  ) throws(IntentFileFault) {
    try check(node, "'data' of \(what)", .sentences)
    if node["sentences"] == nil {
      add(fault(node.position, .missingKey(key: "sentences", within: "'data' of \(what)")))
    }
    part(node["sentences"]) { reader, sentences in
      block.sentences = try reader.sentences(sentences, "'sentences'")
      if sentences.sequence?.isEmpty ?? false {
        throw reader.fault(
          sentences.position,
          .wrongShape(what: "'sentences' of \(what)", expected: "a list with at least one sentence"))
      }
    }
    part(node["slots"]) {
      block.slots = try $0.mapping($1, "'slots'").map { JSON.Member($0.key, $0.value.json) }
    }
    part(node["speech"]) { reader, _ in
      block.isSpoken = try reader.truth(node, "speech", "'data' of \(what)")
    }
    part(node["requires_context"]) { block.required = try $0.contextRules($1) }
    part(node["excludes_context"]) { block.excluded = try $0.contextRules($1) }
    part(node["expansion_rules"]) { block.rules = try $0.rules($1) }
    part(node["lists"]) { block.lists = try $0.lists($1) }
    part(node["required_keywords"]) { reader, keywords in
      for word in try reader.sequence(keywords, "'required_keywords'") {
        block.keywords.insert(try reader.text(word, "a keyword").lowercased())
      }
    }
    if let response = node["response"] { replyKeys.append((response, intent, index)) }
  }

  private mutating func contextRules(_ node: YAMLNode) throws(IntentFileFault) -> [ContextRule] {
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

  /// Requires that `node` is a mapping, and keeps its unknown keys as faults.
  mutating func check(
    _ node: YAMLNode, _ what: String, _ keys: IntentFileKeys
  ) throws(IntentFileFault) {
    for entry in try mapping(node, what) where !keys.names.contains(entry.key) {
      let suggestion = nearestName(to: entry.key, among: keys.names)
      add(fault(entry.keyPosition, .unknownKey(key: entry.key, within: what, suggestion: suggestion)))
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
