import Platform
import TextProcessing

/// Interprets text by the sentences of an ``IntentFile``: finds the intent and its slots.
///
/// Thread-safe. Allocates: not for the audio thread. The time grows with the number of sentences and at most with the
/// square of the length of the text, not with the number of sentences that the templates could expand to.
public struct Understander: Sendable {
  /// The maximum length of a text in code points; longer ones are not understood.
  public static let textLimit = 1_000

  package let file: IntentFile
  let program: Program
  /// The sentences with homophones folded, for texts that match no sentence as written.
  private let homophones: Program?
  let learned: LearnedIntents?
  private let traits: TraitReader
  let skipWords: [[String]]
  package let clock: @Sendable () -> LocalTime

  /// Compiles `file`.
  ///
  /// - Parameter clock: returns the time to which "tomorrow" and "in two hours" are relative.
  /// - Throws: ``IntentFileFault`` for unknown rules and lists, circular references, and exceeded limits.
  public init(
    _ file: IntentFile, clock: @escaping @Sendable () -> LocalTime = LocalTime.now
  ) throws(IntentFileFault) {
    self.file = file
    self.clock = clock
    program = try Program(file)
    homophones = file.hasNumberWords ? try Program(file, foldingHomophones: true) : nil
    learned = try LearnedIntents(file, program, now: clock())
    traits = TraitReader(file.traits, isEnglish: file.hasNumberWords)
    skipWords = Self.phrases(file.skipWords)
  }

  /// The language of the sentences.
  public var language: String { file.language }

  /// Interprets `text`.
  ///
  /// - Parameter context: the values for `requires_context` and `excludes_context`.
  public func interpret(_ text: String, context: [String: JSON] = [:]) -> Interpretation {
    interpret(text, context: context, among: nil)
  }

  /// The traits of `text`.
  package func traits(of text: String) -> [TextTrait] {
    text.unicodeScalars.count <= Self.textLimit ? traits.traits(of: NormalizedText(text)) : []
  }

  /// Interprets `text` as one of `intents`, or as any intent for nil.
  package func interpret(
    _ text: String, context: [String: JSON] = [:], among intents: Set<String>?
  ) -> Interpretation {
    var result = Interpretation(text: text, language: file.language)
    guard text.unicodeScalars.count <= Self.textLimit else { return result }
    let whole = NormalizedText(text)
    guard !whole.words.isEmpty else { return result }
    if intents == nil { result.traits = traits.traits(of: whole) }
    var candidates = candidates(for: whole, by: program, context, intents, confidence: 1)
    if candidates.isEmpty, let homophones {
      // Also a text without homophones: numbers of the templates may be in words there.
      let folded = whole.foldingHomophones ?? whole
      candidates = self.candidates(for: folded, by: homophones, context, intents, confidence: 0.9)
    }
    guard let best = candidates.first else {
      learn(from: whole, context, intents, into: &result)
      return result
    }
    let ranked = rank(candidates)
    result.status = .ready
    result.intent = ranked.first
    result.ranking = ranked
    result.slots = best.slots
    result.replyTemplate = best.block.reply?.naming(best.captures)
    result.reply = result.replyTemplate?.filled { name in
      best.slots.first { $0.name == name }.map(\.inReply)
    }
    return result
  }

  /// As of the intent file.
  public var rooms: [String: String] { file.rooms }
  /// As of the intent file.
  public var roomIdentifiers: [String: String] { file.roomIdentifiers }

  // MARK: Readings

  /// The best match for each intent; where nothing matches, fillers are dropped and the rest is matched again.
  private func candidates(
    for whole: NormalizedText, by program: Program, _ context: [String: JSON], _ intents: Set<String>?,
    confidence: Double
  ) -> [Candidate] {
    let candidates = readings(
      Variants(whole, dropping: skipWords), program, context, intents, confidence: confidence)
    guard candidates.isEmpty, file.hasNumberWords else { return candidates }
    let bare = whole.removing(Self.places(of: skipWords + Self.fillers, in: whole))
    let dropped = whole.words.count - bare.words.count
    guard dropped > 0, !bare.words.isEmpty else { return [] }
    return readings(
      Variants(bare, dropping: []), program, context, intents,
      confidence: confidence * max(0.5, 0.95 - 0.05 * Double(dropped)))
  }

