import TextProcessing
import Understanding

/// Where a slot's values come from and which words stand around it, as the sentences of its intent tell.
///
///     book a {kind} from {place:from} to {place:to}
///     book a [taxi](kind) from [home](place:from)
///
/// each tell that `from` takes the values of the list `place` and that "from" leads to it.
struct SlotSource {
  /// A list or built-in entity by its name, or the name of a range in place, such as `0..9`.
  var list: String?
  /// The values of `list` where the block of sentences has its own.
  var own: SlotList?
  /// Words that stand right before the slot.
  var leads: Set<String> = []
  /// Words that may stand right behind it: "unlock the {door} door", "get a {kind} now".
  var follows: Set<String> = []
  /// Those of them that nothing else can stand for in a sentence: "door".
  var endings: Set<String> = []

  /// What the sentences and examples of `intent` tell of each slot that they or its rules name.
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
    let edges: TemplateEdges
    let lists: [String: SlotList]
    var found: [String: SlotSource]
    private var visits = 0

    init(edges: TemplateEdges, lists: [String: SlotList], found: [String: SlotSource]) {
      self.edges = edges
      self.lists = lists
      self.found = found
    }

    /// Stands for the end of a sentence among the words that may follow.
    static let end = ""

    /// Parts looked at; rules within rules would make the walk endless otherwise.
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
  /// The word before a mark that tells its role: none for "the", "and" and the like.
  fileprivate func lead(of mark: Mark) -> Set<String> {
    let words = NormalizedText(String(text.unicodeScalars.prefix(mark.range.lowerBound))).words
    guard let word = words.last?.text, word.allSatisfy(\.isLetter), !Coordination.conjunctions.contains(word),
      !Coordination.articles.contains(word)
    else { return [] }
    return [word]
  }
}
