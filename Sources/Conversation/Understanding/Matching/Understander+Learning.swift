import Platform
import TextProcessing

extension Understander {
  /// Answers by what was learned from examples, where that is sure enough.
  func learn(
    from text: NormalizedText, _ context: [String: JSON], _ intents: Set<String>?,
    into result: inout Interpretation
  ) {
    let answer = learned?.answer(text, now: clock()) { kind in
      let intent = file.intents[kind.intent]
      if let intents, !intents.contains(intent.name) { return false }
      guard let block = kind.block.map({ intent.blocks[$0] }) else {
        return intent.demands.needed.allSatisfy { context[$0].map { $0 != .null } ?? false }
      }
      return block.required.allSatisfy { rule in context[rule.key].map(rule.holds) ?? false }
        && !block.excluded.contains { rule in context[rule.key].map(rule.holds) ?? false }
    }
    guard let answer, let best = answer.guesses.first else { return }
    let block = answer.kind.block.map { file.intents[best.intent].blocks[$0] }
    result.status = .ready
    result.ranking = answer.guesses.map {
      Interpretation.Guess(name: file.intents[$0.intent].name, confidence: $0.confidence)
    }
    result.intent = result.ranking.first
    result.slots = answer.slots
    for member in block?.slots ?? [] where result[member.name] == nil {
      result.slots.append(
        Interpretation.Slot(
          name: member.name, value: member.value, text: "", confidence: best.confidence, range: nil))
    }
    let reply = block?.reply ?? file.replies[file.intents[best.intent].name]?["default"]
    result.replyTemplate = reply
    result.reply = reply?.filled { name in result[name]?.inReply }
  }
}
