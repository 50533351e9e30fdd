extension GrammarRules {
  /// The number of words after each reference to a rule is replaced by the rule: a list of 1,000 names that two rules refer to
  /// counts twice. At most `Int.max`.
  package var expandedWords: Int {
    var known: [String: Int] = [:]
    return words(of: .rule(start), &known)
  }

  private func words(of part: Part, _ known: inout [String: Int]) -> Int {
    switch part {
    case .word: return 1
    case .void: return 0
    case .sequence(let parts): return parts.reduce(0) { Self.sum($0, words(of: $1, &known)) }
    case .alternatives(let choices): return choices.reduce(0) { Self.sum($0, words(of: $1.part, &known)) }
    case .repeated(let inner, _): return words(of: inner, &known)
    case .rule(let name):
      if let count = known[name] { return count }
      // For a rule that refers to itself, which the recognizers reject.
      known[name] = 0
      let count = rules[name].map { words(of: $0, &known) } ?? 0
      known[name] = count
      return count
    }
  }

  private static func sum(_ first: Int, _ second: Int) -> Int {
    let (sum, isTooLarge) = first.addingReportingOverflow(second)
    return isTooLarge ? .max : sum
  }
}
