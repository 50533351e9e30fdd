import Platform
import Understanding
import YAMLFormat

/// The answers in dialogues about an intent file, and their interpretation.
struct Answers: Sendable {
  let words: DialogueWords
  private let understander: Understander
  let chooser: ValueChooser
  /// The answers that match any words: values of slots without a list.
  let wildcards: Set<String>

  /// - Throws: ``IntentFileFault`` for words with undefined rules or lists.
  init(for understander: Understander) throws(IntentFileFault) {
    let file = try understander.file.namingValues()
    words = try file.conversation()
    var answers = IntentFile(name: file.name, language: file.language)
    answers.rules = words.rules
    if file.dialogue != nil || file.intents.contains(where: \.asks) {
      answers.rules.merge(file.rules) { own, _ in own }
      answers.lists = file.lists
    }
    answers.intents = Self.common(isSpoken: false)
    wildcards = answers.add(answersOf: file, words)
    answers.lists["dialogue_any"] = SlotList(
      name: "dialogue_any", kind: .wildcard, position: YAMLNode.nowhere.position)
    answers.intents += Self.written
    self.understander = try Understander(answers, clock: understander.clock)
    chooser = try ValueChooser(for: file)
  }

  /// Interprets `text` as an answer to a question about `intent`; nil where it is none of `kinds`.
  func interpret(
    _ text: String, as kinds: [AnswerKind], of intent: String = ""
  ) -> Answer? {
    let names = kinds.map { $0.name(of: intent) }
    let found = understander.interpret(text, among: Set(names))
    guard let guess = found.intent, let index = names.firstIndex(of: guess.name) else { return nil }
    return Answer(kind: kinds[index], slots: found.slots, confidence: guess.confidence)
  }

  /// The answers that do not depend on the intent.
  ///
  /// - Parameter isSpoken: whether they are for a recognizer's grammar, with fewer forms.
  static func common(isSpoken: Bool) -> [Intent] {
    let words: [(AnswerKind, DialogueWords.Word)] = [(.yes, .yes), (.no, .no), (.cancel, .cancel)]
    let pick = list("dialogue_ordinal", AnswerKind.pick)
    let choice =
      isSpoken ? Template.words([.optional(.text("the")), pick, .optional(.text("one"))]) : framed(pick)
    return words.map { sentence($0, rule($1)) } + [sentence(.choice, choice)]
  }

  /// The answers that are not in a recognizer's grammar.
  private static let written = [
    sentence(.yes, rule(.hum)),
    sentence(.abandon, .words([rule(.abandon), rest])),
    sentence(.trailing, .words([list("dialogue_any", "any"), rule(.trailing)])),
    sentence(
      .yesAnd, .words([rule(.sure), .optional(rule(.sure)), .optional(rule(.but)), rest])),
    sentence(.noBut, .words([rule(.nay), .optional(rule(.nay)), .optional(rule(.but)), rest])),
    sentence(.place, framed(list("dialogue_place", AnswerKind.pick))),
    sentence(.named, framed(rest)),
  ]

  private static let rest = list("dialogue_any", AnswerKind.words)

  private static func framed(_ template: Template) -> Template {
    .words([.optional(rule(.lead)), .optional(rule(.before)), template, .optional(rule(.tail))])
  }

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
  /// The words of dialogues about this file.
  func conversation() throws(IntentFileFault) -> DialogueWords {
    if let dialogue { return dialogue }
    return try .standard()
  }

  /// Adds the answers to questions about the intents of `file`.
  ///
  /// - Parameter isSpoken: whether they are for a recognizer's grammar.
  /// - Returns: the names of answers that match any words.
  @discardableResult
  mutating func add(
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
    lists["dialogue_place"] = .dialoguePlaces
    return wildcards
  }
}

extension Intent {
  /// Whether the dialogue may ask a question about the intent, or correct it afterwards.
  var asks: Bool {
    isCorrected || slots.contains(where: \.isAsked)
  }

  /// Whether slots may be changed when all have a value.
  var isCorrected: Bool { !requirements.confirmations.isEmpty || !requirements.sets.isEmpty }
}

