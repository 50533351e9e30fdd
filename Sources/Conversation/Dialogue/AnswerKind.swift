import Understanding

/// What an answer is; each is an intent of its own among the ``Answers``.
enum AnswerKind: Equatable {
  case yes, no, cancel
  /// Yes or no with the slot ``words`` behind it.
  case yesAnd, noBut
  /// Yes or no with what is to be done: "yes, open it", "don't open it".
  case agreement, refusal
  /// "cancel" with anything behind it.
  case abandon
  /// "never mind" behind anything else.
  case trailing
  /// One of the choices, by its place: the slot ``pick``.
  case choice
  /// The same by a bare number: "two".
  case place
  /// One of the choices, by some of its words: the slot ``words``.
  case named
  /// The value of a slot that was asked for.
  case value(String)
  /// Values of any slots.
  case change
  /// The same with words that say that something was wrong.
  case correction
  /// Values that join those of a slot that takes several.
  case addition

  static let pick = "pick"
  static let words = "words"

  /// The slot of a value that several slots take, which one the words do not tell.
  static func bare(_ list: String) -> String { "bare \(list)" }

  /// The list of such a slot; nil for other slots.
  static func list(ofBare slot: String) -> String? {
    slot.hasPrefix("bare ") ? String(slot.dropFirst("bare ".count)) : nil
  }

  /// The intent that it is as an answer to a question of `intent`.
  func name(of intent: String) -> String {
    switch self {
    case .yes, .no, .yesAnd, .noBut, .cancel, .abandon, .trailing, .choice, .place, .named: "\(self)"
    case .value(let slot): "\(intent) value \(slot)"
    case .change, .correction, .addition, .agreement, .refusal: "\(intent) \(self)"
    }
  }
}