  /// A match of one sentence.
  private struct Candidate {
    let intent: Int
    let name: String
    let block: SentenceBlock
    let score: Chart.Score
    let confidence: Double
    let slots: [Interpretation.Slot]
    let captures: [String: String]
  }

  /// The text with skip words, and without them as far as a template allows.
  private struct Variants {
    let whole: NormalizedText
    let bare: NormalizedText?
    let bareAtStart: NormalizedText?
    let bareAtEnd: NormalizedText?

    init(_ whole: NormalizedText, dropping phrases: [[String]]) {
      self.whole = whole
      let places = Understander.places(of: phrases, in: whole)
      guard !places.isEmpty else {
        bare = nil
        bareAtStart = nil
        bareAtEnd = nil
        return
      }
      bare = whole.removing(places)
      var next = 0
      let leading = places.prefix { place in
        defer { next = place.upperBound + 1 }
        return place.lowerBound == next
      }
      bareAtStart = leading.isEmpty ? nil : whole.removing(Array(leading))
      var last = whole.units.count - 1
      let trailing = places.reversed().prefix { place in
        defer { last = place.lowerBound - 1 }
        return place.upperBound == last
      }
      bareAtEnd = trailing.isEmpty ? nil : whole.removing(trailing.reversed())
    }
  }

  /// The best match for each intent, best first.
  private func readings(
    _ variants: Variants, _ program: Program, _ context: [String: JSON], _ intents: Set<String>?,
    confidence: Double
  ) -> [Candidate] {
    let now = clock()
    let whole = Chart(variants.whole, program, now: now)
    let bare = variants.bare.map { Chart($0, program, now: now) }
    let bareAtStart = variants.bareAtStart.map { Chart($0, program, now: now) }
    let bareAtEnd = variants.bareAtEnd.map { Chart($0, program, now: now) }
    let words = Set(variants.whole.words.map(\.text))
    var best: [Int: Candidate] = [:]
    for sentence in program.sentences {
      if let intents, !intents.contains(program.intents[sentence.intent].name) { continue }
      let block = program.intents[sentence.intent].blocks[sentence.block]
      if !block.keywords.isEmpty, block.keywords.isDisjoint(with: words) { continue }
      let other =
        sentence.beginsWithWildcard
        ? (sentence.endsWithWildcard ? nil : bareAtEnd) : (sentence.endsWithWildcard ? bareAtStart : bare)
      for (chart, share) in [(whole, confidence), (other, confidence * 0.98)] {
        guard let chart, let end = chart.reading(of: sentence) else { continue }
        if let known = best[sentence.intent], !end.score.isBetter(than: known.score) { continue }
        guard let candidate = candidate(end, chart, program, sentence, context, share) else { continue }
        best[sentence.intent] = candidate
      }
    }
    return best.values.sorted { left, right in
      if left.score != right.score { return left.score.isBetter(than: right.score) }
      return (left.name, left.intent) < (right.name, right.intent)
    }
  }

  private func candidate(
    _ end: Chart.End, _ chart: Chart, _ program: Program, _ sentence: Program.Sentence,
    _ context: [String: JSON], _ share: Double
  ) -> Candidate? {
    let intent = program.intents[sentence.intent]
    let block = intent.blocks[sentence.block]
    let said = max(1, chart.text.units.count { $0.folded != " " })
    let confidence = share * (1 - 0.3 * min(1, Double(end.score.wildcardLength) / Double(said)))
    var known = context
    var slots: [Interpretation.Slot] = []
    var captures: [String: String] = [:]
    for fill in chart.fills(of: end) {
      let use = program.uses[Int(fill.use)]
      let list = program.lists[use.list]
      let words = chart.text.written(fill.range)
      if case .value(let index) = fill.content {
        for member in list.contexts[Int(index)] { known[member.name] = member.value }
      }
      if use.isCapture {
        captures[use.slot] = words
        continue
      }
      let value: JSON =
        switch fill.content {
        case .value(let index): chart.value(index, of: fill)
        case .number(let number): .rounded(number, digits: 6)
        case .entity(let index): chart.entityValues[index]
        case .words: .string(words)
        }
      let range = chart.text.source(fill.range)
      var slot = Interpretation.Slot(
        name: use.slot, value: value, text: chart.text.original(range),
        confidence: fill.content == .words ? confidence * 0.9 : confidence, range: range)
      if case .entity = fill.content {
        slot.spoken = words
        slot.kind = list.entity
      }
      if intent.slot(use.slot)?.isMany ?? false {
        slots = slots.addingValue(of: slot, in: chart.text)
      } else {
        slots.removeAll { $0.name == use.slot }
        slots.append(slot)
      }
    }
    slots = slots.applyingDayPart()
    for member in block.slots where !slots.contains(where: { $0.name == member.name }) {
      slots.append(
        Interpretation.Slot(
          name: member.name, value: member.value, text: "", confidence: confidence, range: nil))
    }
    for rule in block.excluded where known[rule.key].map(rule.holds) ?? false { return nil }
    for rule in block.required {
      guard let value = known[rule.key], rule.holds(for: value) else { return nil }
      if let slot = rule.slot, !slots.contains(where: { $0.name == slot }) {
        slots.append(
          Interpretation.Slot(name: slot, value: value, text: "", confidence: confidence, range: nil))
      }
    }
    return Candidate(
      intent: sentence.intent, name: intent.name, block: block, score: end.score, confidence: confidence,
      slots: slots, captures: captures)
  }

