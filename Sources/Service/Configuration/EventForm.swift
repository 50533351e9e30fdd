/// How `run` reports what happens.
package enum EventForm: String, Sendable, CaseIterable {
  /// One line in words for a person.
  case text
  /// One JSON object a line.
  case json
}
