import Platform
import YAMLFormat

/// A name in the demands of an intent that must stand for something.
struct DemandReference {
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

/// What an intent asks for before it is carried out: `confirm`, `voice`, `context`, `fallback`.
extension IntentFileReader {
  static let demandKeys = ["confirm", "voice", "context", "fallback"]

  mutating func demands(
    _ node: YAMLNode, _ what: String, intent: Int
  ) throws(IntentFileFault) -> Demands {
    var demands = Demands()
    if let confirm = node["confirm"] { demands.confirmations = try wordings(confirm, "'confirm' of \(what)") }
    if let voice = node["voice"] { try self.voice(voice, what, &demands) }
    if let context = node["context"] { try self.context(context, what, intent: intent, &demands) }
    demands.isFallback = try flag(node, "fallback", what)
    return demands
  }

  private func voice(
    _ node: YAMLNode, _ intent: String, _ demands: inout Demands
  ) throws(IntentFileFault) {
    let what = "'voice' of \(intent)"
    var who = node
    if node.mapping != nil {
      try check(node, what, ["who", "refusal"])
      guard let named = node["who"] else {
        throw fault(node.position, .missingKey(key: "who", within: what))
      }
      who = named
      if let refusal = node["refusal"] { demands.refusal = try reply(refusal) }
    }
    if who.sequence == nil, try text(who, what) == "enrolled" {
      demands.voice = .enrolled
      return
    }
    var names: [String] = []
    for name in who.sequence ?? [who] { names.append(try text(name, "a name in \(what)")) }
    guard !names.isEmpty else {
      throw fault(who.position, .wrongShape(what: what, expected: "'enrolled', a name, or a list of names"))
    }
    demands.voice = .names(names)
  }

  private mutating func context(
    _ node: YAMLNode, _ intentName: String, intent: Int, _ demands: inout Demands
  ) throws(IntentFileFault) {
    let what = "'context' of \(intentName)"
    try check(node, what, ["sets", "ends", "requires", "repeats"])
    if let sets = node["sets"] {
      for grant in sets.sequence ?? [sets] { demands.sets.append(try self.grant(grant, what)) }
    }
    if let ends = node["ends"] { demands.ends = try contexts(ends, "'ends' of \(what)", intent) }
    if let requires = node["requires"] {
      demands.requires = try contexts(requires, "'requires' of \(what)", intent)
    }
    if let repeats = node["repeats"] {
      demands.repeats = try text(repeats, "'repeats' of \(what)")
      references.append(
        DemandReference(kind: .context, name: demands.repeats ?? "", node: repeats, intent: intent))
    }
  }

  /// The context or contexts that `node` names.
  private mutating func contexts(
    _ node: YAMLNode, _ what: String, _ intent: Int
  ) throws(IntentFileFault) -> [String] {
    var names: [String] = []
    for item in node.sequence ?? [node] {
      let name = try text(item, what)
      names.append(name)
      references.append(DemandReference(kind: .context, name: name, node: item, intent: intent))
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

  /// Refuses names that stand for nothing.
  func checkDemands(_ file: IntentFile) throws(IntentFileFault) {
    let contexts = file.intents.flatMap { $0.demands.sets.map(\.name) }
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
  /// The slots that the demands of an intent may name: its own, and those of the intents that it repeats.
  fileprivate func slotNames(seenBy index: Int) -> [String] {
    let intent = intents[index]
    let repeated = intents.filter { other in
      other.demands.sets.contains { $0.name == intent.demands.repeats }
    }
    return ([intent] + repeated).flatMap { $0.slots.map(\.name) }
  }
}
