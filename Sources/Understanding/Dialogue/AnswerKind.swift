/// What an answer is; each is an intent of its own among the ``Answers``.
enum AnswerKind: Equatable {
  case yes, no, cancel
  /// "never mind" behind anything else.
  case trailing
  /// One of the choices, by its place: the slot ``pick``.
  case choice
  /// The value of a slot that was asked for.
  case value(String)
  /// Values of any slots.
  case change
  /// The same with words that say that something was wrong.
  case correction

  static let pick = "pick"

  /// The intent that it is as an answer to a question of `intent`.
  func name(of intent: String) -> String {
    switch self {
    case .yes, .no, .cancel, .trailing, .choice: "\(self)"
    case .value(let slot): "\(intent) value \(slot)"
    case .change, .correction: "\(intent) \(self)"
    }
  }
}
