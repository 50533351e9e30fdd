import TextProcessing

/// Whole numbers from 0 to 1000 in words, written with shared parts: "twenty | thirty" and then "one | two".
///
/// Recognizers write out every use of a rule; a list of all numbers below a thousand would be 40 times as long.
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

  /// The keys that have the same rests, together, in their order.
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
