import Platform
import Understanding
import YAMLFormat

/// Everything that counts as an answer in the conversations of an intent file.
struct Answers: Sendable {
  let words: DialogueWords
  private let understander: Understander
  let chooser: ValueChooser
  /// The answers that any words are: values of slots without a list.
  let wildcards: Set<String>

  /// - Throws: ``IntentFileFault`` for words whose rules or lists are unknown.
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
      isSpoken ? Template.words([.optional(.text("the")), pick, .optional(.text("one"))]) : framed(pick)
    return words.map { sentence($0, rule($1)) } + [sentence(.choice, choice)]
  }

  /// Those that no recognizer listens for.
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
  /// The file with the answers to its questions among its sentences, for the recognizer's grammar.
  public func withAnswers() throws(IntentFileFault) -> IntentFile {
    guard intents.contains(where: \.asks) else { return self }
    let words = try conversation()
    var file = try namingValues()
    let named = file
    file.rules.merge(words.rules) { $1 }
    let asking = intents.filter(\.asks)
    let isConfirmed = asking.contains { !$0.demands.confirmations.isEmpty }
    let isChosen = asking.contains { intent in
      let sources = SlotSource.sources(of: intent, in: self)
      return intent.slots.contains {
        $0.isAsked && lists[sources[$0.name]?.list ?? ""]?.values.isEmpty == false
      }
    }
    file.intents += Answers.common(isSpoken: true).filter {
      ($0.name != "yes" || isConfirmed) && ($0.name != "choice" || isChosen)
    }
    file.add(answersOf: named, words, isSpoken: true)
    return file
  }

  /// How a conversation about it is held.
  fileprivate func conversation() throws(IntentFileFault) -> DialogueWords {
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
    lists["dialogue_place"] = .dialoguePlaces
    return wildcards
  }
}

extension Intent {
  /// Whether something may be asked before or corrected after it is carried out.
  var asks: Bool {
    isCorrected || slots.contains(where: \.isAsked)
  }

  /// Whether what was said may be changed once all is known.
  var isCorrected: Bool { !demands.confirmations.isEmpty || !demands.sets.isEmpty }
}

extension SlotList {
  private static let cardinals = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]

  /// "the second one": places among choices; -1 is the last.
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

  /// "two", where nothing else than one of the choices can be meant.
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
