/// What is understood without a list: `{type: date}` as a list, `{date}` in a template, `(date:when)` in an example.
package enum EntityKind: String, Sendable, CaseIterable {
  case number, ordinal, percentage, date, time, duration, temperature, money, colour

  /// The kind called `name`, in either spelling of "colour".
  package init?(named name: String) {
    self.init(rawValue: name == "color" ? "colour" : name)
  }
}
