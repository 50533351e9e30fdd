import Platform
import Understanding

/// What can be said with an intent file: the intents with example sentences, slots and requirements.
package struct IntentCatalogue: Sendable {
  /// The maximum number of sentences of one intent.
  package static let sentenceLimit = 1_000
  /// The number of sentences of one intent, unless all are requested.
  package static let fewSentences = 4

  package let language: String
  package let entries: [Entry]
  /// Phrases that end a dialogue without a result.
  package let cancelPhrases: [String]

  /// One intent.
  package struct Entry: Sendable {
    package let name: String
    package let sentences: [String]
    /// Whether the intent accepts no other sentences.
    package let isComplete: Bool
    package let slots: [Slot]
    package let speaker: SpeakerRequirement
    /// The questions for confirmation, as in the file; the first whose slots have values is asked.
    package let confirmations: [String]
    /// The contexts that must be open.
    package let contexts: [String]
    package let isFallback: Bool
  }

  /// A slot and its values.
  package struct Slot: Sendable {
    package enum Values: Sendable, Equatable {
      case list([JSON])
      case range(from: Double, to: Double)
      /// A built-in entity, such as `duration`.
      case type(String)
      case anyWords
    }

    package let name: String
    package let values: Values
    package let isRequired: Bool
    package let isMany: Bool
  }

  /// - Parameter listsAll: whether all sentences are listed, up to ``sentenceLimit`` for each intent.
  /// - Throws: ``IntentFileFault`` for files that ``Understander`` rejects too.
  package init(_ file: IntentFile, listsAll: Bool) throws(IntentFileFault) {
    // Rules that refer to themselves are rejected here.
    _ = try Program(file)
    language = file.language
    entries = file.intents.map { Entry($0, in: file, listsAll: listsAll) }
    let words = try file.conversation()
    var own = IntentFile(name: file.name, language: file.language)
    own.rules = words.rules
    let examples = ExampleSentences(own, SentenceBlock())
    cancelPhrases = (words.words[.cancel] ?? []).map {
      examples.sentence($0.template, turn: 0, fillsSlots: false)
    }
  }
}

extension IntentCatalogue.Entry {
  fileprivate init(_ intent: Intent, in file: IntentFile, listsAll: Bool) {
    name = intent.name
    speaker = intent.requirements.speaker
    confirmations = intent.requirements.confirmations.map(\.source)
    contexts = intent.requirements.requiredContexts
    isFallback = intent.requirements.isFallback
    slots = Self.slots(of: intent, in: file)
    let limit = IntentCatalogue.sentenceLimit
    var found = Self.sentences(of: intent, in: file, all: listsAll, limit: limit + 1)
    found += intent.examples.map(\.sentence.text)
    var seen: Set<String> = []
    let distinct = found.filter { !$0.isEmpty && seen.insert($0).inserted }
    sentences = Array(distinct.prefix(listsAll ? limit : IntentCatalogue.fewSentences))
    // Sentences that are similar to examples are accepted too.
    isComplete = listsAll && distinct.count <= limit && intent.examples.isEmpty
  }

  private static func sentences(of intent: Intent, in file: IntentFile, all: Bool, limit: Int) -> [String] {
    var full: [String] = []
    var short: [String] = []
    for block in intent.blocks {
      let examples = ExampleSentences(file, block)
      for sentence in block.sentences {
        if all {
          if full.count < limit { full += examples.all(sentence.template, limit: limit - full.count) }
        } else {
          let turn = full.count
          full.append(examples.sentence(sentence.template, turn: turn, fillsSlots: true))
          short.append(examples.sentence(sentence.template, turn: turn, fillsSlots: false))
        }
      }
    }
    return full + short
  }

  private static func slots(of intent: Intent, in file: IntentFile) -> [IntentCatalogue.Slot] {
    let sources = SlotSource.sources(of: intent, in: file)
    let declared = intent.slots.map(\.name)
    let others = sources.keys.filter { !declared.contains($0) }.sorted()
    return (declared + others).map { name in
      let rule = intent.slot(name)
      return IntentCatalogue.Slot(
        name: name, values: sources[name]?.values(of: rule, in: file) ?? .anyWords,
        isRequired: rule?.isRequired ?? false, isMany: rule?.isMany ?? false)
    }
  }
}

extension SlotSource {
  fileprivate func values(of rule: SlotRule?, in file: IntentFile) -> IntentCatalogue.Slot.Values {
    func range(_ from: Int, _ to: Int, by factor: Double = 1) -> IntentCatalogue.Slot.Values {
      .range(
        from: max(Double(from) * factor, rule?.from ?? -.infinity),
        to: min(Double(to) * factor, rule?.to ?? .infinity))
    }
    guard let name = list else { return .anyWords }
    switch (own ?? file.lists[name])?.kind {
    case .values(let values):
      let meant = values.map { $0.value ?? .string($0.said.node.text ?? "") }
      var seen: Set<String> = []
      return .list(meant.filter { seen.insert($0.description).inserted })
    case .range(let numbers): return range(numbers.from, numbers.to, by: numbers.multiplier ?? 1)
    case .entity(let kind): return .type(kind.rawValue)
    case .wildcard: return .anyWords
    case nil:
      let use = Template.ListReference(list: name, slot: name, isCapture: false, isGlued: false, offset: 0)
      if let inline = use.inlineRange { return range(inline.from, inline.to) }
      return file.knownList(name).map { .type($0) } ?? .anyWords
    }
  }
}
