import Platform
import TextProcessing
import Understanding
import YAMLFormat

/// Generates the sentences that answer questions about an intent: values, changes and corrections.
///
/// They are built from the slots of the intent and the ``DialogueWords``, and matched like the sentences of a file.
struct AnswerSentences {
  /// The maximum number of additional slots in one answer.
  private static let maximumOtherSlots = 3
  /// The maximum number of slots of an intent whose values count as answers.
  private static let maximumSlots = 32
  private static let maximumVerbs = 64

  private let words: DialogueWords
  private let intent: Intent
  private let sources: [String: SlotSource]
  private let slotNames: [String]
  private let rules: [String: Rule]
  private let node = YAMLNode.nowhere
  /// Lists of slots that are not lists of the file.
  private(set) var lists: [String: SlotList] = [:]
  private var uses: [String: Template] = [:]
  /// The slots without a list, which accept any words.
  private(set) var wildcards: Set<String> = []

  init(of intent: Intent, in file: IntentFile, _ words: DialogueWords) {
    self.words = words
    self.intent = intent
    rules = file.rules
    let sources = SlotSource.sources(of: intent, in: file)
    self.sources = sources
    let named = Set(intent.slots.map(\.name))
    let others = sources.keys.filter { !named.contains($0) }.sorted()
    slotNames = Array((intent.slots.map(\.name) + others).prefix(Self.maximumSlots))
    for slot in slotNames { uses[slot] = .list(reference(slot, file)) }
  }

  /// The answers as intents. Their sentences use ``lists``, the lists and rules of the file, and the rules of the words.
  func intents() -> [Intent] {
    var answers = slotNames.map { answer(.value($0), valueSentences($0)) }
    if let changed = changed(byName: true) {
      let changes = Template.words([changed, repeated(changed)])
      answers.append(answer(.change, [.words([.optional(lead), changes, tail])]))
      answers.append(answer(.correction, [.words([rule(.correction), changes, tail])]))
    }
    if let added { answers.append(answer(.addition, [.words([rule(.more), added, tail])])) }
    if !intent.requirements.confirmations.isEmpty, let verbs {
      let agreed = [rule(.sure), .optional(rule(.sure)), verbs, rule(.it), tail]
      answers.append(answer(.agreement, [.words(agreed)]))
      let object = Template.optional(.list(Self.use("dialogue_any", AnswerKind.words)))
      let refused = [.optional(rule(.nay)), rule(.refuse), verbs, object]
      answers.append(answer(.refusal, [.words(refused)]))
    }
    return answers
  }

  /// The first words of the sentences of the intent.
  private var verbs: Template? {
    var words = Set(intent.examples.compactMap { NormalizedText($0.sentence.text).words.first?.text })
    for block in intent.blocks {
      var edges = TemplateEdges(rules: rules.merging(block.rules) { $1 })
      for sentence in block.sentences {
        words.formUnion(edges.words(at: .first, of: sentence.template, beyond: []))
      }
    }
    return words.isEmpty ? nil : .alternative(words.sorted().prefix(Self.maximumVerbs).map { .text($0) })
  }

  /// The answers for a recognizer's grammar: fewer forms, because with more it recognizes words in noise.
  func spoken() -> [Intent] {
    var answers: [Intent] = []
    let please = Template.optional(.alternative([.text("please"), .text("one")]))
    let article = Template.optional(.alternative(["the", "a", "an", "some"].map { .text($0) }))
    for slot in slotNames where intent.isCorrected || intent.slot(slot)?.isAsked ?? false {
      guard let value = uses[slot] else { continue }
      let leads = (sources[slot]?.leads ?? []).intersection(words.plain(.prepositions)).sorted()
      let lead = leads.isEmpty ? [] : [Template.optional(.alternative(leads.map { .text($0) }))]
      let own = intent.slot(slot)?.answers.map(\.template) ?? []
      answers.append(
        answer(.value(slot), own + [.words(lead + [article, value, behind(slot, isSpoken: true), please])]))
    }
    if intent.isCorrected, let changed = changed(byName: false) {
      answers.append(answer(.correction, [.words([rule(.heard), changed, please])]))
    }
    if let added { answers.append(answer(.addition, [.words([.text("and"), added, please])])) }
    return answers
  }

  // MARK: Values

  private func valueSentences(_ slot: String) -> [Template] {
    guard let value = uses[slot] else { return [] }
    var sentences = intent.slot(slot)?.answers.map(\.template) ?? []
    let rest = roles(besides: slot)
    let others = rest.map { repeated($0) } ?? .nothing
    if wildcards.contains(slot) {
      // Any word may belong to the value.
      let leads = (sources[slot]?.leads ?? []).sorted().map { Template.text($0) }
      sentences.append(.words([.alternative(leads + [.nothing]), value, others, .optional(.text("please"))]))
    } else {
      let bare = Template.words([
        .optional(lead), .optional(prepositions(for: slot)), .optional(before), value, behind(slot),
      ])
      sentences.append(.words([bare, others, tail]))
    }
    if let rest { sentences.append(.words([.optional(lead), rest, repeated(rest), tail])) }
    return sentences
  }

  /// The value of a slot that accepts several.
  private var added: Template? {
    let values = slotNames.filter { isPlain($0) && intent.slot($0)?.isMany ?? false }.compactMap { slot in
      uses[slot].map {
        Template.words([.optional(prepositions(for: slot)), .optional(before), $0, behind(slot)])
      }
    }
    return values.isEmpty ? nil : .alternative(values)
  }

