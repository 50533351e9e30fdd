import Platform

extension GrammarRules {
  /// The grammar without the sentences that need one of `words`, which have no pronunciation. A warning names them.
  ///
  /// - Throws: ``RecognitionFault/unpronounceable(words:)`` if no sentence is left.
  func leavingOut(_ words: [String]) throws(RecognitionFault) -> GrammarRules {
    guard !words.isEmpty else { return self }
    let fault = RecognitionFault.unpronounceable(words: words)
    guard let rest = without(Set(words)) else { throw fault }
    Log.warning("\(fault.message); sentences that need them are not recognized")
    return rest
  }

  /// The grammar without the sentences that need one of `words`; nil if none is left.
  package func without(_ words: Set<String>) -> GrammarRules? {
    var pruning = Pruning(rules: rules, words: words)
    guard pruning.rest(of: .rule(start)) != nil else { return nil }
    return GrammarRules(rules: pruning.kept.compactMapValues { $0 }, start: start)
  }

  /// The grammar as text.
  package var jsgf: String {
    let others = rules.keys.filter { $0 != start }.sorted()
    let lines = ([start] + others).map { name in
      "\(name == start ? "public " : "")<\(name)> = \(Self.text(of: rules[name] ?? .void));\n"
    }
    return "#JSGF V1.0;\ngrammar g;\n" + lines.joined()
  }

  private static func text(of part: Part) -> String {
    switch part {
    case .word(let word): return word
    case .sequence(let parts):
      return parts.isEmpty ? "<NULL>" : parts.map { text(of: $0) }.joined(separator: " ")
    case .alternatives(let choices):
      let isWeighted = choices.contains { $0.weight != 1 }
      let texts = choices.map { (isWeighted ? "/\($0.weight)/ " : "") + text(of: $0.part) }
      return "( \(texts.joined(separator: " | ")) )"
    case .rule(let name): return "<\(name)>"
    case .repeated(let part, let atLeastOnce): return "( \(text(of: part)) )\(atLeastOnce ? "+" : "*")"
    case .void: return "<VOID>"
    }
  }

  /// Removes what cannot be said without some words.
  private struct Pruning {
    let rules: [String: Part]
    let words: Set<String>
    /// What is left of the rules that the start needs; nil for those that cannot be said.
    var kept: [String: Part?] = [:]

    mutating func rest(of part: Part) -> Part? {
      switch part {
      case .void: return nil
      case .word(let word): return words.contains(word) ? nil : part
      case .sequence(let parts):
        var rests: [Part] = []
        for part in parts {
          guard let rest = rest(of: part) else { return nil }
          rests.append(rest)
        }
        return .sequence(rests)
      case .alternatives(let choices):
        let rests = choices.compactMap { choice in
          rest(of: choice.part).map { Choice($0, weight: choice.weight) }
        }
        return rests.isEmpty ? nil : .alternatives(rests)
      case .repeated(let inner, let atLeastOnce):
        return rest(of: inner).map { .repeated($0, atLeastOnce: atLeastOnce) }
          ?? (atLeastOnce ? nil : .nothing)
      case .rule(let name):
        if let known = kept[name] { return known == nil ? nil : part }
        // A rule that is missing, or a part of itself, is reported where the grammar is used.
        guard let body = rules[name] else { return part }
        kept[name] = .some(body)
        kept[name] = .some(rest(of: body))
        return kept[name]! == nil ? nil : part
      }
    }
  }
}
