/// Where a slot's values come from and which words lead to it, as the sentences of its intent tell.
///
///     book a {kind} from {place:from} to {place:to}
///
/// tells that `from` takes the values of the list `place` and that "from" leads to it.
struct SlotSource {
  /// A list by its name, or the name of a range in place, such as `0..9`.
  var list: String?
  /// The values of `list` where the block of sentences has its own.
  var own: SlotList?
  /// Words that stand right before the slot.
  var leads: Set<String> = []

  /// What the sentences of `intent` tell of each slot that they or its rules name.
  static func sources(of intent: Intent, in file: IntentFile) -> [String: SlotSource] {
    var found: [String: SlotSource] = [:]
    for rule in intent.slots { found[rule.name] = SlotSource(list: rule.list) }
    for block in intent.blocks {
      var walk = Walk(rules: file.rules.merging(block.rules) { $1 }, lists: block.lists, found: found)
      for sentence in block.sentences { walk.visit(sentence.template, after: []) }
      found = walk.found
    }
    return found
  }

  private struct Walk {
    let rules: [String: Rule]
    let lists: [String: SlotList]
    var found: [String: SlotSource]
    private var visits = 0

    init(rules: [String: Rule], lists: [String: SlotList], found: [String: SlotSource]) {
      self.rules = rules
      self.lists = lists
      self.found = found
    }

    /// Parts looked at; rules within rules would make the walk endless otherwise.
    private static let limit = 20_000

    mutating func visit(_ template: Template, after words: Set<String>) {
      visits += 1
      guard visits < Self.limit else { return }
      switch template {
      case .text: break
      case .alternative(let items), .permutation(let items): for item in items { visit(item, after: words) }
      case .sequence(let items):
        var before = words
        for item in items {
          visit(item, after: before)
          before = SlotSource.lastWords(of: item, after: before, rules, depth: 0)
        }
      case .rule(let name, _):
        if let rule = rules[name] { visit(rule.template, after: words) }
      case .list(let use):
        if use.isCapture { return }
        var source = found[use.slot] ?? SlotSource()
        if source.list == nil { source.list = use.list }
        if source.own == nil, source.list == use.list { source.own = lists[use.list] }
        source.leads.formUnion(words)
        found[use.slot] = source
      }
    }
  }

  /// The words that `template` may end with, or those before it where it may be empty.
  private static func lastWords(
    of template: Template, after words: Set<String>, _ rules: [String: Rule], depth: Int
  ) -> Set<String> {
    guard depth < 8 else { return [] }
    switch template {
    case .text(let text):
      guard let last = text.split(separator: " ").last else { return words }
      return last.allSatisfy { $0.isLetter || $0 == "'" } ? [last.lowercased()] : []
    case .alternative(let items):
      return items.reduce(into: []) {
        $0.formUnion(lastWords(of: $1, after: words, rules, depth: depth + 1))
      }
    case .sequence(let items):
      return items.reduce(words) { lastWords(of: $1, after: $0, rules, depth: depth + 1) }
    case .rule(let name, _):
      return rules[name].map { lastWords(of: $0.template, after: words, rules, depth: depth + 1) } ?? []
    case .permutation, .list: return []
    }
  }
}
