import Platform
import TextProcessing

/// Sentences that a template accepts, as examples for a person: always the same ones, in the order of the template.
package struct ExampleSentences {
  private let rules: [String: Rule]
  private let lists: [String: SlotList]

  /// - Parameter block: its rules and lists take precedence over those of `file`.
  package init(_ file: IntentFile, _ block: SentenceBlock) {
    rules = file.rules.merging(block.rules) { $1 }
    lists = file.lists.merging(block.lists) { $1 }
  }

  // MARK: One sentence

  /// One short sentence.
  ///
  /// - Parameters:
  ///   - turn: which value of each list is used; further turns begin again with the first.
  ///   - fillsSlots: whether optional parts that fill another slot are included.
  package func sentence(_ template: Template, turn: Int, fillsSlots: Bool) -> String {
    var filled: Set<String> = []
    return Self.tidied(text(template, turn, fillsSlots, &filled))
  }

  private func text(_ template: Template, _ turn: Int, _ fillsSlots: Bool, _ filled: inout Set<String>)
    -> String
  {
    switch template {
    case .text(let text): return text
    case .sequence(let items), .permutation(let items):
      return items.map { text($0, turn, fillsSlots, &filled) }.joined()
    case .alternative(let items):
      guard items.contains(.nothing) else {
        return items.first.map { text($0, turn, fillsSlots, &filled) } ?? ""
      }
      guard fillsSlots else { return "" }
      for item in items where item != .nothing {
        var more = filled
        let text = text(item, turn, true, &more)
        guard more.count > filled.count else { continue }
        filled = more
        return text
      }
      return ""
    case .rule(let name, _): return rules[name].map { text($0.template, turn, fillsSlots, &filled) } ?? ""
    case .list(let use):
      if !use.isCapture { filled.insert(use.slot) }
      let values = words(of: use)
      if case .values(let values) = lists[use.list]?.kind, !values.isEmpty {
        var inner = filled
        return text(values[turn % values.count].said.template, turn, false, &inner)
      }
      return values.isEmpty ? "" : values[turn % values.count]
    }
  }

  // MARK: All sentences

  /// Up to `limit` different sentences; fewer only if there are no more.
  package func all(_ template: Template, limit: Int) -> [String] {
    var known: [String: [String]] = [:]
    return Self.distinct(texts(template, limit, &known).map(Self.tidied), limit)
  }

  private func texts(_ template: Template, _ limit: Int, _ known: inout [String: [String]]) -> [String] {
    switch template {
    case .text(let text): return [text]
    case .alternative(let items):
      var found: [String] = []
      for item in items where found.count < limit { found += texts(item, limit, &known) }
      return Self.distinct(found, limit)
    case .sequence(let items), .permutation(let items):
      var found = [""]
      for item in items {
        let endings = texts(item, limit, &known)
        var longer: [String] = []
        for start in found where longer.count < limit { longer += endings.map { start + $0 } }
        found = Self.distinct(longer, limit)
      }
      return found
    case .rule(let name, _):
      if let texts = known[name] { return texts }
      let found = rules[name].map { texts($0.template, limit, &known) } ?? []
      known[name] = found
      return found
    case .list(let use):
      guard case .values(let values) = lists[use.list]?.kind else { return words(of: use) }
      let key = "{\(use.list)}"
      if let texts = known[key] { return texts }
      var found: [String] = []
      for value in values where found.count < limit { found += texts(value.said.template, limit, &known) }
      known[key] = Self.distinct(found, limit)
      return known[key] ?? []
    }
  }

  /// Words for a list that does not enumerate its values: some examples, or its name in angle brackets.
  private func words(of use: Template.ListReference) -> [String] {
    switch lists[use.list]?.kind {
    case .values: return []
    case .range(let range): return Self.numbers(range.from, range.to, range.step)
    case .entity(let kind): return kind.samples
    case .wildcard: return ["<\(use.list)>"]
    case nil:
      if let kind = EntityKind(named: use.list) { return kind.samples }
      return use.inlineRange.map { Self.numbers($0.from, $0.to, $0.step) } ?? []
    }
  }

  /// The middle, the first and the last number of a range.
  private static func numbers(_ from: Int, _ to: Int, _ step: Int) -> [String] {
    let last = (to - from) / step
    return distinct([last / 2, 0, last].map { String(from + step * $0) }, 3)
  }

  /// Without the spaces that optional parts leave.
  private static func tidied(_ text: String) -> String { text.split(separator: " ").joined(separator: " ") }

  private static func distinct(_ texts: [String], _ limit: Int) -> [String] {
    var seen: Set<String> = []
    return Array(texts.filter { seen.insert($0).inserted }.prefix(limit))
  }
}
