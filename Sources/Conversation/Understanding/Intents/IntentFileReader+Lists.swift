import Platform
import TextProcessing
import YAMLFormat

/// Reads expansion rules, lists and their values.
extension IntentFileReader {
  mutating func rules(_ node: YAMLNode) throws(IntentFileFault) -> [String: Rule] {
    var rules: [String: Rule] = [:]
    for entry in try mapping(node, "'expansion_rules'") {
      rules[entry.key] = Rule(template: .text(""), node: entry.value)
      part(entry.value) { rules[entry.key] = try $0.rule($1) }
    }
    return rules
  }

  mutating func sentences(_ node: YAMLNode, _ what: String) throws(IntentFileFault) -> [Rule] {
    var sentences: [Rule] = []
    for sentence in try sequence(node, what) {
      part(sentence) { sentences.append(try $0.rule($1)) }
    }
    return sentences
  }

  func rule(_ node: YAMLNode) throws(IntentFileFault) -> Rule {
    let text = try text(node, "a sentence")
    do throws(TemplateParser.Failure) {
      return Rule(template: try TemplateParser.parse(text), node: node)
    } catch {
      throw fault(node.position(ofCharacter: error.offset), .template(error.problem))
    }
  }

  mutating func lists(_ node: YAMLNode) throws(IntentFileFault) -> [String: SlotList] {
    var lists: [String: SlotList] = [:]
    for entry in try mapping(node, "'lists'") {
      lists[entry.key] = SlotList(name: entry.key, kind: .wildcard, position: entry.value.position)
      part(entry.value) { reader, _ in lists[entry.key] = try reader.list(entry) }
    }
    return lists
  }

  private mutating func list(_ entry: YAMLNode.Entry) throws(IntentFileFault) -> SlotList {
    let what = "the list '\(entry.key)'"
    try check(entry.value, what, .list)
    let kinds = (entry.value.mapping ?? []).filter {
      ["values", "range", "wildcard", "type"].contains($0.key)
    }
    guard kinds.count == 1, let kind = kinds.first else {
      throw fault(entry.value.position, .listKind(list: entry.key))
    }
    switch kind.key {
    case "values":
      var values: [SlotList.Value] = []
      for node in try sequence(kind.value, "'values' of \(what)") {
        part(node) { values += try $0.values($1, what) }
      }
      var list = SlotList(name: entry.key, kind: .values(values), position: entry.value.position)
      if entry.value["plurals"] != nil { list.hasPlurals = try truth(entry.value, "plurals", what) }
      if entry.value["names"] != nil { list.hasNames = try truth(entry.value, "names", what) }
      if let reply = entry.value["unknown"] {
        list.unknownReply = try self.reply(reply, naming: DialogueWords.Reply.unknown.placeholders)
      }
      return list
    case "range":
      let range = try range(kind.value, entry.key)
      return SlotList(name: entry.key, kind: .range(range), position: entry.value.position)
    case "type":
      let kind = try entityKind(kind.value, "'type' of \(what)")
      return SlotList(name: entry.key, kind: .entity(kind), position: entry.value.position)
    default:
      guard kind.value.json == .bool(true) else {
        throw fault(kind.value.position, .listKind(list: entry.key))
      }
      return SlotList(name: entry.key, kind: .wildcard, position: entry.value.position)
    }
  }

  /// Reads a value and its synonyms.
  private mutating func values(_ node: YAMLNode, _ what: String) throws(IntentFileFault) -> [SlotList.Value] {
    let first = try value(node, what)
    guard let synonyms = node["synonyms"] else { return [first] }
    let spelled = node["in"]?.text.flatMap { TemplateParser.isTemplate($0) ? nil : JSON.string($0) }
    guard let meant = first.value ?? spelled else {
      throw fault(node.position, .missingKey(key: "out", within: "a value of \(what) with synonyms"))
    }
    var values = [SlotList.Value(said: first.said, value: meant, context: first.context)]
    for synonym in try sequence(synonyms, "'synonyms' of \(what)") {
      values.append(SlotList.Value(said: try rule(synonym), value: meant, context: first.context))
    }
    return values
  }

