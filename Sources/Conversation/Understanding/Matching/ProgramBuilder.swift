import Platform
import TextProcessing
import YAMLFormat

/// Builds a ``Program``: resolves names, shares rules and lists, and checks limits of depth and size.
struct ProgramBuilder {
  private(set) var nodes: [Program.Node] = []
  private(set) var children: [Int32] = []
  private(set) var symbols: [Int32] = []
  private(set) var uses: [Program.ListUse] = []
  private(set) var lists: [Program.List] = []
  private(set) var listNodes: [String: Int32] = [:]
  /// The original text of nodes where it differs from their symbols.
  private(set) var spellings: [Int32: String] = [:]
  private(set) var alphabet: [Character: Int32] = [" ": 0, "-": 1, "_": 2, "'": 3]
  /// Those of ASCII characters, as far as they have been looked up; -1 for others.
  private var asciiSymbols = [Int32](repeating: -1, count: 128)
  /// The faults of the rules, lists and sentences that could not be built.
  private(set) var faults: [IntentFileFault] = []

  private let file: IntentFile
  private let foldsHomophones: Bool
  private var depths: [Int32] = []
  /// The slots that accept several values in at least one intent.
  private let manySlots: Set<String>
  private var scope: Scope
  private var openNames: [String] = []

  /// The names in the scope of a block of sentences, and their nodes as far as they are built.
  private struct Scope {
    var rules: [String: Rule]
    var lists: [String: SlotList]
    var builtRules: [String: Int32] = [:]
    var builtLists: [String: Int] = [:]
    var builtTexts: [String: Int32] = [:]
  }

  init(_ file: IntentFile, foldingHomophones: Bool) {
    self.file = file
    foldsHomophones = foldingHomophones
    scope = Scope(rules: file.rules, lists: file.lists)
    manySlots = file.manySlots
  }

  /// Builds as much as possible: everything if there are no ``faults``.
  mutating func build() -> [Program.Sentence] {
    for (name, rule) in file.rules.sorted(by: { $0.key < $1.key }) {
      part { _ = try $0.rule(name, at: rule.position(0)) }
    }
    let start = SourcePosition(line: 1, column: 1)
    for name in Set(file.lists.keys).union(EntityKind.allCases.map(\.rawValue)).sorted() {
      let position = file.lists[name]?.position ?? start
      part { builder in
        let list = try builder.list(name, at: position)
        if builder.lists[list].isWildcard { return }
        builder.listNodes[name] = try builder.use(of: list, slot: name, at: position)
      }
    }
    var sentences: [Program.Sentence] = []
    for (intent, content) in file.intents.enumerated() {
      for (index, block) in content.blocks.enumerated() {
        // Move the shared scope out and back: a second reference would make each change copy it.
        var shared: Scope?
        if !block.rules.isEmpty || !block.lists.isEmpty {
          shared = scope
          scope = Scope(
            rules: file.rules.merging(block.rules) { $1 }, lists: file.lists.merging(block.lists) { $1 })
        }
        for sentence in block.sentences {
          part { builder in
            sentences.append(
              Program.Sentence(
                node: try builder.node(sentence.template, of: sentence), intent: intent, block: index,
                beginsWithWildcard: builder.isWildcard(Self.edge(sentence.template, isFirst: true)),
                endsWithWildcard: builder.isWildcard(Self.edge(sentence.template, isFirst: false))))
          }
        }
        if let shared { scope = shared }
      }
    }
    return sentences
  }

  /// Calls `build`; keeps a fault, so that those of other parts are found too.
  private mutating func part(_ build: (inout Self) throws -> Void) {
    // Nothing more fits after the limit of nodes, which is one fault.
    guard faults.isEmpty || nodes.count < Program.nodeLimit else { return }
    do {
      try build(&self)
    } catch let fault as IntentFileFault {
      openNames.removeAll()
      if faults.count < IntentFileReader.faultLimit, !faults.contains(fault) { faults.append(fault) }
    } catch {
      fatalError("unexpected fault: \(error)")
    }
  }

  private static func edge(_ template: Template, isFirst: Bool) -> Template {
    guard case .sequence(let items) = template, let item = isFirst ? items.first : items.last else {
      return template
    }
    return item
  }

  private func isWildcard(_ template: Template) -> Bool {
    guard case .list(let reference) = template, case .wildcard = scope.lists[reference.list]?.kind else {
      return false
    }
    return true
  }

  // MARK: Nodes

  private mutating func node(_ template: Template, of rule: Rule) throws(IntentFileFault) -> Int32 {
    switch template {
    case .text(let text): return try self.text(text, of: rule)
    case .sequence(let items): return try group(.sequence, items, of: rule)
    case .alternative(let items): return try group(.alternative, items, of: rule)
    case .permutation(let items): return try group(.permutation, items, of: rule)
    case .rule(let name, let offset): return try self.rule(name, at: rule.position(offset))
    case .list(let reference):
      let list = try self.list(reference, at: rule.position(reference.offset))
      return try use(
        of: list, slot: reference.slot, isCapture: reference.isCapture, isGlued: reference.isGlued,
        isMany: manySlots.contains(reference.slot), at: rule.position(0))
    }
  }