  /// The value of any slot, after its preposition, after the name of the slot where `byName`, or alone.
  private func changed(byName: Bool) -> Template? {
    var parts: [Template] = []
    for slot in slotNames {
      guard let value = uses[slot] else { continue }
      if let role = role(slot, byName: byName) { parts.append(role) }
      guard isPlain(slot), !wildcards.contains(slot), case .list(let use) = value else { continue }
      let isShared = slotNames.contains { sharesList($0, of: slot) }
      let bare = isShared ? .list(Self.use(use.list, AnswerKind.bare(use.list))) : value
      parts.append(.words([.optional(before), bare, behind(slot, isSpoken: !byName)]))
    }
    return parts.isEmpty ? nil : .alternative(parts)
  }

  /// Whether the values belong to the slot itself, and are not added to or removed from another one.
  private func isPlain(_ slot: String) -> Bool {
    intent.slot(slot).map { $0.adds == nil && $0.removes == nil } ?? true
  }

  private func sharesList(_ other: String, of slot: String) -> Bool {
    other != slot && isPlain(other) && sources[other]?.list == sources[slot]?.list
  }

  /// The value of one of the other slots, after its preposition or name.
  private func roles(besides slot: String) -> Template? {
    let roles = slotNames.filter { $0 != slot }.compactMap { role($0, byName: true) }
    return roles.isEmpty ? nil : .alternative(roles)
  }

  private func role(_ slot: String, byName: Bool) -> Template? {
    guard let value = uses[slot] else { return nil }
    let named = Template.words([
      .optional(.text("the")), .text(slot.replacing("_", with: " ")),
      .optional(.alternative(["to", "is", "as", "should be"].map { .text($0) })),
    ])
    let leads = (sources[slot]?.leads ?? []).sorted().map { Template.text($0) }
    let all = byName ? leads + [named] : leads
    return all.isEmpty
      ? nil : .words([.alternative(all), .optional(before), value, behind(slot, isSpoken: !byName)])
  }

  /// An optional word after the slot, as in "the back door", but no preposition of another slot and no conjunction.
  ///
  /// A recognizer's grammar gets only the words that must follow: each optional word causes recognition errors.
  private func behind(_ slot: String, isSpoken: Bool = false) -> Template {
    if wildcards.contains(slot) { return .nothing }
    let taken = slotNames.reduce(into: Set(self.words.plain(.prepositions) + self.words.plain(.and))) {
      $0.formUnion(sources[$1]?.leads ?? [])
    }
    let words = isSpoken ? sources[slot]?.endings : sources[slot]?.follows
    let own = (words ?? []).subtracting(taken).subtracting(Coordination.conjunctions)
    return own.isEmpty ? .nothing : .optional(.alternative(own.sorted().map { .text($0) }))
  }

  /// The prepositions that may precede the slot, except those that belong to other slots only.
  private func prepositions(for slot: String) -> Template {
    let own = sources[slot]?.leads ?? []
    let taken = slotNames.filter { $0 != slot }.reduce(into: Set<String>()) {
      $0.formUnion(sources[$1]?.leads ?? [])
    }
    let words = Set(words.plain(.prepositions)).subtracting(taken.subtracting(own)).union(own)
    return .alternative(words.sorted().map { .text($0) })
  }

  /// A reference to the list of the slot; a list that is not in the file is added to ``lists``.
  private mutating func reference(_ slot: String, _ file: IntentFile) -> Template.ListReference {
    let own = "dialogue_\(intent.name)_\(slot)"
    func made(_ kind: SlotList.Kind) -> Template.ListReference {
      lists[own] = SlotList(name: own, kind: kind, position: node.position)
      return Self.use(own, slot)
    }
    guard let name = sources[slot]?.list else {
      wildcards.insert(slot)
      return made(.wildcard)
    }
    if let list = sources[slot]?.own { return made(list.kind) }
    if let list = file.lists[name] {
      if case .wildcard = list.kind { wildcards.insert(slot) }
    }
    return Self.use(name, slot)
  }

  // MARK: Templates

  private var lead: Template { rule(.lead) }
  private var before: Template { rule(.before) }
  private var tail: Template { .optional(.words([rule(.tail), .optional(rule(.tail))])) }

  private func rule(_ word: DialogueWords.Word) -> Template {
    .rule(name: DialogueWords.rule(word), offset: 0)
  }

  private static func use(_ list: String, _ slot: String) -> Template.ListReference {
    Template.ListReference(list: list, slot: slot, isCapture: false, isGlued: false, offset: 0)
  }

  private func answer(_ kind: AnswerKind, _ sentences: [Template]) -> Intent {
    var block = SentenceBlock()
    block.sentences = sentences.map { Rule(template: $0, node: node) }
    var answer = Intent(name: kind.name(of: intent.name), blocks: [block])
    answer.slots = intent.slots + bareRules
    return answer
  }

  /// The rules of bare values: they accept several values where a slot with the same list does.
  private var bareRules: [SlotRule] {
    intent.slots.filter { $0.isMany && isPlain($0.name) }.compactMap { many in
      guard case .list(let use) = uses[many.name] else { return nil }
      var rule = SlotRule(name: AnswerKind.bare(use.list), position: node.position)
      rule.isMany = true
      return rule
    }
  }

  private func repeated(_ template: Template) -> Template {
    var result = Template.nothing
    for _ in 0..<Self.maximumOtherSlots { result = .optional(.words([and, template, result])) }
    return result
  }

  private var and: Template { .optional(.alternative(words.plain(.and).map { .text($0) })) }
}

extension YAMLNode {
  /// The node of sentences that are not from a file.
  static let nowhere = YAMLNode(content: .mapping([]), position: SourcePosition(line: 1, column: 1))
}

extension Template {
  static func optional(_ template: Template) -> Template { .alternative([template, .nothing]) }

  /// The parts, separated by word boundaries.
  static func words(_ parts: [Template]) -> Template {
    .sequence(parts.flatMap { [.text(" "), $0] } + [.text(" ")])
  }
}
