import Platform

/// The slots that the sentences and examples of an intent can fill.
package struct FilledSlots: Sendable {
  package private(set) var slots: Set<String> = []
  /// The names of `{list:@name}`: words for the reply, which fill no slot.
  package private(set) var captures: Set<String> = []

  /// The lists that sentences name.
  private(set) var lists: Set<String> = []

  /// Visits each rule once, so that nested rules do not take exponential time.
  package init(of intent: Intent, in file: IntentFile) {
    for block in intent.blocks {
      slots.formUnion(block.slots.map(\.name))
      slots.formUnion((block.required + block.excluded).compactMap(\.slot))
      let rules = file.rules.merging(block.rules) { $1 }
      var visited: Set<String> = []
      for sentence in block.sentences { visit(sentence.template, rules, &visited) }
    }
    for example in intent.examples { slots.formUnion(example.sentence.marks.map(\.slot)) }
    var visited: Set<String> = []
    for rule in intent.slots {
      for answer in rule.answers { visit(answer.template, file.rules, &visited) }
    }
  }

  private mutating func visit(_ template: Template, _ rules: [String: Rule], _ visited: inout Set<String>) {
    switch template {
    case .text: break
    case .sequence(let items), .alternative(let items), .permutation(let items):
      for item in items { visit(item, rules, &visited) }
    case .rule(let name, _):
      guard visited.insert(name).inserted, let rule = rules[name] else { return }
      visit(rule.template, rules, &visited)
    case .list(let use):
      if use.inlineRange == nil { lists.insert(use.list) }
      if use.isCapture { captures.insert(use.slot) } else { slots.insert(use.slot) }
    }
  }
}
