import Platform
import TextProcessing
import YAMLFormat

/// What an intent says of its slots.
extension IntentFileReader {
  mutating func slotRules(
    _ node: YAMLNode, _ what: String, intent: Int
  ) throws(IntentFileFault) -> [SlotRule] {
    var rules: [SlotRule] = []
    for entry in try mapping(node, "'slots' of \(what)") {
      rules.append(try slotRule(entry, "the slot '\(entry.key)' of \(what)", intent))
    }
    return rules
  }

  private mutating func slotRule(
    _ entry: YAMLNode.Entry, _ what: String, _ intent: Int
  ) throws(IntentFileFault) -> SlotRule {
    var rule = SlotRule(name: entry.key, position: entry.keyPosition)
    let node = entry.value
    if node.isNull { return rule }
    try check(
      node, what,
      [
        "list", "type", "required", "unless", "many", "prompt", "choices", "from", "to", "unlike",
        "unsupported", "adds", "removes", "answers", "description",
      ])
    if let list = node["list"] {
      let name = try text(list, "'list' of \(what)")
      rule.list = name
      if EntityKind(named: name) == nil {
        references.append(DemandReference(kind: .list, name: name, node: list, intent: intent))
      }
    }
    if let type = node["type"] { rule.list = try entityKind(type, "'type' of \(what)").rawValue }
    rule.isRequired = try flag(node, "required", what)
    rule.isMany = try flag(node, "many", what)
    if let prompt = node["prompt"] { rule.prompts = try wordings(prompt, "'prompt' of \(what)") }
    if let choices = node["choices"] { rule.choices = try reply(choices) }
    if let reason = node["unsupported"] { rule.unsupported = try reply(reason) }
    rule.from = try number(node, "from", what)
    rule.to = try number(node, "to", what)
    if let from = rule.from, let to = rule.to, from > to {
      throw fault(node.position, .badRange(list: entry.key, reason: .backwards))
    }
    if let answers = node["answers"] {
      for answer in try sequence(answers, "'answers' of \(what)") {
        rule.answers.append(try self.rule(answer))
      }
    }
    if let others = node["unless"] {
      for other in others.sequence ?? [others] {
        let name = try text(other, "'unless' of \(what)")
        rule.unless.append(name)
        references.append(DemandReference(kind: .slot, name: name, node: other, intent: intent))
      }
    }
    rule.unlike = try other(node, "unlike", what, intent)
    rule.adds = try other(node, "adds", what, intent)
    rule.removes = try other(node, "removes", what, intent)
    return rule
  }

  /// The slot that `key` names.
  private mutating func other(
    _ node: YAMLNode, _ key: String, _ what: String, _ intent: Int
  ) throws(IntentFileFault) -> String? {
    guard let value = node[key] else { return nil }
    let name = try text(value, "'\(key)' of \(what)")
    references.append(DemandReference(kind: .slot, name: name, node: value, intent: intent))
    return name
  }

  /// One text, or several in order of preference.
  func wordings(_ node: YAMLNode, _ what: String) throws(IntentFileFault) -> [ReplyTemplate] {
    var wordings: [ReplyTemplate] = []
    for text in node.sequence ?? [node] { wordings.append(try reply(text)) }
    guard !wordings.isEmpty else {
      throw fault(node.position, .wrongShape(what: what, expected: "a text or several"))
    }
    return wordings
  }

  func flag(_ node: YAMLNode, _ key: String, _ what: String) throws(IntentFileFault) -> Bool {
    node[key] == nil ? false : try truth(node, key, what)
  }

  func number(_ node: YAMLNode, _ key: String, _ what: String) throws(IntentFileFault) -> Double? {
    guard let value = node[key] else { return nil }
    guard let number = value.json.number, abs(number) <= 1e9 else {
      throw fault(value.position, .wrongShape(what: "'\(key)' of \(what)", expected: "a number"))
    }
    return number
  }
}