  private mutating func use(
    of list: Int, slot: String, isCapture: Bool = false, isGlued: Bool = false, isMany: Bool = false,
    at position: SourcePosition
  ) throws(IntentFileFault) -> Int32 {
    uses.append(
      Program.ListUse(list: list, slot: slot, isCapture: isCapture, isGlued: isGlued, isMany: isMany))
    let depth = lists[list].nodes.map { depths[Int($0)] }.max() ?? 0
    return try append(.list, first: uses.count - 1, count: 1, depth: depth + 1, at: position)
  }

  private mutating func text(_ written: String, of rule: Rule) throws(IntentFileFault) -> Int32 {
    if let built = scope.builtTexts[written] { return built }
    let node = try foldsHomophones ? folded(written, of: rule) : text(written, writing: written, of: rule)
    scope.builtTexts[written] = node
    return node
  }

  /// The text with homophones folded, in which a number is an alternative of the ways to say it.
  private mutating func folded(_ written: String, of rule: Rule) throws(IntentFileFault) -> Int32 {
    var parts: [Int32] = []
    var plain = ""
    for (index, word) in written.split(separator: " ", omittingEmptySubsequences: false).enumerated() {
      if index > 0 { plain += " " }
      let ways = [Homophones.folded(text: String(word))] + Self.ways(toSay: word)
      guard Set(ways).count > 1 else {
        plain += word
        continue
      }
      if !plain.isEmpty {
        parts.append(try text(Homophones.folded(text: plain), writing: plain, of: rule))
        plain = ""
      }
      var said: [Int32] = []
      for way in ways where way != ways[0] || said.isEmpty {
        said.append(try text(way, writing: String(word), of: rule))
      }
      parts.append(try group(.alternative, said, at: rule.position(0)))
    }
    if !plain.isEmpty || parts.isEmpty {
      parts.append(try text(Homophones.folded(text: plain), writing: plain, of: rule))
    }
    return parts.count == 1 ? parts[0] : try group(.sequence, parts, at: rule.position(0))
  }

  /// How a number is said, also with a sign behind it as in a grammar; empty for other words.
  private static func ways(toSay word: Substring) -> [String] {
    switch word.last {
    case "%": NumberWords.ways(toSay: word.dropLast()).map { $0 + " percent" }
    case "°": NumberWords.ways(toSay: word.dropLast()).map { $0 + " degrees" }
    default: NumberWords.ways(toSay: word)
    }
  }

