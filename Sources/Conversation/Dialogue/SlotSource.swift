import TextProcessing
import Understanding

/// The list of a slot, and the words before and after it in the sentences of its intent.
///
///     book a {kind} from {place:from} to {place:to}
///     book a [taxi](kind) from [home](place:from)
///
/// both show that the values of `from` are in the list `place` and that "from" precedes them.
struct SlotSource {
  /// The name of a list or built-in entity, or an inline range such as `0..9`.
  var list: String?
  /// The list itself where the block of sentences defines it.
  var own: SlotList?
  /// Words directly before the slot.
  var leads: Set<String> = []
  /// Words that may be directly after it: "unlock the {door} door", "get a {kind} now".
  var follows: Set<String> = []
  /// The words among them that must be there in some sentence: "door".
  var endings: Set<String> = []

  /// The sources of all slots in the sentences, examples and slot rules of `intent`.
  static func sources(of intent: Intent, in file: IntentFile) -> [String: SlotSource] {
    var found: [String: SlotSource] = [:]
    for rule in intent.slots { found[rule.name] = SlotSource(list: rule.list) }
    for block in intent.blocks {
      let edges = TemplateEdges(rules: file.rules.merging(block.rules) { $1 })
      var walk = Walk(edges: edges, lists: block.lists, found: found)
      for sentence in block.sentences { walk.visit(sentence.template, after: [], before: [Walk.end]) }
      found = walk.found
    }
    for example in intent.examples {
      for mark in example.sentence.marks {
        var source = found[mark.slot] ?? SlotSource()
        if source.list == nil { source.list = (try? file.listName(of: mark, in: intent)) ?? nil }
        source.leads.formUnion(example.sentence.lead(of: mark))
        found[mark.slot] = source
      }
    }
    for name in found.keys where found[name]?.list == nil { found[name]?.list = file.knownList(name) }
    return found
  }

  private struct Walk {
    var edges: TemplateEdges
    let lists: [String: SlotList]
    var found: [String: SlotSource]
    private var visits = 0

    init(edges: TemplateEdges, lists: [String: SlotList], found: [String: SlotSource]) {
      self.edges = edges
      self.lists = lists
      self.found = found
    }

    /// The end of a sentence, among the words that may follow.
    static let end = ""

    /// The maximum number of visited parts; nested rules could make the walk exponentially long.
    private static let limit = 20_000

    mutating func visit(_ template: Template, after words: Set<String>, before next: Set<String>) {
      visits += 1
      guard visits < Self.limit else { return }
      switch template {
      case .text: break
      case .alternative(let items), .permutation(let items):
        for item in items { visit(item, after: words, before: next) }
      case .sequence(let items):
        var following = [next]
        for item in items.dropFirst().reversed() {
          following.append(edges.words(at: .first, of: item, beyond: following[following.count - 1]))
        }
        var before = words
        for (item, behind) in zip(items, following.reversed()) {
          visit(item, after: before, before: behind)
          before = edges.words(at: .last, of: item, beyond: before)
        }
      case .rule(let name, _):
        if let rule = edges.rules[name] { visit(rule.template, after: words, before: next) }
      case .list(let use):
        if use.isCapture { return }
        var source = found[use.slot] ?? SlotSource()
        if source.list == nil { source.list = use.list }
        if source.own == nil, source.list == use.list { source.own = lists[use.list] }
        source.leads.formUnion(words)
        if !use.isGlued {
          source.follows.formUnion(next.subtracting([Self.end]))
          if next.count == 1, !next.contains(Self.end) { source.endings.formUnion(next) }
        }
        found[use.slot] = source
      }
    }
  }
}

extension AnnotatedSentence {
  /// The word before a mark, unless it is an article or a conjunction.
  fileprivate func lead(of mark: Mark) -> Set<String> {
    let words = NormalizedText(String(text.unicodeScalars.prefix(mark.range.lowerBound))).words
    guard let word = words.last?.text, word.allSatisfy(\.isLetter), !Coordination.conjunctions.contains(word),
      !Coordination.articles.contains(word)
    else { return [] }
    return [word]
  }
}
