/// The rules of a JSGF grammar as trees.
package struct GrammarRules: Sendable, Equatable {
  package indirect enum Part: Sendable, Equatable {
    case word(String)
    case sequence([Part])
    /// One of these, with probabilities proportional to their weights.
    case alternatives([Choice])
    case rule(String)
    /// `part*`, or `part+`.
    case repeated(Part, atLeastOnce: Bool)
    /// `<VOID>`: matches nothing.
    case void

    static let nothing = Part.sequence([])
  }

  package struct Choice: Sendable, Equatable {
    package let part: Part
    package let weight: Double

    package init(_ part: Part, weight: Double = 1) {
      self.part = part
      self.weight = weight
    }
  }

  package let rules: [String: Part]
  /// The first public rule.
  package let start: String
}

/// Parses a JSGF grammar (JSpeech Grammar Format, W3C note, 2000): one file, without imports and recursion.
package struct GrammarParser {
  private enum Token: Equatable {
    case word(String)
    case rule(String)
    case weight(Double)
    case mark(Character)
  }

  private static let depthLimit = 64

  private let tokens: [Token]
  private var index = 0
  private var depth = 0

  /// - Throws: ``RecognitionFault/badGrammar(reason:)``.
  package static func parse(_ text: String) throws(RecognitionFault) -> GrammarRules {
    guard text.hasPrefix("#JSGF") else { throw .badGrammar(reason: "it does not start with #JSGF") }
    var parser = GrammarParser(tokens: try tokens(of: text))
    return try parser.file()
  }

  private init(tokens: [Token]) { self.tokens = tokens }

  private mutating func file() throws(RecognitionFault) -> GrammarRules {
    var rules: [String: GrammarRules.Part] = [:]
    var start: String?
    while index < tokens.count {
      let isPublic = take(.word("public"))
      guard case .rule(let name)? = next() else { throw .badGrammar(reason: "a rule's <name> is missing") }
      guard take(.mark("=")) else { throw .badGrammar(reason: "no '=' follows <\(name)>") }
      let body = try alternatives()
      guard take(.mark(";")) else { throw .badGrammar(reason: "no ';' ends <\(name)>") }
      guard rules.updateValue(body, forKey: name) == nil else {
        throw .badGrammar(reason: "<\(name)> is defined twice")
      }
      if isPublic, start == nil { start = name }
    }
    guard let start else { throw .badGrammar(reason: "no rule is public") }
    return GrammarRules(rules: rules, start: start)
  }

  private mutating func alternatives() throws(RecognitionFault) -> GrammarRules.Part {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.depthLimit else { throw .badGrammar(reason: "its brackets are nested too deeply") }
    var choices: [GrammarRules.Choice] = []
    repeat {
      var weight = 1.0
      if case .weight(let number)? = peek {
        weight = number
        index += 1
      }
      choices.append(GrammarRules.Choice(try sequence(), weight: weight))
    } while take(.mark("|"))
    return choices.count == 1 ? choices[0].part : .alternatives(choices)
  }

  private mutating func sequence() throws(RecognitionFault) -> GrammarRules.Part {
    var parts: [GrammarRules.Part] = []
    while let token = peek {
      let part: GrammarRules.Part
      switch token {
      case .word(let word): part = .word(word)
      case .rule("NULL"): part = .nothing
      case .rule("VOID"): part = .void
      case .rule(let name): part = .rule(name)
      case .mark("("), .mark("["):
        let isOptional = token == .mark("[")
        index += 1
        let inner = try alternatives()
        guard peek == .mark(isOptional ? "]" : ")") else {
          throw .badGrammar(reason: "a bracket is not closed")
        }
        part = isOptional ? Self.optional(inner) : inner
      case .mark, .weight: return parts.count == 1 ? parts[0] : .sequence(parts)
      }
      index += 1
      if take(.mark("*")) {
        parts.append(.repeated(part, atLeastOnce: false))
      } else if take(.mark("+")) {
        parts.append(.repeated(part, atLeastOnce: true))
      } else {
        parts.append(part)
      }
    }
    return parts.count == 1 ? parts[0] : .sequence(parts)
  }

  /// The part, or nothing, with equal probability.
  private static func optional(_ part: GrammarRules.Part) -> GrammarRules.Part {
    .alternatives([GrammarRules.Choice(part), GrammarRules.Choice(.nothing)])
  }

  private var peek: Token? { index < tokens.count ? tokens[index] : nil }

  private mutating func next() -> Token? {
    defer { index += 1 }
    return peek
  }

  private mutating func take(_ token: Token) -> Bool {
    guard peek == token else { return false }
    index += 1
    return true
  }

  // MARK: Tokens

  private static func tokens(of text: String) throws(RecognitionFault) -> [Token] {
    var tokens: [Token] = []
    for line in text.split(whereSeparator: \.isNewline) {
      if line.hasPrefix("#JSGF") || line.hasPrefix("grammar ") { continue }
      guard !line.hasPrefix("import ") else {
        throw .badGrammar(reason: "it has an import, which is not supported")
      }
      var rest = line.firstRange(of: "//").map { line[..<$0.lowerBound] } ?? line
      while let first = rest.first {
        if first.isWhitespace {
          rest.removeFirst()
        } else if let closing: Character = ["<": ">", "{": "}", "/": "/"][first] {
          rest.removeFirst()
          guard let end = rest.firstIndex(of: closing) else {
            throw .badGrammar(reason: "a '\(first)' is not closed")
          }
          let inner = rest[..<end]
          if first == "<" { tokens.append(.rule(String(inner))) }
          if first == "/" {
            guard let weight = Double(inner), weight > 0, weight.isFinite else {
              throw .badGrammar(reason: "'\(inner)' is not a valid weight")
            }
            tokens.append(.weight(weight))
          }
          rest = rest[rest.index(after: end)...]
        } else if "()[]|;=*+".contains(first) {
          tokens.append(.mark(first))
          rest.removeFirst()
        } else {
          let word = rest.prefix { !$0.isWhitespace && !"()[]|;=*+<>{}/".contains($0) }
          guard !word.isEmpty else { throw .badGrammar(reason: "'\(first)' has no opening bracket") }
          tokens.append(.word(String(word)))
          rest = rest[word.endIndex...]
        }
      }
    }
    return tokens
  }
}
