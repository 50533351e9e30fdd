import Platform
import YAMLFormat

/// Expansion rules, lists and their values.
extension IntentFileReader {
  func rules(_ node: YAMLNode) throws(IntentFileFault) -> [String: Rule] {
    var rules: [String: Rule] = [:]
    for entry in try mapping(node, "'expansion_rules'") { rules[entry.key] = try rule(entry.value) }
    return rules
  }

  func rule(_ node: YAMLNode) throws(IntentFileFault) -> Rule {
    let text = try text(node, "a sentence")
    do throws(TemplateParser.Failure) {
      return Rule(template: try TemplateParser.parse(text), node: node)
    } catch {
      throw fault(node.position(ofCharacter: error.offset), .template(error.problem))
    }
  }

  func lists(_ node: YAMLNode) throws(IntentFileFault) -> [String: SlotList] {
    var lists: [String: SlotList] = [:]
    for entry in try mapping(node, "'lists'") { lists[entry.key] = try list(entry) }
    return lists
  }

  func list(_ entry: YAMLNode.Entry) throws(IntentFileFault) -> SlotList {
    let what = "the list '\(entry.key)'"
    try check(entry.value, what, ["values", "range", "wildcard", "type", "plurals", "metadata"])
    let kinds = (entry.value.mapping ?? []).filter {
      ["values", "range", "wildcard", "type"].contains($0.key)
    }
    guard kinds.count == 1, let kind = kinds.first else {
      throw fault(entry.value.position, .listKind(list: entry.key))
    }
    switch kind.key {
    case "values":
      var values: [SlotList.Value] = []
      for node in try sequence(kind.value, "'values' of \(what)") { values += try self.values(node, what) }
      var list = SlotList(name: entry.key, kind: .values(values), position: entry.value.position)
      if entry.value["plurals"] != nil { list.hasPlurals = try truth(entry.value, "plurals", what) }
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

  /// A value and its synonyms.
  private func values(_ node: YAMLNode, _ what: String) throws(IntentFileFault) -> [SlotList.Value] {
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

  private func value(_ node: YAMLNode, _ what: String) throws(IntentFileFault) -> SlotList.Value {
    guard node.mapping != nil else {
      let said = try rule(node)
      let isPlain = node.text.map { !TemplateParser.isTemplate($0) } ?? false
      return SlotList.Value(
        said: said, value: isPlain ? node.text.map(JSON.string) : nil, context: [])
    }
    try check(node, "a value of \(what)", ["in", "out", "synonyms", "context", "metadata"])
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

  func range(_ node: YAMLNode, _ list: String) throws(IntentFileFault) -> NumberRange {
    let what = "the range of '\(list)'"
    try check(
      node, what,
      ["from", "to", "step", "type", "multiplier", "fractions", "digits", "words", "words_language"])
    guard let from = try whole(node, "from", what), let to = try whole(node, "to", what) else {
      let key = node["from"] == nil ? "from" : "to"
      throw fault(node.position, .missingKey(key: key, within: what))
    }
    func bad(_ reason: IntentFileProblem.RangeReason) -> IntentFileFault {
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
}
