import Platform
import TextProcessing
import Understanding

/// Turns while a question is open.
extension DialogueStateMachine {
  mutating func answer(_ pending: PendingIntent, _ question: Question, _ turn: Turn) -> DialogueAction {
    if let action = processAnswer(to: question, of: pending, turn) { return action }
    let found = understander.interpret(turn.text, context: known(contexts), among: intents)
    if let other = PendingIntent(found, in: understander.file, contexts) {
      guard other.intent == pending.intent else { return begin(turn) }
      var merged = pending
      merged.merge(other.slots, by: rules(of: pending))
      // The same command again is no answer to "Shall I?".
      if question.kind != .confirmation || merged.values != pending.values {
        return repeatingIfRefused(resolve(merged, turn), pending, question, turn)
      }
    } else if answers.interpret(turn.text, as: [.abandon]) != nil {
      return cancel(.cancelled, turn)
    }
    var again = question
    again.failures += 1
    if again.failures > answers.words.attempts { return cancel(.gaveUp, turn) }
    // Words that no built-in type reads are no value, and not one that is not accepted.
    if case .value(let slot) = question.kind, !isOfType(slot, of: pending),
      let reason = rules(of: pending).first(where: { $0.name == slot })?
        .unsupported?.filled({ ["value": turn.text][$0] ?? pending.words($0) })
    {
      guard case .ask(var asked) = ask(pending, again, turn) else { return begin(turn) }
      asked.status = .unsupported
      asked.prompt = reason
      return .ask(asked)
    }
    return ask(pending, again, turn)
  }

  private func isOfType(_ slot: String, of pending: PendingIntent) -> Bool {
    guard let name = sources[pending.intent][slot]?.list else { return false }
    guard let list = understander.file.lists[name] else { return EntityKind(named: name) != nil }
    if case .entity = list.kind { return true }
    return false
  }

  /// Replaces the end of the dialogue by a repeated question, up to `attempts` times, where the speaker is not allowed.
  private mutating func repeatingIfRefused(
    _ action: DialogueAction, _ pending: PendingIntent, _ question: Question, _ turn: Turn
  ) -> DialogueAction {
    guard case .end(var refused, .refused(let reason)) = action else { return action }
    var again = question
    again.failures += 1
    if again.failures > answers.words.attempts { return action }
    _ = ask(pending, again, turn)
    refused.prompt = "\(refused.reply ?? "") \(words(of: question, about: pending))"
    refused.reply = nil
    return .refuse(refused, reason: reason)
  }

  /// The question as it is asked first.
  private func words(of question: Question, about pending: PendingIntent) -> String {
    Question(kind: question.kind).prompt(
      about: pending, understander.file.intents[pending.intent], sources[pending.intent], answers)
  }

  /// Whether a turn begins with a word of the question itself: "cancel it" may mean yes to "Cancel your ride?".
  private func beginsWithWord(of question: Question, about pending: PendingIntent, _ turn: Turn) -> Bool {
    guard question.kind == .confirmation, let first = NormalizedText(turn.text).words.first else {
      return false
    }
    return NormalizedText(words(of: question, about: pending)).words.contains { $0.text == first.text }
  }

  /// Asks the question once more, up to `attempts` times.
  private mutating func askAgain(
    _ question: Question, of pending: PendingIntent, _ turn: Turn
  ) -> DialogueAction {
    var again = question
    again.failures += 1
    return again.failures > answers.words.attempts
      ? cancel(.gaveUp, turn) : ask(pending, again, turn)
  }

