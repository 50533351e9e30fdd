import Glibc
import Platform
import TextProcessing

/// A slot and the list of its values.
struct SlotLabel: Sendable, Hashable {
  let slot: String
  /// The index of the list in ``SpanFinder/names``; nil for any words.
  let list: Int?
}

/// Words of a sentence that fill a slot.
struct TaggedSpan: Sendable, Hashable {
  let words: Range<Int>
  /// The index of the label.
  let label: Int
}

/// Finds the slots in sentences of one intent: an averaged structured perceptron over segments.
///
/// A sentence is split into segments: the words of one slot, or one word of no slot. In training the best segmentation
/// (Viterbi) is compared with the marked one, and the weights of the differing features are updated (Collins 2002;
/// Sarawagi, Cohen 2004). Slots with a list or an entity accept its values only; other slots accept any words.
struct SlotTagger: Sendable {
  struct Sample: Sendable {
    let sentence: LearningSentence
    let spans: [TaggedSpan]
  }

  /// A segment and its confidence, 0…1.
  struct Answer: Sendable {
    let span: TaggedSpan
    let confidence: Double
  }

  let labels: [SlotLabel]
  private var weights: WeightTable
  /// The words outside slots without a list; all other words share one feature.
  private let known: Set<FeatureHash>
  private var longest = 0
  private var marginScale: Float = 1

  /// Trains on marked sentences; deterministic for the same samples in the same order.
  init(labels: [SlotLabel], samples: [Sample], epochs: Int = 8) {
    self.labels = labels
    known = Self.contextWords(samples, labels)
    weights = WeightTable(samples: samples.count)
    guard !labels.isEmpty else { return }
    for sample in samples {
      for span in sample.spans where labels[span.label].list == nil {
        longest = max(longest, min(8, span.words.count + 1))
      }
    }
    let prepared = samples.map { sample in
      (lattice: lattice(of: sample.sentence, with: sample.spans), gold: Set(sample.spans))
    }
    var random = RandomSource(seed: 11)
    var order = Array(prepared.indices)
    for _ in 0..<epochs {
      order.shuffle(using: &random)
      var mistakes = 0
      for index in order {
        weights.tick()
        let (lattice, gold) = prepared[index]
        let found = lattice.best(weights, against: gold)
        if Set(found.map(\.span)) == gold { continue }
        mistakes += 1
        lattice.visit(lattice.path(of: gold)) { weights.add(1, to: $0) }
        lattice.visit(found) { weights.add(-1, to: $0) }
      }
      if mistakes == 0 { break }
    }
    weights.average()
    marginScale = margin(prepared.map { ($0.lattice, $0.gold) })
  }

  /// The slots of a sentence, in order.
  func tag(_ sentence: LearningSentence) -> [Answer] {
    guard !labels.isEmpty else { return [] }
    let lattice = lattice(of: sentence, with: [])
    return lattice.best(weights).map { segment in
      let score = lattice.score(segment, weights)
      let others = lattice.rivals(of: segment.span).map { lattice.score($0, weights) }
      let margin = score - max(0, others.max() ?? 0)
      return Answer(span: segment.span, confidence: Double(1 / (1 + expf(-3 * margin / marginScale))))
    }
  }

  private func lattice(of sentence: LearningSentence, with gold: [TaggedSpan]) -> SlotLattice {
    SlotLattice(sentence, labels: labels, longest: longest, known: known, including: gold)
  }

  private static func contextWords(_ samples: [Sample], _ labels: [SlotLabel]) -> Set<FeatureHash> {
    var words: Set<FeatureHash> = []
    for sample in samples {
      let free = sample.spans.filter { labels[$0.label].list == nil }
      for (index, parts) in sample.sentence.words.enumerated()
      where !free.contains(where: { $0.words.contains(index) }) {
        words.formUnion(parts)
      }
    }
    return words
  }

  /// The mean score of the marked segments, which scales confidences.
  private func margin(_ samples: [(lattice: SlotLattice, gold: Set<TaggedSpan>)]) -> Float {
    var sum: Float = 0
    var count: Float = 0
    for (lattice, gold) in samples.prefix(200) {
      for segment in lattice.path(of: gold) {
        sum += max(0, lattice.score(segment, weights))
        count += 1
      }
    }
    return max(0.1, count > 0 ? sum / count : 1)
  }
}

/// Weights of hashed features, and their sums for the average over all steps.
struct WeightTable: Sendable {
  private var values: [Float]
  private var sums: [Float]
  private var step: Float = 0
  private let mask: UInt64

  init(samples: Int) {
    var size = 1 << 13
    while size < samples * 512, size < 1 << 17 { size *= 2 }
    values = [Float](repeating: 0, count: size)
    sums = values
    mask = UInt64(size - 1)
  }

  subscript(feature: FeatureHash) -> Float { values[Int((feature.value >> 13) & mask)] }

  mutating func tick() { step += 1 }

  mutating func add(_ amount: Float, to feature: FeatureHash) {
    let place = Int((feature.value >> 13) & mask)
    values[place] += amount
    sums[place] += amount * step
  }

  mutating func average() {
    for place in values.indices { values[place] -= sums[place] / max(1, step) }
    sums = []
  }
}