extension SlotList {
  private static let cardinals = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]

  /// "the second one": ordinals of choices; -1 is the last.
  fileprivate static let dialogueOrdinals: SlotList = {
    let ordinals = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"]
    var words = [
      ("former", 1), ("latter", 2), ("last", -1), ("either", 1), ("either of them", 1), ("doesn't matter", 1),
    ]
    for (place, word) in ordinals.enumerated() { words.append((word, place + 1)) }
    for (place, word) in cardinals.enumerated() {
      for noun in ["number", "option"] { words.append(("\(noun) \(word)", place + 1)) }
    }
    return places(words, named: "dialogue_ordinal")
  }()

  /// "two": bare numbers, accepted only as answers to a question with choices.
  fileprivate static let dialoguePlaces: SlotList = {
    var words = [
      ("any", 1), ("any of them", 1), ("any one", 1), ("whichever", 1), ("whatever", 1), ("don't care", 1),
      ("i don't care", 1), ("i don't mind", 1),
    ]
    for (place, word) in cardinals.enumerated() {
      let suffix = ["st", "nd", "rd"]
      let number = "\(place + 1)"
      words += [word, number, "number \(number)", "option \(number)"].map { ($0, place + 1) }
      words.append((number + (place < suffix.count ? suffix[place] : "th"), place + 1))
    }
    return places(words, named: "dialogue_place")
  }()

  private static func places(_ words: [(String, Int)], named name: String) -> SlotList {
    let values = words.map { word, number in
      SlotList.Value(said: Rule(template: .text(word), node: .nowhere), value: .number(Double(number)))
    }
    return SlotList(name: name, kind: .values(values), position: YAMLNode.nowhere.position)
  }
}

/// The kind of an answer; each is an intent in ``Answers``.
enum AnswerKind: Equatable {
  case yes, no, cancel
  /// Yes or no followed by more words, in the slot ``words``.
  case yesAnd, noBut
  /// Yes or no with the command repeated: "yes, open it", "don't open it".
  case agreement, refusal
  /// "cancel" followed by anything.
  case abandon
  /// Anything followed by "never mind".
  case trailing
  /// One of the choices, by its ordinal in the slot ``pick``: "the second one".
  case choice
  /// The same by a bare number: "two".
  case place
  /// One of the choices, by some of its words in the slot ``words``.
  case named
  /// The value of the requested slot.
  case value(String)
  /// New values of any slots.
  case change
  /// New values with words of correction: "no, I meant …".
  case correction
  /// More values for a slot that accepts several.
  case addition

  static let pick = "pick"
  static let words = "words"

  /// The slot for a value that several slots accept, where the words do not say which one.
  static func bare(_ list: String) -> String { "bare \(list)" }

  /// The list of such a slot; nil for other slots.
  static func list(ofBare slot: String) -> String? {
    slot.hasPrefix("bare ") ? String(slot.dropFirst("bare ".count)) : nil
  }

  /// The name of this answer's intent, for a question about `intent`.
  func name(of intent: String) -> String {
    switch self {
    case .yes, .no, .yesAnd, .noBut, .cancel, .abandon, .trailing, .choice, .place, .named: "\(self)"
    case .value(let slot): "\(intent) value \(slot)"
    case .change, .correction, .addition, .agreement, .refusal: "\(intent) \(self)"
    }
  }
}

extension Answers {
  struct Answer {
    let kind: AnswerKind
    var slots: [Interpretation.Slot]
    let confidence: Double
  }

  /// Interprets `text` as an answer to `question`; nil where it is not one.
  ///
  /// - Parameter isPlain: whether only yes and no are answers to a confirmation.
  func read(
    _ text: String, as question: Question, of intent: String, isPlain: Bool = false
  ) -> Answer? {
    let general: [AnswerKind] = [.cancel, .no]
    switch question.kind {
    case .confirmation:
      let plain = general + [.yes, .agreement, .refusal]
      return interpret(text, as: isPlain ? plain : plain + [.change, .correction, .addition], of: intent)
    case .value(let slot), .choice(let slot, _):
      let takesAnything = wildcards.contains(AnswerKind.value(slot).name(of: intent))
      let value = [AnswerKind.value(slot)]
      if !takesAnything, let answer = interpret(text, as: value, of: intent) { return answer }
      let known = general + [.correction] + (takesAnything ? value : [.choice])
      if case .value = question.kind { return interpret(text, as: known, of: intent) }
      return interpret(text, as: known + [.place], of: intent) ?? interpret(text, as: [.named])
    }
  }
}
