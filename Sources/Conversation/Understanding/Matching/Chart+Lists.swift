import Platform
import TextProcessing

/// Matching of lists.
extension Chart {
  /// The ends of a list: after one value, or after several where its slot accepts them.
  func listEnds(_ use: Program.ListUse, use index: Int32, from state: State) -> [End] {
    var found = singleEnds(use, use: index, from: state)
    guard use.isMany, !program.lists[use.list].isWildcard else { return found }
    var front = found
    for _ in 1..<Self.manyLimit where !front.isEmpty {
      var next: [End] = []
      for end in front {
        for start in starts(behind: end.state) {
          for more in singleEnds(use, use: index, from: start) {
            let steps = joined(end.steps, more.steps)
            // Words between values count too: a literal "and" in a template must not be preferred.
            let between = Score(literal: start.place - end.state.place)
            let joined = End(state: more.state, score: end.score + between + more.score, steps: steps)
            Self.merge(joined, into: &next)
            work += 1
          }
        }
      }
      for end in next { Self.merge(end, into: &found) }
      front = next
    }
    return found
  }

  /// The maximum number of values of one slot in a row.
  private static var manyLimit: Int { 12 }

  /// Where another value may start: after a space, and after a space with "and" or "and some".
  private func starts(behind state: State) -> [State] {
    let place = skippingSpaces(Int(state.place))
    guard place > Int(state.place) || state.isLoose, place < symbols.count, wordAt[place] >= 0 else {
      return []
    }
    var starts = [State(place: Int32(place), isLoose: true)]
    var index = Int(wordAt[place])
    let following = words[index...].map(\.text)
    if let phrase = Coordination.phrases.first(where: following.starts(with:)), phrase.count < following.count
    {
      index += phrase.count
      starts.append(State(place: Int32(words[index].range.lowerBound), isLoose: true))
    }
    for set in [Coordination.conjunctions, Coordination.articles] where index + 1 < words.count {
      guard set.contains(words[index].text) else { continue }
      index += 1
      starts.append(State(place: Int32(words[index].range.lowerBound), isLoose: true))
    }
    return starts
  }

  private func singleEnds(_ use: Program.ListUse, use index: Int32, from state: State) -> [End] {
    let list = program.lists[use.list]
    let start = state.isLoose ? skippingSpaces(Int(state.place)) : Int(state.place)
    guard start < symbols.count else { return [] }
    switch list.kind {
    case .values:
      let known = valueEnds(list, use: index, from: state, start: start)
      guard acceptsUnknownValues else { return known }
      return wildcardEnds(isGlued: false, use: index, start: start)
        .reduce(into: known) { Self.merge($1, into: &$0) }
    case .range(let range): return rangeEnds(range, use: index, from: state)
    case .entity(let kind): return entityEnds(kind, use: index, isOneOfMany: use.isMany, start: start)
    case .wildcard: return wildcardEnds(isGlued: use.isGlued, use: index, start: start)
    }
  }

