import Platform
import TextProcessing

extension [Interpretation.Slot] {
  /// The slots with `slot`'s value among those of the slot of its name, which takes several: each once, as an array.
  func gathering(_ slot: Interpretation.Slot, in text: NormalizedText) -> Self {
    guard let index = firstIndex(where: { $0.name == slot.name }), case .array(let values) = self[index].value
    else {
      let alone = Interpretation.Slot(
        name: slot.name, value: .array([slot.value]), text: slot.text, confidence: slot.confidence,
        range: slot.range)
      return self + [alone]
    }
    let known = self[index]
    var range = known.range
    if let first = known.range, let second = slot.range {
      range = Swift.min(first.lowerBound, second.lowerBound)..<Swift.max(first.upperBound, second.upperBound)
    }
    var slots = self
    slots[index] = Interpretation.Slot(
      name: slot.name, value: .array(values.contains(slot.value) ? values : values + [slot.value]),
      text: range.map(text.original) ?? known.text, confidence: Swift.min(known.confidence, slot.confidence),
      range: range)
    return slots
  }
}
