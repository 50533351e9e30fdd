import Platform
import TextProcessing
import YAMLFormat

/// Matches one text against a ``Program``; each pair of node and position is computed once.
///
/// A packed chart (as in Earley's parser, without left recursion): for each node and start position it holds the
/// positions where the node may end, each with the best score. The work grows with nodes × positions², whatever the
/// templates are, and is limited by a budget.
final class Chart {
  /// The score of a match. In this order: no wildcards, more literal text, fewer wildcards, shorter wildcards.
  struct Score: Equatable {
    var wildcards: Int32 = 0
    var literal: Int32 = 0
    var wildcardLength: Int32 = 0

    static func + (left: Score, right: Score) -> Score {
      Score(
        wildcards: left.wildcards + right.wildcards, literal: left.literal + right.literal,
        wildcardLength: left.wildcardLength + right.wildcardLength)
    }

    func isBetter(than other: Score) -> Bool {
      if (wildcards == 0) != (other.wildcards == 0) { return wildcards == 0 }
      if literal != other.literal { return literal > other.literal }
      if wildcards != other.wildcards { return wildcards < other.wildcards }
      return wildcardLength < other.wildcardLength
    }
  }

  /// A position between two characters, and whether spaces are optional there.
  ///
  /// They are optional where a word starts: at the start of the text, and after a space, an apostrophe or a list value.
  struct State: Equatable {
    var place: Int32
    var isLoose: Bool

    var key: UInt64 { UInt64(place) << 1 | (isLoose ? 1 : 0) }
  }

  struct End {
    var state: State
    var score: Score
    /// The index of the step that filled slots on the way, or -1.
    var steps: Int32
  }

  /// A slot and its content.
  struct Fill {
    enum Content: Equatable {
      /// The value of the list at this index.
      case value(Int32)
      case number(Double)
      /// The value of a built-in entity, at this index of ``Chart/entityValues``.
      case entity(Int)
      case words
    }

    let use: Int32
    let range: Range<Int>
    let content: Content
  }

  struct Step {
    let left: Int32
    let right: Int32
    let fill: Int32
  }

  static let budget = 4_000_000

  let text: NormalizedText
  var fills: [Fill] = []
  /// Whether the budget is used up, so that matches may be missing.
  private(set) var isExhausted = false

  /// The values of the built-in entities in the text.
  var entityValues: [JSON] = []

  let program: Program
  let allowsLeads: Bool
  let acceptsUnknownValues: Bool
  private let now: LocalTime
  private(set) lazy var entities = EntityReader(text, now: now, isEnglish: program.hasNumberWords)
  let symbols: [Int32]
  let words: [(text: String, range: Range<Int>)]
  let wordAt: [Int32]
  private var memo: [UInt64: [End]] = [:]
  var steps: [Step] = []
  var work = 0
  private(set) var required: [ContextRule] = []
  private(set) var excluded: [ContextRule] = []

  /// - Parameters:
  ///   - allowsLeads: whether a word such as "at" may precede an entity: "at seven".
  ///   - acceptsUnknownValues: whether any words may stand for a value of a list, with the score of a wildcard.
  init(
    _ text: NormalizedText, _ program: Program, now: LocalTime, allowsLeads: Bool = true,
    acceptsUnknownValues: Bool = false
  ) {
    self.text = text
    self.allowsLeads = allowsLeads
    self.acceptsUnknownValues = acceptsUnknownValues
    self.now = now
    self.program = program
    symbols = text.units.map { program.symbol($0.folded) }
    var words: [(text: String, range: Range<Int>)] = []
    for word in text.words { words += Self.parts(word) }
    self.words = words
    var wordAt = [Int32](repeating: -1, count: symbols.count + 1)
    for (index, word) in words.enumerated() { wordAt[word.range.lowerBound] = Int32(index) }
    self.wordAt = wordAt
  }

  /// The best match of the whole text with `sentence`; nil where there is none.
  func reading(of sentence: Program.Sentence) -> End? {
    let block = program.intents[sentence.intent].blocks[sentence.block]
    if block.required.isEmpty, block.excluded.isEmpty { return reading(as: sentence.node) }
    let shared = memo
    memo = [:]
    required = block.required
    excluded = block.excluded
    defer {
      memo = shared
      required = []
      excluded = []
    }
    return reading(as: sentence.node)
  }

  private func reading(as node: Int32) -> End? {
    var best: End?
    for end in ends(of: node, from: State(place: 0, isLoose: true))
    where Int(end.state.place) >= symbols.count - 1 {
      if best.map({ end.score.isBetter(than: $0.score) }) ?? true { best = end }
    }
    return best
  }

