import Platform
import TextProcessing
import Understanding

/// An open question.
struct Question: Sendable {
  enum Kind: Sendable, Equatable {
    /// A request for the value of a slot.
    case value(String)
    /// A request to choose between the values of a slot.
    case choice(String, [JSON])
    case confirmation
  }

  let kind: Kind
  /// The number of turns without an answer.
  var failures = 0

  init(kind: Kind, failures: Int = 0) {
    self.kind = kind
    self.failures = failures
  }

  var status: Interpretation.Status {
    switch kind {
    case .value: .needsValue
    case .choice: .needsDisambiguation
    case .confirmation: .needsConfirmation
    }
  }

  /// The answers to it that a recognizer's grammar has.
  var expected: [AnswerKind] {
    switch kind {
    case .confirmation: [.yes, .no, .cancel, .agreement, .refusal, .correction, .addition]
    case .value(let slot), .choice(let slot, _): [.value(slot), .choice, .no, .cancel, .correction]
    }
  }

  /// The slot of the question; nil for a confirmation.
  var slot: String? {
    switch kind {
    case .value(let slot), .choice(let slot, _): slot
    case .confirmation: nil
    }
  }

  /// The maximum number of values in a prompt.
  private static let maximumChoices = 9

  /// The text of the question.
  func prompt(
    about pending: PendingIntent, _ intent: Intent, _ sources: [String: SlotSource], _ answers: Answers
  ) -> String {
    let words = answers.words
    let again = failures > 0 ? words.reply(.again) + " " : ""
    switch kind {
    case .value(let name):
      let rule = intent.slot(name)
      let offered = values(sources, answers).prefix(Self.maximumChoices).map(ReplyTemplate.words)
      let known = ["choices": words.listed(Array(offered), by: .or), "slot": name.replacing("_", with: " ")]
      let prompts = (rule?.prompts ?? []).compactMap { $0.filled { known[$0] ?? pending.words($0) } }
      if failures > 0, prompts.count > 1 { return prompts[min(failures, prompts.count - 1)] }
      return again + (prompts.first ?? words.reply(.which, known))
    case .choice(let name, let values):
      let known = ["choices": words.listed(values.map(ReplyTemplate.words), by: .or)]
      let own = intent.slot(name)?.choices?.filled { known[$0] ?? pending.words($0) }
      return again + (own ?? words.reply(.choose, known))
    case .confirmation:
      let own = intent.requirements.confirmations.lazy.compactMap { $0.filled { pending.words($0) } }.first
      return again + (own ?? words.reply(.confirm))
    }
  }

  /// The value that an answer selects by its ordinal, or by words that only this value has; nil where there is none.
  func pick(
    _ answer: Answers.Answer, of pending: PendingIntent, _ sources: [String: SlotSource], _ answers: Answers
  ) -> JSON? {
    let values = values(sources, answers)
    guard let chosen = answer.slots.first, !values.isEmpty else { return nil }
    guard let place = chosen.value.number else {
      let words = Set(NormalizedText(chosen.text).words.map(\.text))
      let list = slot.flatMap { sources[$0]?.list } ?? ""
      let named = values.filter { words.isSubset(of: answers.chooser.words(for: $0, of: list)) }
      guard let only = named.first, named.count == 1 else { return nil }
      return only
    }
    let index = place < 0 ? values.count - 1 : Int(place) - 1
    guard values.count <= Self.maximumChoices, values.indices.contains(index) else { return nil }
    return values[index]
  }

  private func values(_ sources: [String: SlotSource], _ answers: Answers) -> [JSON] {
    switch kind {
    case .choice(_, let values): values
    case .value(let slot): sources[slot]?.list.map { answers.chooser.values(of: $0) } ?? []
    case .confirmation: []
    }
  }

  /// The reply to a value that is not accepted.
  static func reason(
    against slot: String, of pending: PendingIntent, _ rules: [SlotRule], _ words: DialogueWords
  ) -> String {
    let own = rules.first { $0.name == slot }?.unsupported?.filled {
      $0 == "value" ? pending.words(slot) : pending.words($0)
    }
    return own ?? words.reply(.unsupported)
  }
}

/// A problem of a slot that must be solved before the intent can be handled.
enum SlotProblem: Sendable {
  /// A required slot has no value.
  case missing(String)
  /// The words for a slot match several values.
  case ambiguous(String, [JSON])
  /// The value of a slot is not accepted.
  case unsupported(String)

  var slot: String {
    switch self {
    case .missing(let slot), .ambiguous(let slot, _), .unsupported(let slot): slot
    }
  }

  /// Whether its question repeats `question`. A choice between values for a slot that had none is not a repetition.
  func repeats(_ question: Question) -> Bool {
    guard question.slot == slot else { return false }
    if case .ambiguous = self, case .value = question.kind { return false }
    return true
  }

  /// The first problem of the intent, in the order of the slots' rules; nil where there is none.
  init?(_ pending: PendingIntent, _ rules: [SlotRule], _ sources: [String: SlotSource], _ answers: Answers) {
    for rule in rules {
      guard let slot = pending[rule.name] else {
        guard rule.isRequired, rule.unless.allSatisfy({ pending[$0] == nil }) else { continue }
        self = .missing(rule.name)
        return
      }
      if !rule.isMany, let list = sources[rule.name]?.list {
        let meant = answers.chooser.values(of: list, for: slot.text)
        if meant.count > 1 {
          self = .ambiguous(rule.name, meant)
          return
        }
      }
      let values = slot.value.array ?? [slot.value]
      let isBeyond = values.contains { value in
        // Limits have no unit: those of a temperature are for one that is said without.
        let degrees = value["unit"] == .null ? value["degrees"]?.number : nil
        guard let number = value.number ?? degrees ?? value["amount"]?.number else { return false }
        return rule.from.map { number < $0 } ?? false || rule.to.map { number > $0 } ?? false
      }
      let isSame = rule.unlike.flatMap { pending[$0]?.value } == slot.value
      if isBeyond || isSame {
        self = .unsupported(rule.name)
        return
      }
    }
    return nil
  }
}