  private mutating func value(_ node: YAMLNode, _ what: String) throws(IntentFileFault) -> SlotList.Value {
    guard node.mapping != nil else {
      let said = try rule(node)
      let isPlain = node.text.map { !TemplateParser.isTemplate($0) } ?? false
      return SlotList.Value(
        said: said, value: isPlain ? node.text.map(JSON.string) : nil, context: [])
    }
    try check(node, "a value of \(what)", .value)
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

  private mutating func range(_ node: YAMLNode, _ list: String) throws(IntentFileFault) -> NumberRange {
    let what = "the range of '\(list)'"
    try check(node, what, .range)
    guard let from = try whole(node, "from", what), let to = try whole(node, "to", what) else {
      let key = node["from"] == nil ? "from" : "to"
      throw fault(node.position, .missingKey(key: key, within: what))
    }
    func bad(_ reason: IntentFileProblem.RangeReason) -> IntentFileFault {
      fault(node.position, .badRange(list: list, reason: reason))
    }
    var range = NumberRange(from: from, to: to)
    range.step = try whole(node, "step", what) ?? 1
    if let reason = NumberRange.fault(from: from, to: to, step: range.step) { throw bad(reason) }
    if let type = node["type"] {
      _ = try choice(type, "'type' of \(what)", ["number", "percentage", "temperature"])
    }
    if let multiplier = node["multiplier"] {
      guard let number = multiplier.json.number, abs(number) <= 1e9 else {
        let expected = "a number within ±1000000000"
        throw fault(multiplier.position, .wrongShape(what: "'multiplier' of \(what)", expected: expected))
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
}

/// Reads annotated example sentences.
extension IntentFileReader {
  mutating func examples(_ node: YAMLNode, _ what: String) throws(IntentFileFault) -> [Example] {
    var examples: [Example] = []
    for item in try sequence(node, "'examples' of \(what)") {
      part(item) { examples.append(try $0.example($1)) }
    }
    return examples
  }

  private func example(_ node: YAMLNode) throws(IntentFileFault) -> Example {
    let annotated = try text(node, "an example")
    do throws(AnnotatedSentence.Failure) {
      return Example(sentence: try AnnotatedSentence(annotated), node: node)
    } catch {
      throw fault(node.position(ofCharacter: error.offset), .example(error.problem))
    }
  }

  /// Reads the name of a built-in entity.
  func entityKind(_ node: YAMLNode, _ what: String) throws(IntentFileFault) -> EntityKind {
    let name = try text(node, what)
    if let kind = EntityKind(named: name) { return kind }
    let kinds = EntityKind.allCases.map(\.rawValue)
    let suggestion = nearestName(to: name, among: kinds)
    throw fault(node.position, .notOneOf(what: what, value: name, choices: kinds, suggestion: suggestion))
  }
}

extension IntentFileReader {
  /// Reads `recognizer`: only a built-in one, because others send audio to servers or run commands.
  func recognizer(_ node: YAMLNode) throws(IntentFileFault) -> String {
    let name = try text(node, "'recognizer'")
    guard ["combined", "builtin", "pocketsphinx"].contains(name) else {
      throw fault(
        node.position, .wrongShape(what: "'recognizer'", expected: "combined, builtin or pocketsphinx"))
    }
    return name
  }

  /// Reads `vocabulary`: words with one pronunciation hint or a list of them, or the path of a file of such words,
  /// relative to the intent file.
  func vocabulary(_ node: YAMLNode) throws(IntentFileFault) -> [String: [String]] {
    guard let path = node.text else { return try hints(node) }
    let folder = file.lastIndex(of: "/").map { String(file[...$0]) } ?? ""
    let place = path.hasPrefix("/") ? path : folder + path
    guard !Files.isSpecial(place) else {
      throw fault(
        node.position, .wrongShape(what: "'vocabulary'", expected: "words, or the path of a regular file"))
    }
    let bytes: [UInt8]
    do throws(SystemFault) {
      bytes = try Files.read(place, limit: YAMLReader.byteLimit)
    } catch {
      throw .unreadable(error)
    }
    return try IntentFileReader(file: place).hints(Self.tree(of: bytes, file: place))
  }

  private func hints(_ node: YAMLNode) throws(IntentFileFault) -> [String: [String]] {
    var hints: [String: [String]] = [:]
    for entry in try mapping(node, "'vocabulary'") {
      let what = "how '\(entry.key)' is said"
      let nodes = entry.value.text == nil ? try sequence(entry.value, what) : [entry.value]
      for node in nodes {
        let hint = try text(node, what)
        do throws(PronunciationDefect) {
          _ = try Pronunciation.phones(hint: hint)
        } catch {
          throw fault(
            node.position(ofCharacter: error.offset),
            .badPronunciation(word: entry.key, hint: hint, defect: error))
        }
        hints[entry.key.lowercased(), default: []].append(hint)
      }
    }
    return hints
  }
}

/// Reads the traits to determine for a text.
extension IntentFileReader {
  static let sentenceLimit = 5_000
  static let classLimit = 100
  static let keywordLimit = 100

  mutating func traits(_ node: YAMLNode) throws(IntentFileFault) -> [TraitRule] {
    var traits: [TraitRule] = []
    for entry in try mapping(node, "'traits'") {
      part(entry.value) { reader, _ in
        traits.append(TraitRule(name: entry.key, kind: try reader.traitKind(entry)))
      }
    }
    return traits
  }

  private mutating func traitKind(_ entry: YAMLNode.Entry) throws(IntentFileFault) -> TraitRule.Kind {
    let what = "the trait '\(entry.key)'"
    let node = entry.value
    try check(node, what, .trait)
    let kinds = (node.mapping ?? []).filter { $0.key != "corpus" }
    guard kinds.count == 1, let kind = kinds.first, node["corpus"] == nil || kind.key == "keywords" else {
      throw fault(node.position, .traitKind(trait: entry.key))
    }
    switch kind.key {
    case "language":
      guard kind.value.json == .bool(true) else { throw fault(node.position, .traitKind(trait: entry.key)) }
      return .language
    case "keywords":
      guard let limit = try whole(node, "keywords", what), (1...Self.keywordLimit).contains(limit) else {
        throw fault(
          kind.value.position,
          .wrongShape(what: "'keywords' of \(what)", expected: "a number from 1 to \(Self.keywordLimit)"))
      }
      return .keywords(limit: limit, corpus: try node["corpus"].map(sentences) ?? [])
    default: return .classes(try classes(kind.value, entry.key))
    }
  }

  private func classes(
    _ node: YAMLNode, _ trait: String
  ) throws(IntentFileFault) -> [(name: String, sentences: [String])] {
    var classes: [(name: String, sentences: [String])] = []
    for entry in try mapping(node, "'classes' of the trait '\(trait)'") {
      let sentences = try sentences(entry.value)
      guard !sentences.isEmpty else { throw fault(entry.keyPosition, .tooFewClasses(trait: trait)) }
      classes.append((entry.key, sentences))
      guard classes.count <= Self.classLimit else {
        throw fault(entry.keyPosition, .tooManyLearned(limit: Self.classLimit))
      }
    }
    guard classes.count > 1 else { throw fault(node.position, .tooFewClasses(trait: trait)) }
    return classes
  }

  private func sentences(_ node: YAMLNode) throws(IntentFileFault) -> [String] {
    var sentences: [String] = []
    for item in try sequence(node, "the sentences") {
      sentences.append(try text(item, "a sentence"))
      guard sentences.count <= Self.sentenceLimit else {
        throw fault(item.position, .tooManyExamples(limit: Self.sentenceLimit))
      }
    }
    return sentences
  }
}
