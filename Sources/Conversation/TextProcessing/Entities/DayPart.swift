/// The half of the day that is said with an hour from one to twelve.
package enum DayPart: Sendable {
  case morning, afternoon, night

  /// The hour of 24 that "eight" means in it; at night small hours are those after midnight.
  package func hour(of hour: Int) -> Int {
    guard (1...12).contains(hour) else { return hour }
    let morning = hour % 12
    return switch self {
    case .morning: morning
    case .afternoon: morning + 12
    case .night: morning >= 5 ? morning + 12 : morning
    }
  }

  private static let phrases: [(words: String, part: DayPart)] = [
    ("a . m .", .morning), ("a . m", .morning), ("a m", .morning), ("am", .morning),
    ("p . m .", .afternoon), ("p . m", .afternoon), ("p m", .afternoon), ("pm", .afternoon),
    ("in the morning", .morning), ("this morning", .morning), ("in the afternoon", .afternoon),
    ("this afternoon", .afternoon), ("in the evening", .afternoon), ("this evening", .afternoon),
    ("at night", .night), ("tonight", .night),
  ]
  private static let signs = 8

  /// The part of the day said at `index`, and the place behind it.
  ///
  /// - Parameter knowsWords: whether more than "am" and "pm" is known.
  package static func said(in text: EntityTokens, at index: Int, knowsWords: Bool) -> (
    end: Int, part: DayPart
  )? {
    for phrase in knowsWords ? phrases[...] : phrases.prefix(signs) {
      if let end = text.end(of: phrase.words, at: index) { return (end, phrase.part) }
    }
    return nil
  }

  /// As ``said(in:at:knowsWords:)``, in front of the hour: "tonight at eight".
  static func leading(_ text: EntityTokens, at index: Int) -> (end: Int, part: DayPart)? {
    for phrase in phrases.dropFirst(signs) {
      if let end = text.end(of: phrase.words, at: index) { return (end, phrase.part) }
    }
    return nil
  }
}
