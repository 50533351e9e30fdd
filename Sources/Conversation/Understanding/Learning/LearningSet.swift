import Platform
import TextProcessing
import YAMLFormat

/// The training set: the examples of a file, random sentences of its templates, and sentences that are no command.
struct LearningSet: Sendable {
  static let exampleLimit = 5_000
  static let kindLimit = 1_000
  static let slotLimit = 24

  /// A class: an intent by its examples, or one block of its sentences.
  struct Kind: Sendable, Hashable {
    let intent: Int
    /// Nil for the examples, and for blocks without slots, replies or contexts of their own.
    let block: Int?
  }

  struct Sample: Sendable {
    let sentence: LearningSentence
    /// The index of the class; the number of classes for sentences that are no command.
    let kind: Int
    let spans: [TaggedSpan]
  }

  private(set) var kinds: [Kind] = []
  private var places: [Kind: Int] = [:]
  private(set) var samples: [Sample] = []
  /// The slots of each intent.
  private(set) var labels: [[SlotLabel]]
  /// The values of words as given in examples: by intent, slot and words.
  private(set) var meanings: [Int: [String: [String: JSON]]] = [:]
  let finder: SpanFinder
  private let file: IntentFile
  private let now: LocalTime

  /// - Throws: ``IntentFileFault`` for too many examples or slots.
  init(_ file: IntentFile, _ program: Program, now: LocalTime) throws(IntentFileFault) {
    self.file = file
    self.now = now
    labels = Array(repeating: [], count: file.intents.count)
    finder = SpanFinder(Self.listNames(of: file), in: program)
    try addExamples()
    try addTemplates()
    addChatter()
  }

  /// The lists and entities whose values may fill slots.
  private static func listNames(of file: IntentFile) -> [String] {
    var names: Set<String> = []
    for intent in file.intents {
      for slot in intent.slots { if let list = slot.list { names.insert(list) } }
      for example in intent.examples {
        for mark in example.sentence.marks {
          if let name = (try? file.listName(of: mark, in: intent)) ?? nil { names.insert(name) }
        }
      }
      guard !intent.examples.isEmpty else { continue }
      for slot in intent.slots where file.lists[slot.name] != nil { names.insert(slot.name) }
    }
    for (name, list) in file.lists where list.isPlaced { names.insert(name) }
    return names.sorted()
  }

  // MARK: Examples

  private mutating func addExamples() throws(IntentFileFault) {
    var count = 0
    for (index, intent) in file.intents.enumerated() where !intent.examples.isEmpty {
      let kind = try self.kind(Kind(intent: index, block: nil), at: intent.examples[0].position(0))
      for example in intent.examples {
        count += 1
        guard count <= Self.exampleLimit else {
          throw fault(example.position(0), .tooManyExamples(limit: Self.exampleLimit))
        }
        let sentence = LearningSentence(NormalizedText(example.sentence.text), finder, now: now)
        var spans: [TaggedSpan] = []
        for mark in example.sentence.marks {
          guard let words = sentence.words(at: mark.range) else { continue }
          let list = ((try? file.listName(of: mark, in: intent)) ?? nil).flatMap(finder.names.firstIndex)
          let label = self.label(SlotLabel(slot: mark.slot, list: list), of: index)
          guard labels[index].count <= Self.slotLimit else {
            throw fault(example.position(mark.offset), .tooManySlots(limit: Self.slotLimit))
          }
          spans.append(TaggedSpan(words: words, label: label))
          if let value = mark.value {
            let said = sentence.folded(words)
            meanings[index, default: [:]][mark.slot, default: [:]][said] = .string(value)
          }
        }
        samples.append(Sample(sentence: sentence, kind: kind, spans: spans))
      }
    }
  }

  // MARK: Templates

  private static let templateSamples = 1_200

  private mutating func addTemplates() throws(IntentFileFault) {
    let total = file.intents.reduce(0) { $0 + $1.blocks.reduce(0) { $0 + $1.sentences.count } }
    let each = max(1, min(8, Self.templateSamples / max(1, total)))
    var seed: UInt64 = 1
    for (index, intent) in file.intents.enumerated() {
      for (number, block) in intent.blocks.enumerated() where !block.sentences.isEmpty {
        let own = block.hasOwnMeaning(in: intent) ? number : nil
        let kind = try self.kind(Kind(intent: index, block: own), at: block.sentences[0].position(0))
        var sampler = TemplateSampler(file, block, seed: seed)
        seed += 1
        for sentence in block.sentences {
          for _ in 0..<each {
            guard let sample = sampler.sample(sentence.template) else { continue }
            try add(sample, at: sentence.position(0), of: index, kind)
          }
        }
      }
    }
  }

