import TextProcessing
import YAMLFormat

/// Compiles templates, which consist of characters, into a grammar, which consists of words.
///
/// Parts without a space between them ("light[s]") are expanded to whole words; everything else keeps its structure,
/// so that the grammar is about as large as the file. Rules and lists become rules of the grammar.
struct GrammarCompiler {
  /// The maximum number of variants of parts without a space between them; with more they become separate words.
  static let variantLimit = 256
  /// The maximum size of a number range that is spelled out; a larger one accepts any number below a million.
  static let spelledLimit = 1_001

  private let file: IntentFile
  private var rules: [(name: String, body: String)] = []
  /// The names of the rules in the grammar by what they are of; nil for what a grammar cannot express.
  private var names: [String: String?] = [:]
  private var usedNames: Set<String> = []
  /// The names of the rules for optional words at the end of sentences, by their bodies.
  private var tails: [String: String] = [:]
  private var words: Set<String> = []
  private var notes: [String] = []
  private var scopeName = ""
  private var numbersSpelled = 0
  private let manySlots: Set<String>
  private var scopeRules: [String: Rule]
  private var scopeLists: [String: SlotList]

  init(_ file: IntentFile) {
    self.file = file
    scopeRules = file.rules
    scopeLists = file.lists
    manySlots = file.manySlots
  }

  mutating func compile() -> Grammar {
    var sentences: [String] = []
    var intents: [String] = []
    for intent in file.intents {
      for (index, block) in intent.blocks.enumerated() where block.isSpoken {
        scopeName = block.rules.isEmpty && block.lists.isEmpty ? "" : "\(intent.name)_\(index)_"
        scopeRules = file.rules.merging(block.rules) { $1 }
        scopeLists = file.lists.merging(block.lists) { $1 }
        for sentence in block.sentences {
          guard let body = written(self.sentence(sentence.template)) else {
            let place = sentence.position(0)
            notes.append(
              "\(file.name):\(place.line): not in the recognizer's grammar: the sentence has a wildcard; use a list"
            )
            continue
          }
          let name = "sentence_\(sentences.count + 1)"
          rules.append((name, body))
          sentences.append("<\(name)>")
          intents.append(intent.name)
        }
      }
    }
    let skipped = file.skipWords.compactMap { written(.sequence(text($0))) }
    if !skipped.isEmpty { rules.append(("skipped", skipped.joined(separator: " | "))) }
    let around = skipped.isEmpty ? "" : "<skipped>*"
    let ending = file.ending.map { phrase($0) }.flatMap { written($0) } ?? ""
    var jsgf = "#JSGF V1.0;\ngrammar intents;\n"
    let all = sentences.isEmpty ? "<VOID>" : sentences.joined(separator: " | ")
    let command = [around, "(\(all))", ending.isEmpty ? "" : Self.rarely(ending), around]
    jsgf += "public <command> = \(command.filter { !$0.isEmpty }.joined(separator: " "));\n"
    for rule in rules { jsgf += "<\(rule.name)> = \(rule.body);\n" }
    return Grammar(jsgf: jsgf, words: words.sorted(), intents: intents, notes: notes)
  }

  /// `ending` after two of a hundred sentences.
  private static func rarely(_ ending: String) -> String { "( /0.98/ <NULL> | /0.02/ \(ending) )" }

  // MARK: Templates to phrases

  /// A sentence. Optional words at its end that fill no slot are a rule `tail_1`, `tail_2` and so on: its meaning is known
  /// without them.
  private mutating func sentence(_ template: Template) -> Phrase {
    let parts = template.parts
    var end = 1 + (parts.lastIndex { !$0.isSpace && !isOptionalTail($0) } ?? -1)
    while end < parts.count, end > 0, !parts[end].opensWord, !parts[end - 1].closesWord { end += 1 }
    guard end > 0, let words = written(phrase(.sequence(Array(parts[end...])))), !words.isEmpty else {
      return phrase(template)
    }
    let name = tails[words] ?? "tail_\(tails.count + 1)"
    if tails.updateValue(name, forKey: words) == nil { rules.append((name, words)) }
    return .sequence([phrase(.sequence(Array(parts[..<end]))), .space, .reference(name)])
  }

