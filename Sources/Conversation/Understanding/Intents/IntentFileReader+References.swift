import Platform
import YAMLFormat

/// A name in an intent file, to be resolved when the whole file is read.
struct NameReference {
  enum Kind {
    case list
    /// A slot that the intent, or one that it repeats, declares under `slots`.
    case slot
    /// A slot that can have a value.
    case filledSlot
    /// A slot that can have a value, or the words of `{list:@name}`.
    case responseSlot
    /// A context that some intent sets.
    case context
  }

  let kind: Kind
  let name: String
  let position: SourcePosition
  let intent: Int
}

/// Checks names across the whole file.
extension IntentFileReader {
  /// Finds references to undefined lists, slots and contexts.
  mutating func checkReferences(_ file: IntentFile) {
    let contexts = file.intents.flatMap { $0.requirements.sets.map(\.name) }
    let filled = file.intents.map { FilledSlots(of: $0, in: file) }
    for reference in references {
      let index = reference.intent
      if reference.kind != .list, file.lacksLists(of: index, filled[index]) { continue }
      let (known, kind): ([String], String) =
        switch reference.kind {
        case .list: (Array(file.lists.keys), "list")
        case .slot: (file.related(to: index).flatMap { file.intents[$0].slots.map(\.name) }, "slot")
        case .filledSlot: (file.slots(of: index, filled), "slot")
        case .responseSlot: (file.slots(of: index, filled) + filled[index].captures, "slot")
        case .context: (contexts, "context")
        }
      if known.contains(reference.name) { continue }
      let suggestion = nearestName(to: reference.name, among: known)
      add(
        fault(reference.position, .unknownName(kind: kind, name: reference.name, suggestion: suggestion)))
    }
    for index in file.intents.indices { checkSlots(of: index, file, filled) }
  }

  /// Finds declared slots that nothing fills.
  private mutating func checkSlots(of index: Int, _ file: IntentFile, _ filled: [FilledSlots]) {
    let intent = file.intents[index]
    if file.lacksLists(of: index, filled[index]) { return }
    // An intent without sentences gets its slots from an intent service.
    if intent.blocks.isEmpty && intent.examples.isEmpty { return }
    let undeclared = filled[index].slots.subtracting(intent.slots.map(\.name))
    let changed = file.intents.flatMap { $0.slots.flatMap { [$0.adds, $0.removes].compactMap { $0 } } }
    for rule in intent.slots where !filled[index].slots.contains(rule.name) && !changed.contains(rule.name) {
      let suggestion = nearestName(to: rule.name, among: undeclared)
      // A question can ask for a required slot; without a list it accepts any words, also where the name is mistyped.
      let isAsked = rule.isRequired && (suggestion == nil || (rule.list ?? file.knownList(rule.name)) != nil)
      if isAsked { continue }
      add(
        fault(rule.position, .unfilledSlot(name: rule.name, intent: intent.name, suggestion: suggestion)))
    }
  }
}

extension IntentFile {
  /// Whether sentences name a list that is not defined: a fault of its own, from which others about their slots would only follow.
  fileprivate func lacksLists(of index: Int, _ filled: FilledSlots) -> Bool {
    let own = intents[index].blocks.flatMap { Array($0.lists.keys) }
    return filled.lists.contains { knownList($0) == nil && !own.contains($0) }
  }

  /// An intent, and those that it repeats: texts about it may name their slots.
  fileprivate func related(to index: Int) -> [Int] {
    guard let context = intents[index].requirements.repeats else { return [index] }
    return [index]
      + intents.indices.filter { other in
        other != index && intents[other].requirements.sets.contains { $0.name == context }
      }
  }

  /// The slots that can have a value.
  fileprivate func slots(of index: Int, _ filled: [FilledSlots]) -> [String] {
    related(to: index).flatMap { Array(filled[$0].slots) + intents[$0].slots.map(\.name) }
  }
}
