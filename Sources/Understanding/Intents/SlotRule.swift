/// What an intent says of one of its slots, under `slots:`.
package struct SlotRule: Sendable {
  package let name: String
  /// The list or built-in entity that its values come from; nil where the sentences tell.
  package var list: String?
  /// Whether it takes several values, so that its value is an array.
  package var isMany = false
  package let position: SourcePosition

  package init(name: String, position: SourcePosition) {
    self.name = name
    self.position = position
  }
}
