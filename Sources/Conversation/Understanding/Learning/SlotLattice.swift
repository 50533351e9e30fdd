import TextProcessing

/// All segmentations of one sentence into slots, with the features of each segment.
struct SlotLattice: Sendable {
  /// A segment on a path.
  struct Segment: Sendable {
    let span: TaggedSpan
    /// The label before it on the path, or -1.
    let previous: Int
    let gap: Gap
  }

  /// What is between a segment and the previous one.
  enum Gap: Int, Sendable, CaseIterable { case nothing, conjunction, words }

  private struct Candidate: Sendable {
    let words: Range<Int>
    let labels: [Int]
    let features: [FeatureHash]
  }

  private struct Step {
    var score: Float
    var candidate: Int
    var label: Int
    var previous: Int
    var gap: Gap
    var from: Int
  }

  private let count: Int
  private let labelCount: Int
  private let isJoining: [Bool]
  private var candidates: [Candidate] = []
  private var startingAt: [[Int]] = []

  private static let joining = Set(
    (Coordination.conjunctions.union(Coordination.articles)).map { FeatureHash($0) })
  private static let margin: Float = 4

  /// - Parameters:
  ///   - longest: the maximum number of words of a slot without a list.
  ///   - known: the words with a feature of their own.
  ///   - gold: spans that must be among the candidates.
  init(
    _ sentence: LearningSentence, labels: [SlotLabel], longest: Int, known: Set<FeatureHash>,
    including gold: [TaggedSpan]
  ) {
    count = sentence.words.count
    labelCount = labels.count
    isJoining = sentence.words.map { Self.joining.contains($0[0]) }
    var places: [Range<Int>: [Int]] = [:]
    func add(_ words: Range<Int>, _ label: Int) {
      if places[words, default: []].contains(label) { return }
      places[words, default: []].append(label)
    }
    for (label, content) in labels.enumerated() {
      if let list = content.list {
        for span in sentence.spans where span.list == list { add(span.words, label) }
      } else {
        for start in 0..<count {
          for length in 1...max(1, longest) where start + length <= count {
            add(start..<start + length, label)
          }
        }
      }
    }
    for span in gold { add(span.words, span.label) }
    let context = SlotContext(sentence, known: known)
    startingAt = Array(repeating: [], count: count + 1)
    for (words, labels) in places.sorted(by: {
      ($0.key.lowerBound, $0.key.upperBound) < ($1.key.lowerBound, $1.key.upperBound)
    }) {
      startingAt[words.lowerBound].append(candidates.count)
      candidates.append(Candidate(words: words, labels: labels, features: context.features(of: words)))
    }
  }

  // MARK: Scores

  func score(_ segment: Segment, _ weights: WeightTable) -> Float {
    var sum: Float = 0
    visit([segment]) { sum += weights[$0] }
    return sum
  }

  /// Calls `body` with every feature of the segments.
  func visit(_ segments: [Segment], _ body: (FeatureHash) -> Void) {
    for segment in segments {
      guard let candidate = candidates.first(where: { $0.words == segment.span.words }) else { continue }
      let label = UInt64(segment.span.label)
      for feature in candidate.features { body(feature.joined(label)) }
      body(Self.transition(from: segment.previous, segment.gap, to: segment.span.label))
    }
  }

  private static func transition(from: Int, _ gap: Gap, to label: Int) -> FeatureHash {
    FeatureHash(value: UInt64(from + 2) &* 1_000_003 &+ UInt64(gap.rawValue) &* 8_191).joined(UInt64(label))
  }

  /// The segments with the same words and other labels.
  func rivals(of span: TaggedSpan) -> [Segment] {
    candidates.filter { $0.words == span.words }.flatMap { candidate in
      candidate.labels.filter { $0 != span.label }.map {
        Segment(span: TaggedSpan(words: span.words, label: $0), previous: -1, gap: .words)
      }
    }
  }

  // MARK: Paths

  /// The path of the marked spans.
  func path(of gold: Set<TaggedSpan>) -> [Segment] {
    var path: [Segment] = []
    for span in gold.sorted(by: { $0.words.lowerBound < $1.words.lowerBound }) {
      let last = path.last
      let gap = last.map { self.gap(from: $0.span.words.upperBound, to: span.words.lowerBound) } ?? .words
      path.append(Segment(span: span, previous: last?.span.label ?? -1, gap: gap))
    }
    return path
  }

  private func gap(from: Int, to: Int) -> Gap {
    if from >= to { return .nothing }
    return (from..<to).allSatisfy { isJoining[$0] } ? .conjunction : .words
  }

  /// The path with the highest score (Viterbi).
  ///
  /// - Parameter gold: in training, the marked spans, whose score must exceed all others by a margin.
  func best(_ weights: WeightTable, against gold: Set<TaggedSpan>? = nil) -> [Segment] {
    let gaps = Gap.allCases.count
    let width = (labelCount + 1) * gaps
    var steps = [Step?](repeating: nil, count: (count + 1) * width)
    func index(_ place: Int, _ label: Int, _ gap: Gap) -> Int {
      place * width + (label + 1) * gaps + gap.rawValue
    }
    func offer(_ step: Step, at index: Int) {
      if steps[index].map({ step.score > $0.score }) ?? true { steps[index] = step }
    }
    offer(
      Step(score: 0, candidate: -1, label: -1, previous: -1, gap: .words, from: -1), at: index(0, -1, .words))
    for place in 0..<count {
      for label in -1..<labelCount {
        for gap in Gap.allCases {
          let here = index(place, label, gap)
          guard let state = steps[here] else { continue }
          let next: Gap = gap != .words && isJoining[place] ? .conjunction : .words
          offer(
            Step(score: state.score, candidate: -1, label: -1, previous: -1, gap: gap, from: here),
            at: index(place + 1, label, next))
        }
      }
      for number in startingAt[place] {
        let candidate = candidates[number]
        for label in candidate.labels {
          let isGold = gold?.contains(TaggedSpan(words: candidate.words, label: label))
          var own = isGold.map { $0 ? -Self.margin : Self.margin } ?? 0
          for feature in candidate.features { own += weights[feature.joined(UInt64(label))] }
          for before in -1..<labelCount {
            for gap in Gap.allCases {
              let here = index(place, before, gap)
              guard let state = steps[here] else { continue }
              let score = state.score + own + weights[Self.transition(from: before, gap, to: label)]
              offer(
                Step(score: score, candidate: number, label: label, previous: before, gap: gap, from: here),
                at: index(candidate.words.upperBound, label, .nothing))
            }
          }
        }
      }
    }
    return path(endingIn: (count * width..<(count + 1) * width).map { ($0, steps[$0]?.score) }, steps)
  }

