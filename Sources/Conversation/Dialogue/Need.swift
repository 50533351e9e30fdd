import Platform
import Understanding

/// What must be settled before an intent can be carried out.
enum Need: Sendable {
  /// A slot has no value.
  case value(String)
  /// The words for a slot mean several values.
  case choice(String, [JSON])
  /// A slot's value is none that it takes.
  case other(String)

  var slot: String {
    switch self {
    case .value(let slot), .choice(let slot, _), .other(let slot): slot
    }
  }

  /// Whether asking for it asks the same as `question` did; several values for what had none is a step ahead.
  func repeats(_ question: Question) -> Bool {
    guard question.slot == slot else { return false }
    if case .choice = self, case .value = question.kind { return false }
    return true
  }

  /// The first need of `draft`, in the order of the slots' rules.
  init?(_ draft: Draft, _ rules: [SlotRule], _ sources: [String: SlotSource], _ answers: Answers) {
    for rule in rules {
      guard let slot = draft[rule.name] else {
        guard rule.isRequired, rule.unless.allSatisfy({ draft[$0] == nil }) else { continue }
        self = .value(rule.name)
        return
      }
      if !rule.isMany, let list = sources[rule.name]?.list {
        let meant = answers.chooser.values(of: list, for: slot.text)
        if meant.count > 1 {
          self = .choice(rule.name, meant)
          return
        }
      }
      let values = slot.value.array ?? [slot.value]
      let isBeyond = values.contains { value in
        guard let number = value.number else { return false }
        return rule.from.map { number < $0 } ?? false || rule.to.map { number > $0 } ?? false
      }
      let isSame = rule.unlike.flatMap { draft[$0]?.value } == slot.value
      if isBeyond || isSame {
        self = .other(rule.name)
        return
      }
    }
    return nil
  }
}