  private func valueEnds(_ list: Program.List, use: Int32, from state: State, start: Int) -> [End] {
    var candidates = list.byFirst[symbols[start]] ?? []
    if let key = Program.List.key(of: symbols[start...].prefix(3)), let longer = list.byStart[key] {
      candidates += longer
    }
    candidates += list.others
    candidates.sort()
    var found: [End] = []
    for value in candidates where isAllowed(list.contexts[Int(value)]) {
      for end in ends(of: list.nodes[Int(value)], from: state) where end.state.place > Int32(start) {
        let fill = Fill(use: use, range: start..<Int(end.state.place), content: .value(value))
        var score = end.score
        if !list.hasNames { score.literal = 0 }
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
      let fill = Fill(use: use, range: start..<end, content: .number(value))
      let state = State(place: Int32(end), isLoose: state.isLoose)
      found.append(End(state: state, score: Score(), steps: step(fill)))
    }
    if let digits = digits(at: start, allowingFraction: range.fractions != nil) {
      if range.allowsDigits { add(digits.end, digits.value) }
      return found
    }
    guard range.allowsWords, program.hasNumberWords, wordAt[start] >= 0 else { return [] }
    if !range.allowsDigits, text.wasNumber(at: start) { return [] }
    let following = words[Int(wordAt[start])...]
    let joined = following.dropFirst().prefix { !text.startsNumber(at: $0.range.lowerBound) }
    let spoken = following.prefix(1 + min(joined.count, NumberWords.wordLimit - 1))
    for reading in NumberWords.readings(spoken.map(\.text)) {
      add(following[following.startIndex + reading.words - 1].range.upperBound, reading.value)
    }
    return found
  }

  private func entityEnds(_ kind: EntityKind, use: Int32, isOneOfMany: Bool, start: Int) -> [End] {
    let first = Int(entities.text.tokenAt[start])
    guard first >= 0 else { return [] }
    func ends(from start: Int, at token: Int) -> [End] {
      entities.readings(kind, at: token, isOneOfMany: isOneOfMany).map { reading in
        let end = entities.text.tokens[reading.end - 1].range.upperBound
        entityValues.append(reading.value)
        let fill = Fill(use: use, range: start..<end, content: .entity(entityValues.count - 1))
        return End(state: State(place: Int32(end), isLoose: false), score: Score(), steps: step(fill))
      }
    }
    let found = ends(from: start, at: first)
    guard allowsLeads, let behind = entities.start(of: kind, behindLeadAt: first),
      behind < entities.text.tokens.count
    else { return found }
    return found + ends(from: entities.text.tokens[behind].range.lowerBound, at: behind)
  }

  private func wildcardEnds(isGlued: Bool, use: Int32, start: Int) -> [End] {
    var found: [End] = []
    guard symbols[start] != Program.Symbol.space else { return [] }
    for end in start + 1..<max(start + 1, symbols.count)
    where symbols[end] == Program.Symbol.space || isGlued {
      let fill = Fill(use: use, range: start..<end, content: .words)
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
}

/// Characters, digits and words of the text.
extension Chart {
  func isBreak(_ symbol: Int32) -> Bool {
    symbol == Program.Symbol.space || symbol == Program.Symbol.hyphen || symbol == Program.Symbol.underscore
  }

  func skippingSpaces(_ place: Int) -> Int {
    var place = place
    while place < symbols.count, symbols[place] == Program.Symbol.space { place += 1 }
    return place
  }

  func digits(at start: Int, allowingFraction: Bool) -> (end: Int, value: Double)? {
    let units = text.units
    var written = ""
    var place = start
    if let behind = sign(at: place) {
      written = "-"
      place = behind
    }
    let beginsWithPoint =
      allowingFraction && place < units.count && units[place].folded == "." && digit(at: place + 1) != nil
    if beginsWithPoint { written += "0" }
    let first = place
    func take() {
      while place < units.count, let digit = units[place].folded.wholeNumberValue, written.count < 16 {
        written += String(digit)
        place += 1
      }
    }
    take()
    guard place > first || beginsWithPoint, digit(at: place) == nil else { return nil }
    if allowingFraction, place + 1 < units.count, ".,".contains(units[place].folded),
      digit(at: place + 1) != nil
    {
      written += "."
      place += 1
      take()
    }
    return Double(written).map { (place, $0) }
  }

  /// The place behind a minus sign, or behind the word for it before digits; nil where there is none.
  private func sign(at place: Int) -> Int? {
    guard place < text.units.count else { return nil }
    if "-−".contains(text.units[place].folded) { return place + 1 }
    guard program.hasNumberWords, wordAt[place] >= 0 else { return nil }
    let word = words[Int(wordAt[place])]
    let behind = skippingSpaces(word.range.upperBound)
    return ["minus", "negative"].contains(word.text) && digit(at: behind) != nil ? behind : nil
  }

  func digit(at place: Int) -> Int? {
    place < text.units.count ? text.units[place].folded.wholeNumberValue : nil
  }

  /// Splits a word at characters that are not letters or digits: "twenty-one%" has two parts.
  static func parts(
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