  /// The slots that a match filled, in the order of the text.
  func fills(of end: End) -> [Fill] {
    var found: [Fill] = []
    var pending = [end.steps]
    while let index = pending.popLast() {
      guard index >= 0 else { continue }
      let step = steps[Int(index)]
      if step.fill >= 0 { found.append(fills[Int(step.fill)]) }
      pending.append(step.left)
      pending.append(step.right)
    }
    return found.sorted {
      ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound)
    }
  }

  // MARK: Parts

  func ends(of index: Int32, from state: State) -> [End] {
    let node = program.nodes[Int(index)]
    if node.kind == .text { return textEnd(node, from: state).map { [$0] } ?? [] }
    let key = UInt64(UInt32(bitPattern: index)) << 32 | state.key
    if let known = memo[key] { return known }
    work += 1
    guard work <= Self.budget else {
      isExhausted = true
      return []
    }
    let found =
      switch node.kind {
      case .text: [End]()
      case .sequence: sequenceEnds(node, from: state)
      case .alternative: alternativeEnds(node, from: state)
      case .permutation: permutationEnds(node, from: state)
      case .list: listEnds(program.uses[Int(node.first)], use: node.first, from: state)
      }
    memo[key] = found
    return found
  }

  private func textEnd(_ node: Program.Node, from state: State) -> End? {
    var place = Int(state.place)
    var isLoose = state.isLoose
    for symbol in program.symbols(of: node) {
      if symbol == Program.Symbol.space {
        if isLoose { continue }
        if place < symbols.count {
          guard isBreak(symbols[place]) else { return nil }
          place += 1
        }
        isLoose = true
        continue
      }
      if isLoose { place = skippingSpaces(place) }
      guard place < symbols.count else { return nil }
      let isHyphenSaidApart = symbol == Program.Symbol.hyphen && symbols[place] == Program.Symbol.space
      guard symbols[place] == symbol || isHyphenSaidApart else { return nil }
      place += 1
      isLoose = symbol == Program.Symbol.apostrophe
    }
    return End(
      state: State(place: Int32(place), isLoose: isLoose), score: Score(literal: node.weight), steps: -1)
  }

  private func sequenceEnds(_ node: Program.Node, from state: State) -> [End] {
    var front = [End(state: state, score: Score(), steps: -1)]
    for child in program.children(of: node) {
      front = advance(front, by: child)
      if front.isEmpty { return [] }
    }
    return front
  }

  private func alternativeEnds(_ node: Program.Node, from state: State) -> [End] {
    var found: [End] = []
    for child in program.children(of: node) {
      for end in ends(of: child, from: state) { Self.merge(end, into: &found) }
    }
    return found
  }

  private func permutationEnds(_ node: Program.Node, from state: State) -> [End] {
    let items = Array(program.children(of: node))
    var layers: [UInt8: [End]] = [0: [End(state: state, score: Score(), steps: -1)]]
    for _ in items {
      var next: [UInt8: [End]] = [:]
      for (mask, front) in layers.sorted(by: { $0.key < $1.key }) {
        for (bit, item) in items.enumerated() where mask & (1 << bit) == 0 {
          for end in advance(front, by: item) { Self.merge(end, into: &next[mask | 1 << bit, default: []]) }
        }
      }
      layers = next
    }
    return layers.values.first ?? []
  }

  private func advance(_ front: [End], by child: Int32) -> [End] {
    var next: [End] = []
    for start in front {
      for end in ends(of: child, from: start.state) {
        work += 1
        let steps = joined(start.steps, end.steps)
        let joined = End(state: end.state, score: start.score + end.score, steps: steps)
        // Of several wildcards the first is the longest: "stand by me | by ben e king".
        Self.merge(joined, into: &next, isLater: joined.score.wildcards > 1)
      }
    }
    return next
  }

  /// Keeps one end for each state: the better one; of equal ones the first, or the last where `isLater`.
  static func merge(_ end: End, into ends: inout [End], isLater: Bool = false) {
    guard let index = ends.firstIndex(where: { $0.state == end.state }) else {
      ends.append(end)
      return
    }
    if end.score.isBetter(than: ends[index].score) || isLater && end.score == ends[index].score {
      ends[index] = end
    }
  }

  func joined(_ left: Int32, _ right: Int32) -> Int32 {
    if left < 0 { return right }
    if right < 0 { return left }
    steps.append(Step(left: left, right: right, fill: -1))
    return Int32(steps.count - 1)
  }
}
