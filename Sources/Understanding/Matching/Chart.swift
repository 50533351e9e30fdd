import Platform

/// All readings of one text by the parts of a ``Program``, each part and place worked out once.
///
/// A packed chart (Earley's idea without left recursion): for a part and a place it holds the places where the
/// part may end, each with the best way to get there. Work grows with parts × places², whatever the templates
/// are, and ends at a budget.
final class Chart {
  /// How good a reading is; hassil's order: fewer wildcards, more literal text, shorter wildcards.
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
      if wildcards != other.wildcards { return wildcards < other.wildcards }
      if literal != other.literal { return literal > other.literal }
      return wildcardLength < other.wildcardLength
    }
  }

  /// A place between two characters, and whether spaces there may be there or not.
  ///
  /// They may where a word begins: at the start, behind a space or an apostrophe, and behind a list's value.
  struct State: Equatable {
    var place: Int32
    var isLoose: Bool

    var key: UInt64 { UInt64(place) << 1 | (isLoose ? 1 : 0) }
  }

  struct End {
    var state: State
    var score: Score
    /// Index of the step that filled slots on the way, or -1.
    var steps: Int32
  }

  /// A slot with what filled it.
  struct Fill {
    let use: Int32
    let range: Range<Int>
    /// Index of the list's value, or -1.
    let value: Int32
    let number: Double
    let isWildcard: Bool
  }

  private struct Step {
    let left: Int32
    let right: Int32
    let fill: Int32
  }

  static let budget = 4_000_000

  let text: NormalizedText
  private(set) var fills: [Fill] = []
  /// Whether the budget ended the work, so that readings may be missing.
  private(set) var isExhausted = false

  private let program: Program
  private let symbols: [Int32]
  private let words: [(text: String, range: Range<Int>)]
  private let wordAt: [Int32]
  private var memo: [UInt64: [End]] = [:]
  private var steps: [Step] = []
  private var work = 0
  private var required: [ContextRule] = []
  private var excluded: [ContextRule] = []

  init(_ text: NormalizedText, _ program: Program) {
    self.text = text
    self.program = program
    symbols = text.units.map { program.symbol($0.folded) }
    var words: [(text: String, range: Range<Int>)] = []
    for word in text.words { words += Self.parts(word) }
    self.words = words
    var wordAt = [Int32](repeating: -1, count: symbols.count + 1)
    for (index, word) in words.enumerated() { wordAt[word.range.lowerBound] = Int32(index) }
    self.wordAt = wordAt
  }

  /// The best reading of the whole text as `sentence`, if there is one.
  func reading(of sentence: Program.Sentence) -> End? {
    let block = program.intents[sentence.intent].blocks[sentence.block]
    let hasContext = !block.required.isEmpty || !block.excluded.isEmpty
    let shared = memo
    if hasContext {
      memo = [:]
      required = block.required
      excluded = block.excluded
    }
    defer {
      if hasContext {
        memo = shared
        required = []
        excluded = []
      }
    }
    var best: End?
    for end in ends(of: sentence.node, from: State(place: 0, isLoose: true))
    where Int(end.state.place) >= symbols.count - 1 {
      if best.map({ end.score.isBetter(than: $0.score) }) ?? true { best = end }
    }
    return best
  }

  /// The slots that a reading filled, in the order of the text.
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

  private func ends(of index: Int32, from state: State) -> [End] {
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
        Self.merge(End(state: end.state, score: start.score + end.score, steps: steps), into: &next)
      }
    }
    return next
  }

  /// Keeps one end per state: the better one, and of equals the first.
  private static func merge(_ end: End, into ends: inout [End]) {
    guard let index = ends.firstIndex(where: { $0.state == end.state }) else {
      ends.append(end)
      return
    }
    if end.score.isBetter(than: ends[index].score) { ends[index] = end }
  }

  private func joined(_ left: Int32, _ right: Int32) -> Int32 {
    if left < 0 { return right }
    if right < 0 { return left }
    steps.append(Step(left: left, right: right, fill: -1))
    return Int32(steps.count - 1)
  }

  // MARK: Lists

  private func listEnds(_ use: Program.ListUse, use index: Int32, from state: State) -> [End] {
    let list = program.lists[use.list]
    let start = state.isLoose ? skippingSpaces(Int(state.place)) : Int(state.place)
    guard start < symbols.count else { return [] }
    switch list.kind {
    case .values: return valueEnds(list, use: index, from: state, start: start)
    case .range(let range): return rangeEnds(range, use: index, from: state)
    case .wildcard: return wildcardEnds(isGlued: use.isGlued, use: index, start: start)
    }
  }

  private func valueEnds(_ list: Program.List, use: Int32, from state: State, start: Int) -> [End] {
    var candidates = list.byFirst[symbols[start]] ?? []
    if !list.others.isEmpty {
      candidates += list.others
      candidates.sort()
    }
    var found: [End] = []
    for value in candidates where isAllowed(list.contexts[Int(value)]) {
      for end in ends(of: list.nodes[Int(value)], from: state) where end.state.place > Int32(start) {
        let fill = Fill(
          use: use, range: start..<Int(end.state.place), value: value, number: 0, isWildcard: false)
        var score = end.score
        score.literal = 0
        let state = State(place: end.state.place, isLoose: state.isLoose || end.state.isLoose)
        let filled = End(state: state, score: score, steps: -1)
        Self.merge(filled, steps: { joined(end.steps, step(fill)) }, into: &found)
      }
    }
    return found
  }

  private func rangeEnds(_ range: NumberRange, use: Int32, from state: State) -> [End] {
    let start = skippingSpaces(Int(state.place))
    var found: [End] = []
    func add(_ end: Int, _ number: Double) {
      guard range.contains(number) else { return }
      let value = number * (range.multiplier ?? 1)
      let fill = Fill(use: use, range: start..<end, value: -1, number: value, isWildcard: false)
      let state = State(place: Int32(end), isLoose: state.isLoose)
      found.append(End(state: state, score: Score(), steps: step(fill)))
    }
    if let digits = digits(at: start, allowingFraction: range.fractions != nil) {
      if range.allowsDigits { add(digits.end, digits.value) }
      return found
    }
    guard range.allowsWords, program.hasNumberWords, wordAt[start] >= 0 else { return [] }
    let following = words[Int(wordAt[start])...]
    for reading in NumberWords.readings(following.prefix(NumberWords.wordLimit).map(\.text)) {
      add(following[following.startIndex + reading.words - 1].range.upperBound, reading.value)
    }
    return found
  }

  private func wildcardEnds(isGlued: Bool, use: Int32, start: Int) -> [End] {
    var found: [End] = []
    guard symbols[start] != Program.Symbol.space else { return [] }
    for end in start + 1..<max(start + 1, symbols.count)
    where symbols[end] == Program.Symbol.space || isGlued {
      let fill = Fill(use: use, range: start..<end, value: -1, number: 0, isWildcard: true)
      found.append(
        End(
          state: State(place: Int32(end), isLoose: false),
          score: Score(wildcards: 1, literal: 0, wildcardLength: Int32(end - start)), steps: step(fill)))
      work += 1
    }
    return found
  }

  private static func merge(_ end: End, steps: () -> Int32, into ends: inout [End]) {
    var end = end
    let index = ends.firstIndex { $0.state == end.state }
    if let index, !end.score.isBetter(than: ends[index].score) { return }
    end.steps = steps()
    if let index { ends[index] = end } else { ends.append(end) }
  }

  private func step(_ fill: Fill) -> Int32 {
    fills.append(fill)
    steps.append(Step(left: -1, right: -1, fill: Int32(fills.count - 1)))
    return Int32(steps.count - 1)
  }

  private func isAllowed(_ context: [JSON.Member]) -> Bool {
    if context.isEmpty || required.isEmpty && excluded.isEmpty { return true }
    for member in context {
      if required.contains(where: { $0.key == member.name && !$0.holds(for: member.value) }) { return false }
      if excluded.contains(where: { $0.key == member.name && $0.holds(for: member.value) }) { return false }
    }
    return true
  }

  // MARK: Text

  private func isBreak(_ symbol: Int32) -> Bool {
    symbol == Program.Symbol.space || symbol == Program.Symbol.hyphen || symbol == Program.Symbol.underscore
  }

  private func skippingSpaces(_ place: Int) -> Int {
    var place = place
    while place < symbols.count, symbols[place] == Program.Symbol.space { place += 1 }
    return place
  }

  private func digits(at start: Int, allowingFraction: Bool) -> (end: Int, value: Double)? {
    let units = text.units
    var written = ""
    var place = start
    if place < units.count, units[place].folded == "-" {
      written = "-"
      place += 1
    }
    let first = place
    func take() {
      while place < units.count, let digit = units[place].folded.wholeNumberValue, written.count < 16 {
        written += String(digit)
        place += 1
      }
    }
    take()
    guard place > first, digit(at: place) == nil else { return nil }
    if allowingFraction, place + 1 < units.count, ".,".contains(units[place].folded),
      digit(at: place + 1) != nil
    {
      written += "."
      place += 1
      take()
    }
    return Double(written).map { (place, $0) }
  }

  private func digit(at place: Int) -> Int? {
    place < text.units.count ? text.units[place].folded.wholeNumberValue : nil
  }

  /// The letters and digits of a word between other characters: "twenty-one%" counts as two.
  private static func parts(
    _ word: (text: String, range: Range<Int>)
  ) -> [(text: String, range: Range<Int>)] {
    let isWhole = word.text.unicodeScalars.allSatisfy(Punctuation.isWord)
    if isWhole { return [word] }
    var parts: [(String, Range<Int>)] = []
    var part = ""
    for (index, character) in (word.text + " ").enumerated() {
      if character.unicodeScalars.allSatisfy(Punctuation.isWord) {
        part.append(character)
      } else if !part.isEmpty {
        let end = word.range.lowerBound + index
        parts.append((part, end - part.count..<end))
        part = ""
      }
    }
    return parts
  }
}