  private func isOptionalTail(_ part: Template) -> Bool {
    guard case .alternative(let items) = part else { return false }
    return items.contains(.nothing) && !hasSlots(part)
  }

  private func hasSlots(_ template: Template) -> Bool {
    switch template {
    case .text: false
    case .sequence(let items), .alternative(let items), .permutation(let items):
      items.contains(where: hasSlots)
    case .list: true
    case .rule(let name, _): scopeRules[name].map { hasSlots($0.template) } ?? false
    }
  }

  private mutating func phrase(_ template: Template) -> Phrase {
    switch template {
    case .text(let text): return .sequence(self.text(text))
    case .sequence(let items): return .sequence(items.map { phrase($0) })
    case .alternative(let items):
      return .alternative(items.map { phrase($0) }.filter { !Self.isImpossible($0) })
    case .permutation(let items): return permutation(items.map { phrase($0) })
    case .rule(let name, _):
      guard let rule = scopeRules[name] else { return .impossible }
      if let known = known("\(scopeName)rule_\(name)") { return known }
      let body = phrase(rule.template)
      return reference("\(scopeName)rule_\(name)", to: body)
    case .list(let reference):
      let one = list(reference)
      return manySlots.contains(reference.slot) ? several(one) : one
    }
  }

  private mutating func list(_ use: Template.ListReference) -> Phrase {
    guard let list = scopeLists[use.list] else {
      if let kind = EntityKind(named: use.list) { return entity(kind) }
      guard let inline = use.inlineRange else { return .impossible }
      return numbers(NumberRange(from: inline.from, to: inline.to, step: inline.step), use.list)
    }
    switch list.kind {
    case .wildcard: return .impossible
    case .entity(let kind): return entity(kind)
    case .range(let range): return numbers(range, list.name)
    case .values(let values):
      let name = "\(scopeName)list_\(list.name)"
      if let known = known(name) { return known }
      let bodies = values.map { phrase($0.said.template) }.filter { !Self.isImpossible($0) }
      return reference(name, to: .alternative(bodies))
    }
  }

  /// One to four values of a rule, with "and" before the last: "ham, olives and mushrooms".
  private mutating func several(_ one: Phrase) -> Phrase {
    guard case .reference(let rule) = one else { return one }
    if let known = known("several_\(rule)") { return known }
    words.insert("and")
    let value = "<\(rule)>"
    return added("several_\(rule)", "\(value) [ [ [ and ] \(value) [ [ and ] \(value) ] ] and \(value) ]")
  }

  /// A built-in entity in its common English forms.
  private mutating func entity(_ kind: EntityKind) -> Phrase {
    guard file.hasNumberWords else { return .impossible }
    let name = "entity_\(kind.rawValue)"
    if let known = known(name) { return known }
    guard let spoken = kind.spoken else { return reference(name, to: anyNumber()) }
    guard let template = try? TemplateParser.parse(spoken) else { return .impossible }
    return reference(name, to: phrase(template))
  }

  private mutating func numbers(_ range: NumberRange, _ name: String) -> Phrase {
    guard file.hasNumberWords, range.allowsWords || range.allowsDigits else { return .impossible }
    let name = "\(scopeName)range_\(name)"
    if let known = known(name) { return known }
    let steps = (range.to - range.from) / range.step + 1
    numbersSpelled += steps
    guard steps <= Self.spelledLimit, numbersSpelled <= 50 * Self.spelledLimit, abs(range.from) < 1_000_000,
      abs(range.to) < 1_000_000
    else {
      return reference(name, to: anyNumber())
    }
    let spelled = spelledOut(stride(from: range.from, through: range.to, by: range.step))
    if range.fractions != nil {
      let digits: [Phrase] = (0...9).map { .letters(NumberWords.spelled($0)) }
      let point = Phrase.sequence([.space, .letters("point"), .space, .alternative(digits)])
      return reference(name, to: .sequence([spelled, .alternative([point, .nothing])]))
    }
    return reference(name, to: spelled)
  }

