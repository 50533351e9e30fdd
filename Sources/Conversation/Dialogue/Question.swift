import Platform
import TextProcessing
import Understanding

/// A question that waits for its answer.
struct Question: Sendable {
  enum Kind: Sendable, Equatable {
    /// For the value of a slot.
    case value(String)
    /// Which of the values was meant for a slot.
    case choice(String, [JSON])
    case confirmation
  }

  let kind: Kind
  /// How often it got no answer.
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

  /// The slot that it is about.
  var slot: String? {
    switch kind {
    case .value(let slot), .choice(let slot, _): slot
    case .confirmation: nil
    }
  }

  /// The most values that are told when a slot is asked for.
  private static let mostTold = 9

  /// The words of the question.
  func prompt(
    about draft: Draft, _ intent: Intent, _ sources: [String: SlotSource], _ answers: Answers
  ) -> String {
    let words = answers.words
    let again = failures > 0 ? words.reply(.again) + " " : ""
    switch kind {
    case .value(let name):
      let rule = intent.slot(name)
      let told = values(of: draft, sources, answers).prefix(Self.mostTold).map(ReplyTemplate.words)
      let known = ["choices": words.listed(Array(told), by: .or), "slot": name.replacing("_", with: " ")]
      let prompts = (rule?.prompts ?? []).compactMap { $0.filled { known[$0] ?? draft.words($0) } }
      if failures > 0, prompts.count > 1 { return prompts[min(failures, prompts.count - 1)] }
      return again + (prompts.first ?? words.reply(.which, known))
    case .choice(let name, let values):
      let known = ["choices": words.listed(values.map(ReplyTemplate.words), by: .or)]
      let own = intent.slot(name)?.choices?.filled { known[$0] ?? draft.words($0) }
      return again + (own ?? words.reply(.choose, known))
    case .confirmation:
      let own = intent.demands.confirmations.lazy.compactMap { $0.filled { draft.words($0) } }.first
      return again + (own ?? words.reply(.confirm))
    }
  }

  /// The value that an answer picks by its place, or by words that no other has; nil where there is none.
  func pick(
    _ said: Answers.Reading, of draft: Draft, _ sources: [String: SlotSource], _ answers: Answers
  ) -> JSON? {
    let values = values(of: draft, sources, answers)
    guard let answer = said.slots.first, !values.isEmpty else { return nil }
    guard let place = answer.value.number else {
      let words = Set(NormalizedText(answer.text).words.map(\.text))
      let list = slot.flatMap { sources[$0]?.list } ?? ""
      let named = values.filter { words.isSubset(of: answers.chooser.words(for: $0, of: list)) }
      guard let only = named.first, named.count == 1 else { return nil }
      return only
    }
    let index = place < 0 ? values.count - 1 : Int(place) - 1
    guard values.count <= Self.mostTold, values.indices.contains(index) else { return nil }
    return values[index]
  }

  private func values(of draft: Draft, _ sources: [String: SlotSource], _ answers: Answers) -> [JSON] {
    switch kind {
    case .choice(_, let values): values
    case .value(let slot): sources[slot]?.list.map { answers.chooser.values(of: $0) } ?? []
    case .confirmation: []
    }
  }

  /// Why the slot's value is not taken.
  static func reason(
    against slot: String, of draft: Draft, _ rules: [SlotRule], _ words: DialogueWords
  ) -> String {
    let own = rules.first { $0.name == slot }?.unsupported?.filled {
      $0 == "value" ? draft.words(slot) : draft.words($0)
    }
    return own ?? words.reply(.unsupported)
  }
}
