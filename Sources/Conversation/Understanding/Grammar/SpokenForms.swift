import TextProcessing

/// The spoken forms of built-in entities for a grammar: the common ones; text may contain many more.
extension EntityKind {
  /// The forms as a template; nil for any number.
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

/// Integers from 0 to 1000 in words, with shared parts: "twenty | thirty", then "one | two".
///
/// Recognizers expand every use of a rule; a list of all numbers below 1000 would be 40 times as long.
struct SpelledNumbers {
  /// The numbers; all in 0…1000.
  let numbers: Set<Int>

  var phrase: Phrase {
    var ways: [Phrase] = []
    let byHundred = Dictionary(grouping: numbers.filter { $0 < 1_000 }.sorted()) { $0 / 100 }
    if let below = byHundred[0] { ways.append(Self.belowHundred(below)) }
    let hundreds = byHundred.filter { $0.key > 0 }.mapValues { $0.map { $0 % 100 } }
    for (names, rests) in Self.grouped(hundreds) {
      ways.append(.sequence([Self.words(names), .space, .letters("hundred"), Self.behindHundred(rests)]))
    }
    if numbers.contains(100) { ways.append(Self.words("a", "hundred")) }
    if numbers.contains(1_000) { ways += [Self.words("one", "thousand"), Self.words("a", "thousand")] }
    return .alternative(ways)
  }

  private static func behindHundred(_ rests: [Int]) -> Phrase {
    let below = rests.filter { $0 > 0 }
    if below.isEmpty { return .nothing }
    let and = Phrase.alternative([.sequence([.letters("and"), .space]), .nothing])
    let spoken = Phrase.sequence([.space, and, belowHundred(below)])
    return below.count < rests.count ? .alternative([spoken, .nothing]) : spoken
  }

  private static func belowHundred(_ numbers: [Int]) -> Phrase {
    var ways = numbers.filter { $0 < 20 }.map { Phrase.letters(NumberWords.spelled($0)) }
    let tens = Dictionary(grouping: numbers.filter { $0 >= 20 }) { $0 / 10 * 10 }
    for (names, units) in grouped(tens.mapValues { $0.map { $0 % 10 } }) {
      let below = units.filter { $0 > 0 }
      let unit = Phrase.sequence([.space, words(below)])
      let isOptional = below.count < units.count
      let behind = below.isEmpty ? .nothing : isOptional ? .alternative([unit, .nothing]) : unit
      ways.append(.sequence([words(names), behind]))
    }
    return .alternative(ways)
  }

  /// Groups the keys that have equal rests, in order.
  private static func grouped(_ rests: [Int: [Int]]) -> [(keys: [Int], rests: [Int])] {
    Dictionary(grouping: rests.keys.sorted()) { rests[$0]! }.map { ($1, $0) }
      .sorted { $0.keys[0] < $1.keys[0] }
  }

  /// One of `numbers`, each a single word.
  private static func words(_ numbers: [Int]) -> Phrase {
    .alternative(numbers.map { .letters(NumberWords.spelled($0)) })
  }

  private static func words(_ first: String, _ second: String) -> Phrase {
    .sequence([.letters(first), .space, .letters(second)])
  }
}
