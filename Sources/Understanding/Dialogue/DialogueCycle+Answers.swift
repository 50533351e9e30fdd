import Platform

/// What is said while a question is open.
extension DialogueCycle {
  mutating func answer(_ draft: Draft, _ question: Question, _ turn: Turn) -> DialogueAction {
    if var said = answers.read(turn.text, as: question, of: draft.name),
      let slots = draft.placing(said.slots, sources[draft.intent])
    {
      said.slots = slots
      return kept(take(said, draft, question, turn), draft, question, turn)
    }
    let heard = understander.interpret(turn.text, context: contexts.known)
    if let other = Draft(heard, in: understander.file, contexts) {
      guard other.intent == draft.intent else { return begin(turn) }
      var merged = draft
      merged.take(other.slots, by: rules(of: draft))
      return kept(resolve(merged, turn), draft, question, turn)
    }
    var again = question
    again.failures += 1
    if again.failures > answers.words.attempts { return cancel(draft, .gaveUp, turn) }
    if case .value(let slot) = question.kind,
      let reason = rules(of: draft).first(where: { $0.name == slot })?
        .unsupported?.filled({ ["value": turn.text][$0] ?? draft.words($0) })
    {
      guard case .ask(var asked) = ask(draft, again, turn) else { return begin(turn) }
      asked.status = .unsupported
      asked.prompt = reason
      return .ask(asked)
    }
    return ask(draft, again, turn)
  }

  /// What becomes of an answer: one that the voice may not give leaves the question open, for `attempts` times.
  private mutating func kept(
    _ action: DialogueAction, _ draft: Draft, _ question: Question, _ turn: Turn
  ) -> DialogueAction {
    guard case .end(var refused, .refused(let reason)) = action else { return action }
    var again = question
    again.failures += 1
    if again.failures > answers.words.attempts { return action }
    _ = ask(draft, again, turn)
    let asked = Question(kind: question.kind).prompt(
      about: draft, understander.file.intents[draft.intent], sources[draft.intent], answers)
    refused.prompt = "\(refused.reply ?? "") \(asked)"
    refused.reply = nil
    return .refuse(refused, reason: reason)
  }

  private mutating func take(
    _ said: Answers.Reading, _ draft: Draft, _ question: Question, _ turn: Turn
  ) -> DialogueAction {
    var draft = draft
    draft.confidence = min(draft.confidence, said.confidence)
    switch said.kind {
    case .cancel, .trailing: return cancel(draft, .cancelled, turn)
    case .no:
      let isDeclined = question.kind == .confirmation
      return cancel(draft, .cancelled, reply: isDeclined ? .declined : .cancelled, turn)
    case .yes:
      draft.take([], by: [])
      draft.isConfirmed = true
      return resolve(draft, turn)
    case .choice:
      guard
        let value = question.pick(said.slots.first?.value.number, of: draft, sources[draft.intent], answers),
        let slot = question.slot
      else {
        var again = question
        again.failures += 1
        return again.failures > answers.words.attempts
          ? cancel(draft, .gaveUp, turn) : ask(draft, again, turn)
      }
      let words = said.slots.first
      draft.take(
        [
          Interpretation.Slot(
            name: slot, value: value, text: words?.text ?? "", confidence: said.confidence,
            range: words?.range)
        ], by: [])
      return resolve(draft, turn)
    case .addition:
      draft.add(said.slots)
      return resolve(draft, turn)
    case .value, .change, .correction:
      draft.take(said.slots, by: rules(of: draft))
      let isAnswered = said.slots.contains { $0.name == question.slot }
      return resolve(draft, turn, answered: isAnswered ? question : nil)
    }
  }
}

extension Answers {
  struct Reading {
    let kind: AnswerKind
    var slots: [Interpretation.Slot]
    let confidence: Double
  }

  /// What `text` is as an answer to `question`; nil where it is none.
  func read(_ text: String, as question: Question, of intent: String) -> Reading? {
    let general: [AnswerKind] = [.cancel, .no]
    switch question.kind {
    case .confirmation:
      return interpret(text, as: general + [.yes, .change, .correction, .addition], of: intent)
    case .value(let slot), .choice(let slot, _):
      let takesAnything = wildcards.contains(AnswerKind.value(slot).name(of: intent))
      let value = [AnswerKind.value(slot)]
      if !takesAnything, let said = interpret(text, as: value, of: intent) { return said }
      return interpret(text, as: general + [.choice, .correction] + (takesAnything ? value : []), of: intent)
    }
  }
}
