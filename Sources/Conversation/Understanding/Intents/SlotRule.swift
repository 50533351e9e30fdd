import YAMLFormat

/// What an intent says of one of its slots, under `slots:`.
package struct SlotRule: Sendable {
  package let name: String
  /// The list or built-in entity that its values come from; nil where the sentences tell.
  package var list: String?
  /// Whether it takes several values, so that its value is an array.
  package var isMany = false
  package var isRequired = false
  /// Slots any of which make it needless.
  package var unless: [String] = []
  /// What is asked for it: the first time, the second, …
  package var prompts: [ReplyTemplate] = []
  /// What is asked when the same words mean several values; `{choices}` stands for them.
  package var choices: ReplyTemplate?
  /// The numbers that it takes.
  package var from: Double?
  package var to: Double?
  /// The slot that must have another value.
  package var unlike: String?
  /// Why a value is not taken.
  package var unsupported: ReplyTemplate?
  /// The slot that this one's values join.
  package var adds: String?
  /// The slot that this one's values leave.
  package var removes: String?
  /// More ways to answer, with `{list:slot}` for the value.
  package var answers: [Rule] = []
  package let position: SourcePosition

  package init(name: String, position: SourcePosition) {
    self.name = name
    self.position = position
  }

  /// Whether anything may be asked for it.
  package var isAsked: Bool { isRequired || choices != nil || from != nil || to != nil || unlike != nil }
}
