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
  /// Values that join those of a slot that takes several.
  case addition

  static let pick = "pick"

  /// The slot of a value that several slots take, which one the words do not tell.
  static func bare(_ list: String) -> String { "bare \(list)" }

  /// The list of such a slot; nil for other slots.
  static func list(ofBare slot: String) -> String? {
    slot.hasPrefix("bare ") ? String(slot.dropFirst("bare ".count)) : nil
  }

  /// The intent that it is as an answer to a question of `intent`.
  func name(of intent: String) -> String {
    switch self {
    case .yes, .no, .cancel, .trailing, .choice: "\(self)"
    case .value(let slot): "\(intent) value \(slot)"
    case .change, .correction, .addition: "\(intent) \(self)"
    }
  }
}