  /// A text node that matches `text` and is spelled as `written`.
  private mutating func text(
    _ text: String, writing written: String, of rule: Rule
  ) throws(IntentFileFault) -> Int32 {
    let first = symbols.count
    var isAsWritten = text == written
    if text.utf8.allSatisfy({ $0 < 0x80 && $0 != UInt8(ascii: "\r") }) {
      for byte in text.utf8 {
        let folded = (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
        isAsWritten = isAsWritten && folded == byte
        symbols.append(symbol(of: folded))
      }
    } else {
      for character in text {
        let folded = NormalizedText.fold(character)
        isAsWritten = isAsWritten && folded == character
        symbols.append(symbol(of: folded))
      }
    }
    let count = symbols.count - first
    let spaces = (text.first == " " ? 1 : 0) + (text.last == " " && count > 1 ? 1 : 0)
    let node = try append(
      .text, first: first, count: count, weight: count - spaces, depth: 1, at: rule.position(0))
    if !isAsWritten { spellings[node] = written }
    return node
  }

  private mutating func symbol(of character: Character) -> Int32 {
    if let known = alphabet[character] { return known }
    let symbol = Int32(alphabet.count)
    alphabet[character] = symbol
    return symbol
  }

  private mutating func symbol(of ascii: UInt8) -> Int32 {
    if asciiSymbols[Int(ascii)] < 0 {
      asciiSymbols[Int(ascii)] = symbol(of: Character(Unicode.Scalar(ascii)))
    }
    return asciiSymbols[Int(ascii)]
  }

  private mutating func group(
    _ kind: Program.Kind, _ items: [Template], of rule: Rule
  ) throws(IntentFileFault) -> Int32 {
    var built: [Int32] = []
    for item in items { built.append(try node(item, of: rule)) }
    return try group(kind, built, at: rule.position(0))
  }

  private mutating func group(
    _ kind: Program.Kind, _ items: [Int32], at position: SourcePosition
  ) throws(IntentFileFault) -> Int32 {
    let first = children.count
    children += items
    let depth = items.map { depths[Int($0)] }.max() ?? 0
    return try append(kind, first: first, count: items.count, depth: depth + 1, at: position)
  }

  private mutating func append(
    _ kind: Program.Kind, first: Int, count: Int, weight: Int = 0, depth: Int32, at position: SourcePosition
  ) throws(IntentFileFault) -> Int32 {
    guard depth <= Program.depthLimit else {
      throw fault(position, .rulesTooDeep(limit: Program.depthLimit))
    }
    guard nodes.count < Program.nodeLimit else {
      throw fault(position, .tooComplex(limit: Program.nodeLimit))
    }
    nodes.append(
      Program.Node(kind: kind, first: Int32(first), count: Int32(count), weight: Int32(weight)))
    depths.append(depth)
    return Int32(nodes.count - 1)
  }

  // MARK: Names

  private mutating func rule(_ name: String, at position: SourcePosition) throws(IntentFileFault) -> Int32 {
    if let built = scope.builtRules[name] { return built }
    guard let rule = scope.rules[name] else {
      let suggestion = nearestName(to: name, among: scope.rules.keys)
      throw fault(position, .unknownRule(name: name, suggestion: suggestion))
    }
    try enter("<\(name)>", at: position)
    do throws(IntentFileFault) {
      scope.builtRules[name] = try node(rule.template, of: rule)
    } catch {
      // The fault is told once, and not at each use of the rule.
      scope.builtRules[name] = try append(.text, first: 0, count: 0, depth: 1, at: position)
      throw error
    }
    openNames.removeLast()
    return scope.builtRules[name] ?? 0
  }

  private mutating func list(
    _ reference: Template.ListReference, at position: SourcePosition
  ) throws(IntentFileFault) -> Int {
    if scope.lists[reference.list] == nil, let inline = reference.inlineRange {
      let range = NumberRange(from: inline.from, to: inline.to, step: inline.step)
      lists.append(Program.List(kind: .range(range)))
      return lists.count - 1
    }
    return try list(reference.list, at: position)
  }

  private mutating func list(_ name: String, at position: SourcePosition) throws(IntentFileFault) -> Int {
    if let built = scope.builtLists[name] { return built }
    guard let list = scope.lists[name] ?? Self.entityList(name, at: position) else {
      let suggestion = nearestName(to: name, among: scope.lists.keys)
      throw fault(position, .unknownList(name: name, suggestion: suggestion))
    }
    try enter("{\(name)}", at: position)
    var built = Program.List(kind: .wildcard)
    defer {
      lists.append(built)
      scope.builtLists[name] = lists.count - 1
    }
    switch list.kind {
    case .wildcard: break
    case .range(let range): built = Program.List(kind: .range(range))
    case .entity(let kind): built = Program.List(kind: .entity(kind))
    case .values(let values): built = try self.values(values)
    }
    openNames.removeLast()
    built.hasNames = list.hasNames
    built.unknownReply = list.unknownReply
    return lists.count
  }

  /// The list of a built-in entity; nil for other names.
  private static func entityList(_ name: String, at position: SourcePosition) -> SlotList? {
    EntityKind(named: name).map { SlotList(name: name, kind: .entity($0), position: position) }
  }

  private mutating func values(_ values: [SlotList.Value]) throws(IntentFileFault) -> Program.List {
    var built = Program.List(kind: .values)
    for (index, value) in values.enumerated() {
      let node = try node(value.said.template, of: value.said)
      built.nodes.append(node)
      built.values.append(value.value)
      built.contexts.append(value.context)
      let start = start(of: node)
      if let key = Program.List.key(of: start) {
        built.byStart[key, default: []].append(Int32(index))
      } else if let symbol = start.first, symbol != Program.Symbol.space, symbol != Program.Symbol.hyphen {
        built.byFirst[symbol, default: []].append(Int32(index))
      } else {
        built.others.append(Int32(index))
      }
    }
    return built
  }

  /// The symbols with which a node starts; none where it may start in several ways.
  private func start(of node: Int32) -> ArraySlice<Int32> {
    let node = nodes[Int(node)]
    switch node.kind {
    case .text: return symbols[Int(node.first)..<Int(node.first + node.count)]
    case .sequence where node.count > 0: return start(of: children[Int(node.first)])
    case .sequence, .alternative, .permutation, .list: return []
    }
  }

  private mutating func enter(_ name: String, at position: SourcePosition) throws(IntentFileFault) {
    if let start = openNames.firstIndex(of: name) {
      throw fault(position, .recursion(path: openNames[start...] + [name]))
    }
    guard openNames.count < Program.ruleDepthLimit else {
      throw fault(position, .rulesTooDeep(limit: Program.ruleDepthLimit))
    }
    openNames.append(name)
  }

  private func fault(_ position: SourcePosition, _ problem: IntentFileProblem) -> IntentFileFault {
    .invalid(file: file.name, position: position, problem: problem)
  }
}
