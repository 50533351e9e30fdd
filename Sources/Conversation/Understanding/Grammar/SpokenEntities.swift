import TextProcessing

/// How built-in entities are said, as templates for a grammar: the common ways, where reading knows many more.
extension EntityKind {
  /// The ways in hassil's notation; nil where any number is meant.
  var spoken: String? {
    switch self {
    case .number: nil
    case .ordinal: "(\(Self.ordinals))"
    case .percentage: "{0..100} percent"
    case .date:
      "(today|tonight|tomorrow|yesterday|[the] day after tomorrow|next week|[on|next|this|last] (\(Self.weekdays))"
        + "|(in|a) {1..31} (day|week)[s]|[on] [the] (\(Self.ordinals)) of (\(Self.months))"
        + "|[on] (\(Self.months)) [the] (\(Self.ordinals)))"
    case .time:
      "(noon|midday|midnight|{1..12} [o'clock|{10..59}|oh {1..9}] [\(Self.halves)]"
        + "|(half past|[a] quarter (past|to)|{1..29} [minutes] (past|to)) {1..12} [\(Self.halves)])"
    case .duration:
      "({1..90} (second|minute|hour|day|week)[s] [and a half] [[and] {1..59} (second|minute)[s]]"
        + "|(half an|an|a quarter of an) hour [and a half]|{1..12} and a half (hour|minute)s|a (minute|day|week))"
    case .temperature: "[minus] {0..120} [degree[s]] [celsius|fahrenheit]"
    case .money: "{1..999} (dollar|pound|euro)[s] [[and] {1..99} [cents|pence]]"
    case .colour:
      "[light|dark|warm] (red|orange|yellow|green|blue|purple|pink|white|black|grey|brown|cyan|turquoise|magenta"
        + "|violet|gold|silver)"
    }
  }

  private static let halves = "a m|p m|in the morning|in the afternoon|in the evening|at night"
  private static let weekdays = "monday|tuesday|wednesday|thursday|friday|saturday|sunday"
  private static let months =
    "january|february|march|april|may|june|july|august|september|october|november|december"
  private static let ordinals =
    "first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|thirteenth|fourteenth"
    + "|fifteenth|sixteenth|seventeenth|eighteenth|nineteenth|twentieth|twenty first|twenty second"
    + "|twenty third|twenty fourth|twenty fifth|twenty sixth|twenty seventh|twenty eighth|twenty ninth"
    + "|thirtieth|thirty first"
}