  /// The intents with their confidences, which decrease strictly.
  private func rank(_ candidates: [Candidate]) -> [Interpretation.Guess] {
    var guesses: [Interpretation.Guess] = []
    for candidate in candidates {
      let limit = guesses.last.map { $0.confidence * 0.98 } ?? 1
      guesses.append(
        Interpretation.Guess(name: candidate.name, confidence: min(candidate.confidence, limit)))
    }
    return guesses
  }

  // MARK: Fillers

  /// Words without meaning for a command; dropped only where no sentence matches with them.
  static let fillers = phrases([
    "uh", "um", "uhm", "er", "erm", "ah", "oh", "hmm", "mm", "please", "kindly", "just", "hey", "okay", "ok",
    "well", "so", "actually", "thanks", "thank you", "would you mind", "for me",
  ])

  private static func phrases(_ texts: [String]) -> [[String]] {
    texts.map { NormalizedText($0).words.map(\.text) }.filter { !$0.isEmpty }.sorted { $0.count > $1.count }
  }

  /// The ranges of `phrases` in the units of `text`; where several match at one position, the longest.
  static func places(of phrases: [[String]], in text: NormalizedText) -> [Range<Int>] {
    guard !phrases.isEmpty else { return [] }
    let words = text.words
    var places: [Range<Int>] = []
    var index = 0
    while index < words.count {
      let found = phrases.first { phrase in
        phrase.count <= words.count - index
          && zip(phrase, words[index...]).allSatisfy { $0 == $1.text }
      }
      if let found {
        places.append(words[index].range.lowerBound..<words[index + found.count - 1].range.upperBound)
      }
      index += found?.count ?? 1
    }
    return places
  }
}

extension Understander {
  /// Interprets `text` by the classifier trained on examples, where its confidence is high enough.
  func learn(
    from text: NormalizedText, _ context: [String: JSON], _ intents: Set<String>?,
    into result: inout Interpretation
  ) {
    let answer = learned?.answer(text, now: clock()) { kind in
      let intent = file.intents[kind.intent]
      if let intents, !intents.contains(intent.name) { return false }
      guard let block = kind.block.map({ intent.blocks[$0] }) else {
        return intent.requirements.requiredContexts.allSatisfy { context[$0].map { $0 != .null } ?? false }
      }
      return block.required.allSatisfy { rule in context[rule.key].map(rule.holds) ?? false }
        && !block.excluded.contains { rule in context[rule.key].map(rule.holds) ?? false }
    }
    guard let answer, let best = answer.guesses.first else { return }
    let block = answer.kind.block.map { file.intents[best.intent].blocks[$0] }
    result.status = .ready
    result.ranking = answer.guesses.map {
      Interpretation.Guess(name: file.intents[$0.intent].name, confidence: $0.confidence)
    }
    result.intent = result.ranking.first
    result.slots = answer.slots
    for member in block?.slots ?? [] where result[member.name] == nil {
      result.slots.append(
        Interpretation.Slot(
          name: member.name, value: member.value, text: "", confidence: best.confidence, range: nil))
    }
    let reply = block?.reply ?? file.replies[file.intents[best.intent].name]?["default"]
    result.replyTemplate = reply
    result.reply = reply?.filled { name in result[name]?.inReply }
  }
}
