import Platform

/// What an intent says of its slots.
extension IntentFileReader {
  func slotRules(_ node: YAMLNode, _ what: String) throws(UnderstandingFault) -> [SlotRule] {
    var rules: [SlotRule] = []
    for entry in try mapping(node, "'slots' of \(what)") {
      rules.append(try slotRule(entry, "the slot '\(entry.key)' of \(what)"))
    }
    return rules
  }

  private func slotRule(_ entry: YAMLNode.Entry, _ what: String) throws(UnderstandingFault) -> SlotRule {
    var rule = SlotRule(name: entry.key, position: entry.keyPosition)
    if entry.value.isNull { return rule }
    try check(entry.value, what, ["list", "type", "many"])
    if let list = entry.value["list"] { rule.list = try text(list, "'list' of \(what)") }
    if let type = entry.value["type"] { rule.list = try entityKind(type, "'type' of \(what)").rawValue }
    if entry.value["many"] != nil { rule.isMany = try truth(entry.value, "many", what) }
    return rule
  }
}
