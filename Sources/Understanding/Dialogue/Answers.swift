import Platform

/// Everything that counts as an answer in the conversations of an intent file.
struct Answers: Sendable {
  let words: DialogueWords
  private let understander: Understander
  let chooser: ValueChooser
  /// The answers that any words are: values of slots without a list.
  let wildcards: Set<String>

  /// - Throws: ``UnderstandingFault`` for words whose rules or lists are unknown.
  init(for understander: Understander) throws(UnderstandingFault) {
    let file = understander.file
    words = try file.conversation()
    var answers = IntentFile(name: file.name, language: file.language)
    answers.rules = file.rules.merging(words.rules) { $1 }
    answers.lists = file.lists
    answers.intents = Self.common(isSpoken: false)
    wildcards = answers.add(answersOf: file, words)
    answers.lists["dialogue_any"] = SlotList(
      name: "dialogue_any", kind: .wildcard, position: YAMLNode.nowhere.position)
    answers.intents.append(Self.trailing)
    self.understander = try Understander(answers, clock: understander.clock)
    chooser = try ValueChooser(for: file)
  }

  /// What `text` is as an answer to a question of `intent`, if it is one of `kinds`.
  func interpret(
    _ text: String, as kinds: [AnswerKind], of intent: String = ""
  ) -> Reading? {
    let names = kinds.map { $0.name(of: intent) }
    let found = understander.interpret(text, among: Set(names))
    guard let guess = found.intent, let index = names.firstIndex(of: guess.name) else { return nil }
    return Reading(kind: kinds[index], slots: found.slots, confidence: guess.confidence)
  }

  /// The answers that no intent has to itself.
  ///
  /// - Parameter isSpoken: whether a recognizer is to listen for them, to the few usual ways then.
  static func common(isSpoken: Bool) -> [Intent] {
    let words: [(AnswerKind, DialogueWords.Word)] = [(.yes, .yes), (.no, .no), (.cancel, .cancel)]
    let pick = list("dialogue_ordinal", AnswerKind.pick)
    let choice =
      isSpoken
      ? Template.words([.optional(.text("the")), pick, .optional(.text("one"))])
      : .words([.optional(rule(.lead)), .optional(rule(.before)), pick, .optional(rule(.tail))])
    return words.map { sentence($0, rule($1)) } + [sentence(.choice, choice)]
  }

  private static let trailing = sentence(
    .trailing,
    .words([list("dialogue_any", "any"), rule(.trailing)]))

  private static func rule(_ word: DialogueWords.Word) -> Template {
    .rule(name: DialogueWords.rule(word), offset: 0)
  }

  private static func list(_ list: String, _ slot: String) -> Template {
    .list(Template.ListReference(list: list, slot: slot, isCapture: false, isGlued: false, offset: 0))
  }

  private static func sentence(_ kind: AnswerKind, _ template: Template) -> Intent {
    var block = SentenceBlock()
    block.sentences = [Rule(template: template, node: .nowhere)]
    return Intent(name: kind.name(of: ""), blocks: [block])
  }
}

extension IntentFile {
  /// The file with the answers to its questions among its sentences, for the recognizer's grammar.
  public func withAnswers() throws(UnderstandingFault) -> IntentFile {
    guard intents.contains(where: \.asks) else { return self }
    let words = try conversation()
    var file = self
    file.rules.merge(words.rules) { $1 }
    file.intents += Answers.common(isSpoken: true)
    file.add(answersOf: self, words, isSpoken: true)
    return file
  }

  /// How a conversation about it is held.
  fileprivate func conversation() throws(UnderstandingFault) -> DialogueWords {
    if let dialogue { return dialogue }
    return try .standard()
  }

  /// - Parameter isSpoken: whether a recognizer is to listen for them.
  /// - Returns: the answers that any words are.
  @discardableResult
  fileprivate mutating func add(
    answersOf file: IntentFile, _ words: DialogueWords, isSpoken: Bool = false
  ) -> Set<String> {
    var wildcards: Set<String> = []
    for intent in file.intents where intent.asks {
      let sentences = AnswerSentences(of: intent, in: file, words)
      lists.merge(sentences.lists) { $1 }
      intents += isSpoken ? sentences.spoken() : sentences.intents()
      wildcards.formUnion(sentences.wildcards.map { AnswerKind.value($0).name(of: intent.name) })
    }
    lists["dialogue_ordinal"] = .dialogueOrdinals
    return wildcards
  }
}

extension Intent {
  /// Whether something may be asked before or corrected after it is carried out.
  var asks: Bool {
    !demands.confirmations.isEmpty || !demands.sets.isEmpty
      || slots.contains {
        $0.isRequired || $0.choices != nil || $0.from != nil || $0.to != nil || $0.unlike != nil
      }
  }
}

extension SlotList {
  /// "the second one": places among choices; -1 is the last.
  fileprivate static let dialogueOrdinals: SlotList = {
    let words = [
      ("first", 1), ("former", 1), ("second", 2), ("latter", 2), ("third", 3), ("fourth", 4), ("fifth", 5),
      ("sixth", 6), ("seventh", 7), ("eighth", 8), ("ninth", 9), ("last", -1), ("number one", 1),
      ("number two", 2), ("number three", 3), ("either", 1), ("either of them", 1), ("doesn't matter", 1),
    ]
    let values = words.map { word, number in
      SlotList.Value(
        said: Rule(template: .text(word), node: .nowhere), value: .number(Double(number)), context: [])
    }
    return SlotList(name: "dialogue_ordinal", kind: .values(values), position: YAMLNode.nowhere.position)
  }()
}
