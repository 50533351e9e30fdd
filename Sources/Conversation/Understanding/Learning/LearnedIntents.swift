import Platform
import TextProcessing

/// Recognizes intents and slots by a classifier over TF-IDF features and one slot tagger for each intent.
///
/// Trained on the examples of a file when it is created; the result is deterministic. Used for texts that match no
/// template.
struct LearnedIntents: Sendable {
  /// The minimum confidence of an answer.
  static let threshold = 0.5

  /// The possible intents, and the slots of the first.
  struct Answer: Sendable {
    let kind: LearningSet.Kind
    /// The intents by index with their confidences, best first.
    let guesses: [(intent: Int, confidence: Double)]
    let slots: [Interpretation.Slot]
  }

  private let kinds: [LearningSet.Kind]
  private let index: FeatureIndex
  private let outcome: ClassifierTraining.Outcome
  private let known: Set<FeatureHash>
  private let taggers: [Int: SlotTagger]
  private let meanings: [Int: [String: [String: JSON]]]
  /// The intents all of whose examples fill a slot.
  private let needsSlot: Set<Int>
  private let finder: SpanFinder
  private let intents: [Intent]

  /// Trains on the examples of `file`; nil where it has none.
  ///
  /// - Throws: ``IntentFileFault`` for too many examples or slots.
  init?(_ file: IntentFile, _ program: Program, now: LocalTime) throws(IntentFileFault) {
    guard file.intents.contains(where: { !$0.examples.isEmpty }) else { return nil }
    let set = try LearningSet(file, program, now: now)
    kinds = set.kinds
    intents = file.intents
    finder = set.finder
    meanings = set.meanings
    known = set.knownWords
    let features = set.features
    let classes = set.kinds.count + 1
    let index = FeatureIndex(features.flatMap(\.self), limit: Self.weightLimit / classes)
    let samples = zip(set.samples, features).map { sample, features in
      ClassifierTraining.Sample(vectors: features.map(index.vector), kind: sample.kind)
    }
    outcome = ClassifierTraining(samples: samples, features: index.count, classes: classes).fit()
    self.index = index
    var taggers: [Int: SlotTagger] = [:]
    var needsSlot: Set<Int> = []
    let byIntent = Dictionary(grouping: set.samples.filter { $0.kind < set.kinds.count }) {
      set.kinds[$0.kind].intent
    }
    for (intent, samples) in byIntent {
      if samples.allSatisfy({ !$0.spans.isEmpty }) { needsSlot.insert(intent) }
      guard !set.labels[intent].isEmpty else { continue }
      taggers[intent] = SlotTagger(
        labels: set.labels[intent],
        samples: samples.map { SlotTagger.Sample(sentence: $0.sentence, spans: $0.spans) })
    }
    self.taggers = taggers
    self.needsSlot = needsSlot
  }

  private static let weightLimit = 8 << 20

  /// The interpretation of `text`; nil where its confidence is too low.
  ///
  /// - Parameter isAllowed: whether the context allows a class.
  func answer(
    _ text: NormalizedText, now: LocalTime, isAllowed: (LearningSet.Kind) -> Bool
  ) -> Answer? {
    let sentence = LearningSentence(text, finder, now: now)
    let features = SentenceFeatures(sentence) { known.contains($1) }
    let probabilities = outcome.classifier.probabilities(index.vector(features))
    var sums: [Int: Double] = [:]
    var best: [Int: Int] = [:]
    for (number, kind) in kinds.enumerated() where isAllowed(kind) {
      sums[kind.intent, default: 0] += Double(probabilities[number])
      if best[kind.intent].map({ probabilities[number] > probabilities[$0] }) ?? true {
        best[kind.intent] = number
      }
    }
    var guesses = sums.filter { $0.value >= 0.05 }.map { (intent: $0.key, confidence: min(1, $0.value)) }
    for place in guesses.indices { guesses[place].confidence = confidence(guesses[place].confidence) }
    guesses.sort { ($1.confidence, $0.intent) < ($0.confidence, $1.intent) }
    guard let first = guesses.first, first.confidence >= Self.threshold, let number = best[first.intent]
    else {
      return nil
    }
    let slots = self.slots(of: first.intent, in: sentence)
    let isRequired = intents[first.intent].slots.contains(where: \.isRequired)
    if slots.isEmpty, needsSlot.contains(first.intent), !isRequired {
      guesses[0].confidence /= 2
      if guesses[0].confidence < Self.threshold { return nil }
    }
    return Answer(kind: kinds[number], guesses: guesses, slots: slots)
  }

  /// Maps a probability to a confidence such that the threshold of the classifier becomes 0.5.
  private func confidence(_ probability: Double) -> Double {
    let middle = Double(outcome.threshold)
    return probability < middle
      ? Self.threshold * probability / middle
      : Self.threshold + (1 - Self.threshold) * (probability - middle) / (1 - middle)
  }

  private func slots(of intent: Int, in sentence: LearningSentence) -> [Interpretation.Slot] {
    guard let tagger = taggers[intent] else { return [] }
    var slots: [Interpretation.Slot] = []
    for answer in tagger.tag(sentence) {
      let label = tagger.labels[answer.span.label]
      let source = sentence.source(answer.span.words)
      let words = sentence.text.original(source)
      let found = sentence.spans.first { $0.list == label.list && $0.words == answer.span.words }
      let meaning = meanings[intent]?[label.slot]?[sentence.folded(answer.span.words)]
      var slot = Interpretation.Slot(
        name: label.slot, value: meaning ?? found?.value ?? .string(words), text: words,
        confidence: answer.confidence, range: source)
      slot.spoken = found?.spoken
      slot.kind = found?.kind
      if intents[intent].slot(label.slot)?.isMany ?? false {
        slots = slots.addingValue(of: slot, in: sentence.text)
      } else if let known = slots.firstIndex(where: { $0.name == slot.name }) {
        if slots[known].confidence < slot.confidence { slots[known] = slot }
      } else {
        slots.append(slot)
      }
    }
    return slots.applyingDayPart()
  }
}
