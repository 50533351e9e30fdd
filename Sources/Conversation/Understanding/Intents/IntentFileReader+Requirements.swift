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
        references.append(NameReference(kind: .list, name: name, node: list, intent: intent))
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
        references.append(NameReference(kind: .slot, name: name, node: other, intent: intent))
      }
    }
    rule.unlike = try other(node, "unlike", what, intent)
    rule.adds = try other(node, "adds", what, intent)
    rule.removes = try other(node, "removes", what, intent)
    return rule
  }

  /// Reads the slot that `key` refers to.
  private mutating func other(
    _ node: YAMLNode, _ key: String, _ what: String, _ intent: Int
  ) throws(IntentFileFault) -> String? {
    guard let value = node[key] else { return nil }
    let name = try text(value, "'\(key)' of \(what)")
    references.append(NameReference(kind: .slot, name: name, node: value, intent: intent))
    return name
  }

  /// Reads one text, or several in order of preference.
  func wordings(_ node: YAMLNode, _ what: String) throws(IntentFileFault) -> [ReplyTemplate] {
    var wordings: [ReplyTemplate] = []
    for text in node.sequence ?? [node] { wordings.append(try reply(text)) }
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

/// A name in the requirements of an intent, to be resolved when the whole file is read.
struct NameReference {
  enum Kind {
    case list
    /// A slot of the intent.
    case slot
    /// A context that some intent sets.
    case context
  }

  let kind: Kind
  let name: String
  let node: YAMLNode
  let intent: Int
}

/// Reads the requirements of an intent: `confirm`, `voice`, `context`, `fallback`.
extension IntentFileReader {
  static let requirementKeys = ["confirm", "voice", "context", "fallback"]

  mutating func requirements(
    _ node: YAMLNode, _ what: String, intent: Int
  ) throws(IntentFileFault) -> IntentRequirements {
    var requirements = IntentRequirements()
    if let confirm = node["confirm"] {
      requirements.confirmations = try wordings(confirm, "'confirm' of \(what)")
    }
    if let voice = node["voice"] { try self.speaker(voice, what, &requirements) }
    if let context = node["context"] { try self.context(context, what, intent: intent, &requirements) }
    requirements.isFallback = try flag(node, "fallback", what)
    return requirements
  }

  private func speaker(
    _ node: YAMLNode, _ intent: String, _ requirements: inout IntentRequirements
  ) throws(IntentFileFault) {
    let what = "'voice' of \(intent)"
    var who = node
    if node.mapping != nil {
      try check(node, what, ["who", "refusal"])
      guard let named = node["who"] else {
        throw fault(node.position, .missingKey(key: "who", within: what))
      }
      who = named
      if let refusal = node["refusal"] { requirements.refusal = try reply(refusal) }
    }
    if who.sequence == nil, try text(who, what) == "enrolled" {
      requirements.speaker = .enrolled
      return
    }
    var names: [String] = []
    for name in who.sequence ?? [who] { names.append(try text(name, "a name in \(what)")) }
    guard !names.isEmpty else {
      throw fault(who.position, .wrongShape(what: what, expected: "'enrolled', a name, or a list of names"))
    }
    requirements.speaker = .names(names)
  }

  private mutating func context(
    _ node: YAMLNode, _ intentName: String, intent: Int, _ requirements: inout IntentRequirements
  ) throws(IntentFileFault) {
    let what = "'context' of \(intentName)"
    try check(node, what, ["sets", "ends", "requires", "repeats"])
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
        NameReference(kind: .context, name: requirements.repeats ?? "", node: repeats, intent: intent))
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
      references.append(NameReference(kind: .context, name: name, node: item, intent: intent))
    }
    return names
  }

  private func grant(_ node: YAMLNode, _ what: String) throws(IntentFileFault) -> ContextGrant {
    guard node.mapping != nil else { return ContextGrant(name: try text(node, "'sets' of \(what)")) }
    try check(node, "'sets' of \(what)", ["name", "lifespan"])
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

  /// Rejects references to undefined lists, slots and contexts.
  func checkReferences(_ file: IntentFile) throws(IntentFileFault) {
    let contexts = file.intents.flatMap { $0.requirements.sets.map(\.name) }
    for reference in references {
      let (known, kind): ([String], String) =
        switch reference.kind {
        case .list: (Array(file.lists.keys), "list")
        case .slot: (file.slotNames(seenBy: reference.intent), "slot")
        case .context: (contexts, "context")
        }
      if known.contains(reference.name) { continue }
      let suggestion = nearestName(to: reference.name, among: known)
      throw fault(
        reference.node.position, .unknownName(kind: kind, name: reference.name, suggestion: suggestion))
    }
  }
}

extension IntentFile {
  /// The slots that the requirements of an intent may refer to: its own, and those of the intents that it repeats.
  fileprivate func slotNames(seenBy index: Int) -> [String] {
    let intent = intents[index]
    let repeated = intents.filter { other in
      other.requirements.sets.contains { $0.name == intent.requirements.repeats }
    }
    return ([intent] + repeated).flatMap { $0.slots.map(\.name) }
  }
}
