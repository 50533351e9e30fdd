import Platform
import Understanding

extension [Interpretation.Slot] {
  /// One slot for each name, in the order of the first of each.
  ///
  /// Where a name comes several times with different values, its slot holds them as an array, each once and in the order
  /// of `text`, as a slot of the intent file with `many: true` does.
  func joined(in text: String) -> Self {
    var names: [String] = []
    var groups: [String: Self] = [:]
    for slot in self {
      if groups[slot.name] == nil { names.append(slot.name) }
      groups[slot.name, default: []].append(slot)
    }
    return names.compactMap { groups[$0]?.made(in: text) }
  }

  /// The one slot of slots of one name.
  private func made(in text: String) -> Interpretation.Slot? {
    let places = compactMap(\.range)
    let isPlaced = places.count == count
    let ordered = isPlaced ? sorted { $0.range!.lowerBound < $1.range!.lowerBound } : self
    var values: [JSON] = []
    for slot in ordered where !values.contains(slot.value) { values.append(slot.value) }
    guard values.count > 1, let least = map(\.confidence).min() else { return ordered.first }
    var range: Range<Int>?
    if isPlaced, let start = places.map(\.lowerBound).min(), let end = places.map(\.upperBound).max() {
      range = start..<end
    }
    let words = range.map { ServiceAnswer.words(of: text, $0) } ?? ordered.map(\.text).joined(separator: " ")
    return Interpretation.Slot(
      name: ordered[0].name, value: .array(values), text: ServiceAnswer.line(words) ?? "", confidence: least,
      range: range)
  }
}
