import Platform
import TextProcessing

/// Words of a sentence that stand where a value of a list is expected, and are none: "purple" in "turn on the purple lamp".
package struct UnknownValue: Sendable, Equatable {
  package let intent: String
  package let slot: String
  package let words: String
  /// Up to three values that may stand there, the most similar ones first.
  package let choices: [String]
  /// The list's own reply.
  package let reply: ReplyTemplate?
}

extension Understander {
  /// The unknown value in a text that is otherwise a sentence; nil where there is none, or more than one.
  package func unknownValue(in text: String) -> UnknownValue? {
    guard text.unicodeScalars.count <= Self.textLimit else { return nil }
    let whole = NormalizedText(text)
    let bare = whole.removing(Self.places(of: skipWords + Self.fillers, in: whole))
    guard !bare.words.isEmpty else { return nil }
    let chart = Chart(bare, program, now: clock(), acceptsUnknownValues: true)
    let words = Set(whole.words.map(\.text))
    var best: (end: Chart.End, fill: Chart.Fill, block: SentenceBlock, intent: String)?
    for sentence in program.sentences {
      let intent = program.intents[sentence.intent]
      let block = intent.blocks[sentence.block]
      if !block.keywords.isEmpty, block.keywords.isDisjoint(with: words) { continue }
      guard let end = chart.reading(of: sentence), end.score.wildcards == 1 else { continue }
      if let best, !end.score.isBetter(than: best.end.score) { continue }
      guard let fill = chart.fills(of: end).first(where: { $0.content == .words }),
        program.lists[program.uses[Int(fill.use)].list].isOfValues
      else { continue }
      best = (end, fill, block, intent.name)
    }
    guard let best else { return nil }
    let use = program.uses[Int(best.fill.use)]
    let list = program.lists[use.list]
    let unknown = chart.text.written(best.fill.range)
    let (choices, areSimilar) = choices(of: list, for: best.block, like: unknown)
    // Any text would be about an unknown thing if little of it had to be understood.
    let share = Double(best.end.score.literal) / Double(max(1, best.end.score.wildcardLength))
    guard share >= (list.hasNames || areSimilar ? 0.3 : 2), !isAmountOrTime(unknown) else { return nil }
    return UnknownValue(
      intent: best.intent, slot: use.slot, words: unknown, choices: choices, reply: list.unknownReply)
  }

  /// Whether the words are a number, a duration, a date or a time, and so the name of nothing.
  private func isAmountOrTime(_ words: String) -> Bool {
    let reader = EntityReader(NormalizedText(words), now: clock(), isEnglish: program.hasNumberWords)
    let kinds: [EntityKind] = [.number, .duration, .date, .time]
    return kinds.contains { reader.readings($0, at: 0).last?.end == reader.text.tokens.count }
  }

  /// Values that may stand in the place of `words`, and whether they are similar.
  private func choices(
    of list: Program.List, for block: SentenceBlock, like words: String
  ) -> (values: [String], areSimilar: Bool) {
    var nearest: [(value: String, text: String, distance: Double)] = []
    for (index, node) in list.nodes.enumerated() where Self.allows(list.contexts[index], in: block) {
      let text = program.example(of: node).split(separator: " ").joined(separator: " ")
      let value = list.values[index]?.description ?? text
      let distance = Self.distance(from: words, to: text)
      if let known = nearest.firstIndex(where: { $0.value == value }) {
        if distance < nearest[known].distance { nearest[known] = (value, text, distance) }
      } else if !text.isEmpty {
        nearest.append((value, text, distance))
      }
    }
    let similar = nearest.enumerated().filter { $1.distance <= 0.5 }
      .sorted { ($0.element.distance, $0.offset) < ($1.element.distance, $1.offset) }.map(\.element.text)
    return (Array((similar.isEmpty ? nearest.map(\.text) : similar).prefix(3)), !similar.isEmpty)
  }

  private static func allows(_ context: [JSON.Member], in block: SentenceBlock) -> Bool {
    context.allSatisfy { member in
      block.required.allSatisfy { $0.key != member.name || $0.holds(for: member.value) }
        && !block.excluded.contains { $0.key == member.name && $0.holds(for: member.value) }
    }
  }

  /// 0 for equal texts, to 1; half as far where they have a word in common.
  private static func distance(from words: String, to text: String) -> Double {
    let (left, right) = (words.lowercased(), text.lowercased())
    let edits = Suggestion.editDistance(Array(left), Array(right))
    let isRelated = !Set(left.split(separator: " ")).isDisjoint(with: right.split(separator: " "))
    return Double(edits) / Double(max(1, left.count, right.count)) * (isRelated ? 0.5 : 1)
  }
}