  private mutating func add(
    _ sample: TemplateSampler.Sample, at position: SourcePosition, of intent: Int, _ kind: Int
  ) throws(IntentFileFault) {
    let sentence = LearningSentence(NormalizedText(String(sample.text)), finder, now: now)
    guard !sentence.words.isEmpty else { return }
    var spans: [TaggedSpan] = []
    for mark in sample.marks {
      guard let words = sentence.words(at: mark.range),
        !spans.contains(where: { $0.words.overlaps(words) })
      else { continue }
      let label = self.label(
        SlotLabel(slot: mark.slot, list: finder.names.firstIndex(of: mark.list)), of: intent)
      guard labels[intent].count <= Self.slotLimit else {
        throw fault(position, .tooManySlots(limit: Self.slotLimit))
      }
      spans.append(TaggedSpan(words: words, label: label))
    }
    samples.append(Sample(sentence: sentence, kind: kind, spans: spans))
  }

  // MARK: Features

  /// All words of the samples.
  var knownWords: Set<FeatureHash> { Set(samples.flatMap { $0.sentence.words.flatMap(\.self) }) }

  /// The features of each sample: of all its words, and again with words of wildcards and words that occur once hidden.
  var features: [[SentenceFeatures]] {
    var counts: [FeatureHash: Int] = [:]
    for sample in samples {
      for word in Set(sample.sentence.words.flatMap(\.self)) { counts[word, default: 0] += 1 }
    }
    return samples.map { sample in
      let whole = SentenceFeatures(sample.sentence) { _, _ in true }
      let intent = sample.kind < kinds.count ? kinds[sample.kind].intent : nil
      let free = sample.spans.filter { span in intent.map { labels[$0][span.label].list == nil } ?? false }
      let hides = sample.sentence.words.indices.contains { index in
        free.contains { $0.words.contains(index) }
          || sample.sentence.words[index].contains { counts[$0] == 1 }
      }
      guard hides else { return [whole] }
      let hidden = SentenceFeatures(sample.sentence) { index, word in
        counts[word] ?? 0 > 1 && !free.contains { $0.words.contains(index) }
      }
      return [whole, hidden]
    }
  }

  // MARK: Chatter

  /// Adds sentences that are no command, with values of the lists in them.
  private mutating func addChatter() {
    guard file.hasNumberWords else { return }
    let own = Set(samples.map { Set($0.sentence.words) })
    var random = RandomSource(seed: 5)
    let values = file.lists.values.sorted { $0.name < $1.name }.flatMap { list -> [String] in
      guard finder.names.contains(list.name), case .values(let values) = list.kind else { return [] }
      return values.compactMap { if case .text(let text) = $0.said.template { text } else { nil } }
    }
    for line in Chatter.lines + ["\u{2022}", "\u{2022} \u{2022}", "\u{2022} \u{2022} \u{2022} \u{2022}"] {
      if line.contains("*"), values.isEmpty { continue }
      var text = ""
      for character in line {
        text += character == "*" ? values[Int(random.next() % UInt64(values.count))] : String(character)
      }
      let sentence = LearningSentence(NormalizedText(text), finder, now: now)
      if own.contains(Set(sentence.words)) { continue }
      samples.append(Sample(sentence: sentence, kind: kinds.count, spans: []))
    }
  }

  // MARK: Names

  private mutating func kind(_ kind: Kind, at position: SourcePosition) throws(IntentFileFault) -> Int {
    if let known = places[kind] { return known }
    guard kinds.count < Self.kindLimit else {
      throw fault(position, .tooManyLearned(limit: Self.kindLimit))
    }
    kinds.append(kind)
    places[kind] = kinds.count - 1
    return kinds.count - 1
  }

  private mutating func label(_ label: SlotLabel, of intent: Int) -> Int {
    if let known = labels[intent].firstIndex(of: label) { return known }
    labels[intent].append(label)
    return labels[intent].count - 1
  }

  private func fault(_ position: SourcePosition, _ problem: IntentFileProblem) -> IntentFileFault {
    .invalid(file: file.name, position: position, problem: problem)
  }
}

extension SentenceBlock {
  /// Whether the block has slots, a reply or context conditions that others of the intent do not have.
  fileprivate func hasOwnMeaning(in intent: Intent) -> Bool {
    !slots.isEmpty || !excluded.isEmpty || required.count > intent.requirements.requiredContexts.count
      || reply != intent.blocks.first?.reply
  }
}

extension SlotList {
  /// Whether its values can be found in a text: not for wildcards.
  fileprivate var isPlaced: Bool { if case .wildcard = kind { false } else { true } }
}

extension LearningSentence {
  /// Words in the form in which they are compared.
  func folded(_ words: Range<Int>) -> String {
    words.map { String(text.units[ranges[$0]].map(\.folded)) }.joined(separator: " ")
  }
}

/// English sentences that are no command, from `Resources/chatter.txt`.
enum Chatter {
  static let lines: [String] = String(decoding: PackageResources.chatter_txt, as: UTF8.self)
    .split(separator: "\n").filter { !$0.hasPrefix("#") }.map(String.init)
}
