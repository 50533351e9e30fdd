import Platform

/// The events that a run of the service reported, in order.
struct Story {
  let events: [JSON]
  let outcome: Program.Outcome

  init(_ outcome: Program.Outcome) throws {
    self.outcome = outcome
    events = try outcome.objects
  }

  /// The events' names, without partial results.
  var names: [String] { events.compactMap { $0["event"]?.string }.filter { $0 != "partial" } }

  func all(_ name: String) -> [JSON] { events.filter { $0["event"]?.string == name } }

  /// Whether each wake has exactly one idle before the next.
  var isPaired: Bool {
    names.filter { ["wake", "idle"].contains($0) }.enumerated().allSatisfy {
      $0.element == ($0.offset.isMultiple(of: 2) ? "wake" : "idle")
    } && all("wake").count == all("idle").count
  }
}