  /// Processes an answer to the question; nil where the text is not one.
  private mutating func processAnswer(to question: Question, of pending: PendingIntent, _ turn: Turn)
    -> DialogueAction?
  {
    let isConfirmation = question.kind == .confirmation
    if isConfirmation, answers.read(turn.text, as: question, of: pending.name, isPlain: true) == nil,
      let action = processChange(pending, question, by: .yesAnd, turn)
    {
      return action
    }
    if var answer = answers.read(turn.text, as: question, of: pending.name),
      let slots = pending.assigningBareValues(answer.slots, sources[pending.intent])
    {
      answer.slots = slots
      return repeatingIfRefused(apply(answer, pending, question, turn), pending, question, turn)
    }
    return isConfirmation ? processChange(pending, question, by: .noBut, turn) : nil
  }

  /// Processes "yes" or "no" with a change, which needs another confirmation; "no" with anything else declines.
  ///
  /// - Returns: nil for "yes" with words that are not understood.
  private mutating func processChange(
    _ pending: PendingIntent, _ question: Question, by kind: AnswerKind, _ turn: Turn
  ) -> DialogueAction? {
    guard let answer = answers.interpret(turn.text, as: [kind]), let rest = answer.slots.first?.range else {
      return nil
    }
    var turn = turn
    turn.skipped = rest.lowerBound
    if answers.interpret(turn.words, as: [.no, .cancel, .refusal], of: pending.name) != nil {
      return cancel(.cancelled, reply: .declined, turn)
    }
    if let change = answers.interpret(turn.words, as: [.change, .correction, .addition], of: pending.name),
      let slots = pending.assigningBareValues(change.slots, sources[pending.intent])
    {
      var changed = pending
      let isMore = kind == .yesAnd || change.kind == .addition
      changed.merge(slots.map { $0.shifted(by: turn.skipped) }, by: rules(of: pending), isMore: isMore)
      return repeatingIfRefused(resolve(changed, turn), pending, question, turn)
    }
    let found = understander.interpret(turn.words, context: known(contexts), among: intents)
    let other = PendingIntent(found, in: understander.file, contexts)
    if let other, other.intent == pending.intent {
      var changed = pending
      changed.merge(other.slots.map { $0.shifted(by: turn.skipped) }, by: rules(of: pending))
      if changed.values != pending.values {
        return repeatingIfRefused(resolve(changed, turn), pending, question, turn)
      }
      if kind == .yesAnd {
        changed.isConfirmed = true
        return repeatingIfRefused(resolve(changed, turn), pending, question, turn)
      }
    }
    if kind == .yesAnd { return nil }
    if let other, other.intent != pending.intent { return begin(turn) }
    return cancel(.cancelled, reply: .declined, turn)
  }

  private mutating func apply(
    _ answer: Answers.Answer, _ pending: PendingIntent, _ question: Question, _ turn: Turn
  ) -> DialogueAction {
    var pending = pending
    pending.confidence = min(pending.confidence, answer.confidence)
    switch answer.kind {
    case .cancel where beginsWithWord(of: question, about: pending, turn):
      return askAgain(question, of: pending, turn)
    case .cancel, .abandon, .trailing: return cancel(.cancelled, turn)
    case .no, .refusal:
      let isDeclined = question.kind == .confirmation
      return cancel(.cancelled, reply: isDeclined ? .declined : .cancelled, turn)
    case .yes, .agreement:
      pending.merge([], by: [])
      pending.isConfirmed = true
      return resolve(pending, turn)
    case .choice, .place, .named:
      guard let value = question.pick(answer, of: pending, sources[pending.intent], answers),
        let slot = question.slot
      else { return askAgain(question, of: pending, turn) }
      let words = answer.slots.first
      pending.merge(
        [
          Interpretation.Slot(
            name: slot, value: value, text: words?.text ?? "", confidence: answer.confidence,
            range: words?.range)
        ], by: [])
      return resolve(pending, turn)
    case .yesAnd, .noBut: return ask(pending, question, turn)
    case .value, .change, .correction, .addition:
      pending.merge(answer.slots, by: rules(of: pending), isMore: answer.kind == .addition)
      let isAnswered = answer.slots.contains { $0.name == question.slot }
      return resolve(pending, turn, answered: isAnswered ? question : nil)
    }
  }
}
