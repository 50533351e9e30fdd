/// Cleans untrusted text for one line of a terminal, a log or an event.
public enum PlainText {
  /// `text` without control characters and invisible characters, with each run of white space as one space, up to `limit`
  /// characters.
  public static func line(_ text: String, limit: Int = 2_000) -> String {
    var kept = String.UnicodeScalarView()
    var isAfterSpace = true
    var count = 0
    for scalar in text.unicodeScalars {
      if count >= limit { break }
      if scalar.properties.isWhitespace || scalar.properties.generalCategory == .control {
        if !isAfterSpace { kept.append(" ") }
        isAfterSpace = true
        continue
      }
      switch scalar.properties.generalCategory {
      case .format where scalar != "\u{200D}", .privateUse, .surrogate, .unassigned: continue
      default: break
      }
      kept.append(scalar)
      isAfterSpace = false
      count += 1
    }
    if kept.last == " " { kept.removeLast() }
    return String(kept)
  }
}
