import Platform
import TextProcessing
import YAMLFormat

/// Reads the rules of the slots of an intent.
extension IntentFileReader {
  mutating func slotRules(
    _ node: YAMLNode, _ what: String, intent: Int
  ) throws(IntentFileFault) -> [SlotRule] {
    var rules: [SlotRule] = []
    for entry in try mapping(node, "'slots' of \(what)") {
      var rule = SlotRule(name: entry.key, position: entry.keyPosition)
      part(entry.value) { try $0.read($1, into: &rule, "the slot '\(entry.key)' of \(what)", intent) }
      rules.append(rule)
    }
    return rules
  }

  private mutating func read(
    _ node: YAMLNode, into rule: inout SlotRule, _ what: String, _ intent: Int
  ) throws(IntentFileFault) {
    if node.isNull { return }
    try check(node, what, .slot)
    if let list = node["list"] {
      let name = try text(list, "'list' of \(what)")
      rule.list = name
      if EntityKind(named: name) == nil {
        references.append(NameReference(kind: .list, name: name, position: list.position, intent: intent))
      }
    }
    if let type = node["type"] { rule.list = try entityKind(type, "'type' of \(what)").rawValue }
    rule.isRequired = try flag(node, "required", what)
    rule.isMany = try flag(node, "many", what)
    if let prompt = node["prompt"] {
      rule.prompts = try wordings(prompt, "'prompt' of \(what)", of: intent, besides: ["choices", "slot"])
    }
    if let choices = node["choices"] {
      rule.choices = try reply(choices, of: intent, besides: ["choices"])
    }
    if let reason = node["unsupported"] {
      rule.unsupported = try reply(reason, of: intent, besides: ["value"])
    }
    rule.from = try number(node, "from", what)
    rule.to = try number(node, "to", what)
    if let from = rule.from, let to = rule.to, from > to {
      throw fault(node.position, .badRange(list: rule.name, reason: .backwards))
    }
    if let answers = node["answers"] {
      rule.answers = try sentences(answers, "'answers' of \(what)")
    }
    if let others = node["unless"] {
      for other in others.sequence ?? [others] {
        let name = try text(other, "'unless' of \(what)")
        rule.unless.append(name)
        references.append(NameReference(kind: .slot, name: name, position: other.position, intent: intent))
      }
    }
    rule.unlike = try other(node, "unlike", what, intent)
    rule.adds = try other(node, "adds", what, intent)
    rule.removes = try other(node, "removes", what, intent)
  }

  /// Reads the slot that `key` refers to.
  private mutating func other(
    _ node: YAMLNode, _ key: String, _ what: String, _ intent: Int
  ) throws(IntentFileFault) -> String? {
    guard let value = node[key] else { return nil }
    let name = try text(value, "'\(key)' of \(what)")
    references.append(NameReference(kind: .slot, name: name, position: value.position, intent: intent))
    return name
  }

  /// Reads one text, or several in order of preference.
  mutating func wordings(
    _ node: YAMLNode, _ what: String, of intent: Int, besides own: [String] = []
  ) throws(IntentFileFault) -> [ReplyTemplate] {
    var wordings: [ReplyTemplate] = []
    for text in node.sequence ?? [node] { wordings.append(try reply(text, of: intent, besides: own)) }
    guard !wordings.isEmpty else {
      throw fault(node.position, .wrongShape(what: what, expected: "a text or a list of texts"))
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

/// Reads the requirements of an intent: `confirm`, `voice`, `context`, `fallback`.
extension IntentFileReader {
  mutating func requirements(_ node: YAMLNode, _ what: String, intent: Int) -> IntentRequirements {
    var requirements = IntentRequirements()
    part(node["confirm"]) {
      requirements.confirmations = try $0.wordings($1, "'confirm' of \(what)", of: intent)
    }
    part(node["voice"]) { try $0.speaker($1, what, intent: intent, &requirements) }
    part(node["context"]) { try $0.context($1, what, intent: intent, &requirements) }
    part(node["fallback"]) { reader, _ in
      requirements.isFallback = try reader.flag(node, "fallback", what)
    }
    return requirements
  }

  private mutating func speaker(
    _ node: YAMLNode, _ intentName: String, intent: Int, _ requirements: inout IntentRequirements
  ) throws(IntentFileFault) {
    let what = "'voice' of \(intentName)"
    var who = node
    if node.mapping != nil {
      try check(node, what, .voice)
      guard let named = node["who"] else {
        throw fault(node.position, .missingKey(key: "who", within: what))
      }
      who = named
      if let refusal = node["refusal"] {
        requirements.refusal = try reply(refusal, of: intent)
      }
    }
    if who.sequence == nil, try text(who, what) == "enrolled" {
      requirements.speaker = .enrolled
      voices.append(VoiceReference(name: nil, position: who.position))
      return
    }
    var names: [String] = []
    for node in who.sequence ?? [who] {
      let name = try text(node, "a name in \(what)")
      names.append(name)
      voices.append(VoiceReference(name: name, position: node.position))
    }
    guard !names.isEmpty else {
      throw fault(who.position, .wrongShape(what: what, expected: "'enrolled', a name, or a list of names"))
    }
    requirements.speaker = .names(names)
  }

  private mutating func context(
    _ node: YAMLNode, _ intentName: String, intent: Int, _ requirements: inout IntentRequirements
  ) throws(IntentFileFault) {
    let what = "'context' of \(intentName)"
    try check(node, what, .context)
    if let sets = node["sets"] {
      for grant in sets.sequence ?? [sets] { requirements.sets.append(try self.grant(grant, what)) }
    }
    if let ends = node["ends"] { requirements.ends = try contexts(ends, "'ends' of \(what)", intent) }
    if let requires = node["requires"] {
      requirements.requires = try contexts(requires, "'requires' of \(what)", intent)
    }
    if let repeats = node["repeats"] {
      requirements.repeats = try text(repeats, "'repeats' of \(what)")
      references.append(
        NameReference(
          kind: .context, name: requirements.repeats ?? "", position: repeats.position, intent: intent))
    }
  }

  /// Reads the name of a context, or several.
  private mutating func contexts(
    _ node: YAMLNode, _ what: String, _ intent: Int
  ) throws(IntentFileFault) -> [String] {
    var names: [String] = []
    for item in node.sequence ?? [node] {
      let name = try text(item, what)
      names.append(name)
      references.append(NameReference(kind: .context, name: name, position: item.position, intent: intent))
    }
    return names
  }

  private mutating func grant(_ node: YAMLNode, _ what: String) throws(IntentFileFault) -> ContextGrant {
    guard node.mapping != nil else { return ContextGrant(name: try text(node, "'sets' of \(what)")) }
    try check(node, "'sets' of \(what)", .contextGrant)
    guard let name = node["name"] else {
      throw fault(node.position, .missingKey(key: "name", within: "'sets' of \(what)"))
    }
    let lifespan = try whole(node, "lifespan", "'sets' of \(what)") ?? ContextGrant.standardLifespan
    guard (1...1_000).contains(lifespan) else {
      throw fault(
        node.position,
        .wrongShape(what: "'lifespan' of \(what)", expected: "a number of turns from 1 to 1000"))
    }
    return ContextGrant(name: try text(name, "'name' of \(what)"), lifespan: lifespan)
  }
}