  private func path(endingIn ends: [(index: Int, score: Float?)], _ steps: [Step?]) -> [Segment] {
    var best: (index: Int, score: Float)?
    for end in ends {
      if let score = end.score, best.map({ score > $0.score }) ?? true { best = (end.index, score) }
    }
    var path: [Segment] = []
    var index = best?.index ?? -1
    while index >= 0, let step = steps[index] {
      if step.candidate >= 0 {
        let span = TaggedSpan(words: candidates[step.candidate].words, label: step.label)
        path.append(Segment(span: span, previous: step.previous, gap: step.gap))
      }
      index = step.from
    }
    return path.reversed()
  }
}

/// The features of a segment: the words around it.
struct SlotContext {
  private let words: [[FeatureHash]]
  private let known: Set<FeatureHash>
  private let spanAt: [Int]
  private let spans: [ListSpan]

  private static let skippedWords = Set(
    Coordination.conjunctions.union(Coordination.articles).union(["of", "my", "our", "please"])
      .map { FeatureHash($0) })
  private static let clauseBreaks = Set(
    ["but", "then", "while", "because", "although"].map { FeatureHash($0) })
  private static let names = (0..<20).map { FeatureHash("feature \($0)") }
  private static let list = FeatureHash("{list}")
  private static let edge = FeatureHash("^$")

  init(_ sentence: LearningSentence, known: Set<FeatureHash>) {
    self.known = known
    words = sentence.words
    spans = sentence.cover
    var spanAt = [Int](repeating: -1, count: words.count)
    for (index, span) in spans.enumerated() { for word in span.words { spanAt[word] = index } }
    self.spanAt = spanAt
  }

  /// The feature of a word, or of the list that covers it.
  private func item(_ index: Int) -> FeatureHash {
    guard words.indices.contains(index) else { return Self.edge }
    if spanAt[index] >= 0 { return Self.list.joined(UInt64(spans[spanAt[index]].list)) }
    return known.contains(words[index][0]) ? words[index][0] : SentenceFeatures.unknownWord
  }

  func features(of segment: Range<Int>) -> [FeatureHash] {
    var features: [FeatureHash] = [Self.names[0]]
    func add(_ name: Int, _ values: FeatureHash...) {
      features.append(values.reduce(Self.names[name]) { $0.joined($1) })
    }
    let left = content(before: segment.lowerBound)
    let right = content(after: segment.upperBound)
    add(1, item(segment.lowerBound - 1))
    add(2, item(segment.upperBound))
    add(3, item(segment.lowerBound - 2), item(segment.lowerBound - 1))
    add(4, item(segment.upperBound), item(segment.upperBound + 1))
    add(5, left.first ?? Self.edge)
    add(6, right.first ?? Self.edge)
    if left.count > 1 { add(7, left[1], left[0]) }
    if right.count > 1 { add(8, right[0], right[1]) }
    for word in left.prefix(8) { add(9, word) }
    for word in right.prefix(6) { add(10, word) }
    let inside = spans.filter { $0.words.overlaps(segment) }
    if let span = inside.first, span.words == segment {
      add(11, FeatureHash(value: UInt64(span.list)))
    } else {
      add(12, FeatureHash(value: UInt64(min(6, segment.count))))
      add(13, item(segment.lowerBound))
      add(14, item(segment.upperBound - 1))
      add(16, words[segment.lowerBound][0])
      add(17, words[segment.upperBound - 1][0])
      let strange = segment.count { spanAt[$0] < 0 && !known.contains(words[$0][0]) }
      add(18, FeatureHash(value: UInt64(strange == segment.count ? 2 : strange > 0 ? 1 : 0)))
      for span in inside {
        let isWhole = segment.contains(span.words.lowerBound) && segment.contains(span.words.upperBound - 1)
        add(15, FeatureHash(value: UInt64(span.list) * 2 + (isWhole ? 1 : 0)))
      }
    }
    return features
  }

  /// The words before `place` in its clause, nearest first, without articles and values of lists.
  private func content(before place: Int) -> [FeatureHash] {
    var found: [FeatureHash] = []
    var index = place - 1
    while index >= 0, !Self.clauseBreaks.contains(words[index][0]), found.count < 8 {
      if spanAt[index] < 0, !Self.skippedWords.contains(words[index][0]) { found += words[index].reversed() }
      index -= 1
    }
    return found
  }

  /// The words after `place` in its clause, without articles and values of lists.
  private func content(after place: Int) -> [FeatureHash] {
    var found: [FeatureHash] = []
    var index = place
    while index < words.count, !Self.clauseBreaks.contains(words[index][0]), found.count < 8 {
      if spanAt[index] < 0, !Self.skippedWords.contains(words[index][0]) { found += words[index] }
      index += 1
    }
    return found
  }
}
