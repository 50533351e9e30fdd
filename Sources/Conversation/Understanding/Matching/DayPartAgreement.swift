import Platform
import TextProcessing

extension [Interpretation.Slot] {
  private static let closing: [String: DayPart] = [
    "morning": .morning, "afternoon": .afternoon, "evening": .afternoon, "night": .night, "tonight": .night,
  ]
  /// Words of times that leave no half of the day open.
  private static let settled: Set<String> = ["in", "now", "from", "noon", "midday", "midnight"]

  /// The slots with the time in the half of the day that was said with the date: "tomorrow evening at seven" is 19:00.
  func agreeingOnDayPart() -> Self {
    let dates = filter { $0.kind == .date }
    let times = indices.filter { self[$0].kind == .time }
    guard dates.count == 1, times.count == 1, let last = NormalizedText(dates[0].text).words.last,
      let part = Self.closing[last.text]
    else { return self }
    let slot = self[times[0]]
    let text = EntityTokens(NormalizedText(slot.text))
    let isSettled = text.tokens.indices.contains { index in
      Self.settled.contains(text.word(index)) || DayPart.said(in: text, at: index, knowsWords: true) != nil
    }
    guard !isSettled, let time = slot.value.string, let hour = Int(time.prefix(2)) else { return self }
    let padded = "0\(part.hour(of: hour))".suffix(2)
    var slots = self
    slots[times[0]] = Interpretation.Slot(
      name: slot.name, value: .string("\(padded)\(time.dropFirst(2))"), text: slot.text,
      confidence: slot.confidence, range: slot.range)
    slots[times[0]].spoken = slot.spoken
    slots[times[0]].kind = slot.kind
    return slots
  }
}