  /// Each of `numbers` in words: with shared parts if all are in 0…1000, else one by one.
  private func spelledOut(_ numbers: StrideThrough<Int>) -> Phrase {
    if numbers.allSatisfy({ (0...1_000).contains($0) }) {
      return SpelledNumbers(numbers: Set(numbers)).phrase
    }
    return .alternative(numbers.flatMap { NumberWords.ways(toSay: $0) }.map { .sequence(text($0)) })
  }

  /// A rule for any number below a million.
  private mutating func anyNumber() -> Phrase {
    func one(of numbers: some Sequence<Int>) -> Phrase {
      .alternative(numbers.map { .letters(NumberWords.spelled($0)) })
    }
    func optional(_ phrase: Phrase) -> Phrase { .alternative([.sequence([.space, phrase]), .nothing]) }
    let tens = Phrase.sequence([one(of: stride(from: 20, through: 90, by: 10)), optional(one(of: 1...9))])
    let two = reference("numbers_100", to: .alternative([one(of: 0...19), tens]))
    let and = Phrase.alternative([.sequence([.letters("and"), .space]), .nothing])
    let hundreds = Phrase.sequence([
      one(of: 1...19), .space, .letters("hundred"), optional(.sequence([and, two])),
    ])
    let three = reference("numbers_1000", to: .alternative([two, hundreds]))
    let thousands = Phrase.sequence([three, .space, .letters("thousand"), optional(.sequence([and, three]))])
    return reference("numbers", to: .alternative([three, thousands]))
  }

  private mutating func permutation(_ items: [Phrase]) -> Phrase {
    var parts: [Phrase] = []
    for item in items {
      parts.append(reference("part_\(rules.count + 1)_\(parts.count + 1)", to: item))
    }
    if parts.contains(where: Self.isImpossible) { return .impossible }
    var orders: [[Phrase]] = [[]]
    for (index, item) in parts.enumerated() {
      orders = orders.flatMap { order in
        (0...index).map { place in
          var longer = order
          longer.insert(item, at: place)
          return longer
        }
      }
    }
    return .alternative(orders.map { .sequence($0) })
  }

  /// The words of literal text; signs become words ("%" is "percent") or are left out.
  private func text(_ text: String) -> [Phrase] {
    var parts: [Phrase] = []
    var letters = ""
    func flush() {
      if !letters.isEmpty { parts.append(.letters(letters)) }
      letters = ""
    }
    func word(_ word: String) {
      flush()
      parts += [.space, .letters(word), .space]
    }
    var digits = ""
    for character in text + " " {
      if let digit = character.wholeNumberValue, (0...9).contains(digit) {
        digits += String(digit)
        continue
      }
      if !digits.isEmpty {
        flush()
        parts += [.space, .alternative(NumberWords.ways(toSay: digits).map(Self.words)), .space]
        digits = ""
      }
      switch character {
      case "%": word("percent")
      case "°": word("degrees")
      case "&", "+": word(character == "&" ? "and" : "plus")
      case "'": letters.append("'")
      case _ where character.isLetter: letters += character.lowercased()
      default:
        flush()
        parts.append(.space)
      }
    }
    flush()
    if text.last != " ", parts.last == .space, text.last.map({ $0.isLetter || $0 == "'" }) ?? true {
      parts.removeLast()
    }
    return parts
  }

  private static func words(_ text: String) -> Phrase {
    .sequence(Array(text.split(separator: " ").map { [.letters(String($0))] }.joined(separator: [.space])))
  }

  private static func isImpossible(_ phrase: Phrase) -> Bool {
    switch phrase {
    case .impossible: true
    case .letters, .space, .reference: false
    case .sequence(let items): items.contains(where: isImpossible)
    case .alternative(let items): items.allSatisfy(isImpossible)
    }
  }

  // MARK: Phrases to JSGF

  /// A reference to the rule `name`, or ``Phrase/impossible``; nil before it is added.
  private func known(_ name: String) -> Phrase? {
    names[name].map { $0.map(Phrase.reference) ?? .impossible }
  }

  /// A reference to the rule `name`, which is added on first use.
  private mutating func reference(_ name: String, to body: Phrase) -> Phrase {
    if let known = known(name) { return known }
    guard let text = written(body) else {
      names[name] = .some(nil)
      return .impossible
    }
    return added(name, text)
  }

