import Platform
import Understanding

/// What is said while a question is open.
extension DialogueStateMachine {
  mutating func answer(_ draft: Draft, _ question: Question, _ turn: Turn) -> DialogueAction {
    if let action = reply(to: question, of: draft, turn) { return action }
    let heard = understander.interpret(turn.text, context: contexts.known)
    if let other = Draft(heard, in: understander.file, contexts) {
      guard other.intent == draft.intent else { return begin(turn) }
      var merged = draft
      merged.take(other.slots, by: rules(of: draft))
      return kept(resolve(merged, turn), draft, question, turn)
    }
    if answers.interpret(turn.text, as: [.abandon]) != nil { return cancel(draft, .cancelled, turn) }
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

  /// What is done about an answer to the question; nil where it is none.
  private mutating func reply(to question: Question, of draft: Draft, _ turn: Turn) -> DialogueAction? {
    let isConfirmation = question.kind == .confirmation
    if isConfirmation, answers.read(turn.text, as: question, of: draft.name, isPlain: true) == nil,
      let action = amend(draft, question, by: .yesAnd, turn)
    {
      return action
    }
    if var said = answers.read(turn.text, as: question, of: draft.name),
      let slots = draft.placing(said.slots, sources[draft.intent])
    {
      said.slots = slots
      return kept(take(said, draft, question, turn), draft, question, turn)
    }
    return isConfirmation ? amend(draft, question, by: .noBut, turn) : nil
  }

  /// Takes a change that is said with a yes or a no, to be confirmed anew; a no with anything else declines.
  ///
  /// - Returns: nil for a yes with what is not understood: it may well have been another one.
  private mutating func amend(
    _ draft: Draft, _ question: Question, by kind: AnswerKind, _ turn: Turn
  ) -> DialogueAction? {
    guard let said = answers.interpret(turn.text, as: [kind]), let rest = said.slots.first?.range else {
      return nil
    }
    var turn = turn
    turn.skipped = rest.lowerBound
    if answers.interpret(turn.words, as: [.no, .cancel, .refusal], of: draft.name) != nil {
      return cancel(draft, .cancelled, reply: .declined, turn)
    }
    if let change = answers.interpret(turn.words, as: [.change, .correction, .addition], of: draft.name),
      let slots = draft.placing(change.slots, sources[draft.intent])
    {
      var changed = draft
      let isMore = kind == .yesAnd || change.kind == .addition
      changed.take(slots.map { $0.moved(by: turn.skipped) }, by: rules(of: draft), isMore: isMore)
      return kept(resolve(changed, turn), draft, question, turn)
    }
    let heard = understander.interpret(turn.words, context: contexts.known)
    let other = Draft(heard, in: understander.file, contexts)
    if let other, other.intent == draft.intent, !other.slots.isEmpty {
      var changed = draft
      changed.take(other.slots.map { $0.moved(by: turn.skipped) }, by: rules(of: draft))
      if changed.values != draft.values { return kept(resolve(changed, turn), draft, question, turn) }
      if kind == .yesAnd {
        changed.isConfirmed = true
        return kept(resolve(changed, turn), draft, question, turn)
      }
    }
    if kind == .yesAnd { return nil }
    if let other, other.intent != draft.intent { return begin(turn) }
    return cancel(draft, .cancelled, reply: .declined, turn)
  }

  private mutating func take(
    _ said: Answers.Reading, _ draft: Draft, _ question: Question, _ turn: Turn
  ) -> DialogueAction {
    var draft = draft
    draft.confidence = min(draft.confidence, said.confidence)
    switch said.kind {
    case .cancel, .abandon, .trailing: return cancel(draft, .cancelled, turn)
    case .no, .refusal:
      let isDeclined = question.kind == .confirmation
      return cancel(draft, .cancelled, reply: isDeclined ? .declined : .cancelled, turn)
    case .yes, .agreement:
      draft.take([], by: [])
      draft.isConfirmed = true
      return resolve(draft, turn)
    case .choice, .place, .named:
      guard let value = question.pick(said, of: draft, sources[draft.intent], answers),
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
    case .yesAnd, .noBut: return ask(draft, question, turn)
    case .value, .change, .correction, .addition:
      draft.take(said.slots, by: rules(of: draft), isMore: said.kind == .addition)
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
  ///
  /// - Parameter isPlain: whether only yes and no count as answers to a confirmation.
  func read(
    _ text: String, as question: Question, of intent: String, isPlain: Bool = false
  ) -> Reading? {
    let general: [AnswerKind] = [.cancel, .no]
    switch question.kind {
    case .confirmation:
      let plain = general + [.yes, .agreement, .refusal]
      return interpret(text, as: isPlain ? plain : plain + [.change, .correction, .addition], of: intent)
    case .value(let slot), .choice(let slot, _):
      let takesAnything = wildcards.contains(AnswerKind.value(slot).name(of: intent))
      let value = [AnswerKind.value(slot)]
      if !takesAnything, let said = interpret(text, as: value, of: intent) { return said }
      let known = general + [.choice, .correction] + (takesAnything ? value : [])
      if case .value = question.kind { return interpret(text, as: known, of: intent) }
      return interpret(text, as: known + [.place], of: intent) ?? interpret(text, as: [.named])
    }
  }
}