  /// Adds the rule `name`. Two names that are the same in the letters of a rule are two rules.
  private mutating func added(_ name: String, _ body: String) -> Phrase {
    let letters = String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
    let free = (1...).lazy.map { $0 == 1 ? letters : "\(letters)_\($0)" }.first { !usedNames.contains($0) }!
    usedNames.insert(free)
    names[name] = free
    rules.append((free, body))
    return .reference(free)
  }

  /// A phrase in JSGF; nil where it is impossible.
  private mutating func written(_ phrase: Phrase) -> String? {
    if Self.isImpossible(phrase) { return nil }
    switch phrase {
    case .impossible: return nil
    case .space: return ""
    case .letters(let letters):
      let word = letters
      guard word.contains(where: \.isLetter) else { return "" }
      words.insert(word)
      return word
    case .reference(let name): return "<\(name)>"
    case .alternative(let items): return alternatives(items)
    case .sequence(let items): return sequence(Self.flattened(items))
    }
  }

  private mutating func alternatives(_ items: [Phrase]) -> String? {
    var texts: [String] = []
    var isOptional = false
    for item in items {
      guard let text = written(item) else { continue }
      if text.isEmpty {
        isOptional = true
      } else if !texts.contains(text) {
        texts.append(text)
      }
    }
    guard !texts.isEmpty else { return isOptional ? "" : nil }
    let joined = texts.joined(separator: " | ")
    return isOptional ? "[ \(joined) ]" : texts.count == 1 ? joined : "( \(joined) )"
  }

  private mutating func sequence(_ items: [Phrase]) -> String? {
    var texts: [String] = []
    var cluster: [Phrase] = []
    for item in items {
      if item == .space || cluster.last.map({ !Self.touch($0, item) }) ?? false {
        guard let text = clusterText(cluster) else { return nil }
        texts.append(text)
        cluster = []
      }
      if item != .space { cluster.append(item) }
    }
    guard let text = clusterText(cluster) else { return nil }
    texts.append(text)
    return texts.filter { !$0.isEmpty }.joined(separator: " ")
  }

  private static func touch(_ left: Phrase, _ right: Phrase) -> Bool {
    !left.closesWithSpace && !right.opensWithSpace
  }

  /// Parts without a space between them, expanded to whole words.
  private mutating func clusterText(_ cluster: [Phrase]) -> String? {
    if cluster.isEmpty { return "" }
    if cluster.count == 1 { return written(cluster[0]) }
    guard let variants = Phrase.sequence(cluster).variants(limit: Self.variantLimit) else {
      var texts: [String] = []
      for part in cluster {
        guard let text = written(part) else { return nil }
        texts.append(text)
      }
      return texts.filter { !$0.isEmpty }.joined(separator: " ")
    }
    return alternatives(variants.map { .sequence(Self.joined($0)) })
  }

  /// Joins adjacent letters to one word and separates all other parts.
  private static func joined(_ parts: [Phrase]) -> [Phrase] {
    var result: [Phrase] = []
    for part in parts {
      if case .letters(let more) = part, case .letters(let letters) = result.last {
        result[result.count - 1] = .letters(letters + more)
      } else {
        if result.last.map({ $0 != .space }) ?? false, part != .space { result.append(.space) }
        result.append(part)
      }
    }
    var spaced: [Phrase] = []
    for part in result where !(part == .space && spaced.last == .space) { spaced.append(part) }
    return spaced
  }

  private static func flattened(_ items: [Phrase]) -> [Phrase] {
    items.flatMap { item -> [Phrase] in
      if case .sequence(let inner) = item { return flattened(inner) }
      return [item]
    }
  }
}

extension Template {
  /// The parts of a sequence, without sequences among them.
  fileprivate var parts: [Template] {
    guard case .sequence(let items) = self else { return [self] }
    return items.flatMap(\.parts)
  }

  fileprivate var isSpace: Bool { self == .text(" ") || self == .text("") }

  fileprivate var opensWord: Bool {
    if case .text(let text) = self { text.first == " " } else { false }
  }

  fileprivate var closesWord: Bool {
    if case .text(let text) = self { text.last == " " } else { false }
  }
}
