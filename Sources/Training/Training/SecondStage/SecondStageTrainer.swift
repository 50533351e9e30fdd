import Detection
import Evaluation
import Platform

/// Fits the network of a model's second stage: the phrase against what the networks and the verifier propose in other audio.
///
/// See `Benchmarks/README.md` for what was tried.
package enum SecondStageTrainer {
  /// The proposals per hour of other speech. More change nothing but the processor time.
  static let proposals = 30.0
  /// The weight of the second logit in the sum of both.
  ///
  /// - Parameter isJoined: the second stage learned from joined phrases, and tells more.
  package static func weight(isJoined: Bool) -> Float { isJoined ? 1.6 : 1 }
  private static let steps = 1500
  /// Networks of so many channels, from different seeds, become one of all their channels: its logit is their mean.
  private static let networks = 3
  private static let channels = 32
  /// The most negatives of each kind.
  private static let count = 4000
  /// The steps around the end of a phrase where its score may be highest.
  private static let peak = -10..<20

  /// - Parameters:
  ///   - bank: streams with embeddings; those without them are not used.
  ///   - joined: the phrase and similar ones, joined from other speech.
  ///   - scorer: of the one model whose proposals are judged.
  ///   - evaluation: the number of the evaluation model, whose held-out streams are excluded; nil for the model itself.
  /// - Returns: nil if no rendered phrase has embeddings.
  static func fit(
    _ bank: FeatureBank, joined: [JoinedBands.Utterance], _ scorer: ModelScorer, evaluation: Int?,
    _ settings: TrainingSettings, _ progress: (TrainingProgress) -> Void
  ) -> NetworkWeights? {
    progress(TrainingProgress(activity: "finding proposals", part: 0))
    let usable = bank.streams.indices.filter {
      !bank.streams[$0].embeddings.isEmpty && !bank.streams[$0].heldOut.isExcluded(from: evaluation)
    }
    let spots = Array(
      Parallel.map(usable.count, threads: settings.threads) {
        Self.spots(in: usable[$0], of: bank, scorer)
      }.joined())
    func highest(_ kind: Spot.Kind) -> [Spot] {
      Array(spots.filter { $0.kind == kind }.sorted { $0.score > $1.score }.prefix(count))
    }
    let phrases = spots.filter { $0.kind == .phrase }
    guard !phrases.isEmpty else { return nil }
    let (recorded, synthetic) = (highest(.recorded), highest(.synthetic))
    let others = usable.filter { Spot.Kind(bank.streams[$0]) == .recorded }
    let shape = try! NetworkShape(
      inputs: SpeechEmbedding.outputs, stemKernel: SecondStage.window, stride: SecondStage.window,
      channels: channels, kernel: 1, dilations: [])
    let fitted = (0..<networks).map { member in
      let seed = settings.seed &* 64 &+ UInt64(member)
      let source = SecondStageWindows(
        bank, phrases: phrases, recorded: recorded, synthetic: synthetic, others: others, joined: joined,
        seed: seed)
      var fit = FitSettings(steps: min(steps, settings.steps), seed: seed)
      fit.peakLearningRate = 0.002
      fit.loss.negativeWeightStart = 1
      fit.loss.negativeWeightEnd = 1
      return Fit.run(shape: shape, source: source, settings: fit, threads: settings.threads) { now in
        if now.step % 50 == 0 {
          let left = now.secondsLeft / Double(max(1, now.steps - now.step))
          progress(
            TrainingProgress(
              activity: "training the second stage",
              part: (Double(member) + Double(now.step) / Double(now.steps)) / Double(networks),
              secondsLeft: now.secondsLeft + left * Double(now.steps * (networks - 1 - member)),
              loss: Double(now.loss)))
        }
        return true
      }.weights
    }
    return mean(of: fitted).inHalfPrecision
  }

  /// Returns the network without blocks whose logit is the mean of those of `networks`.
  static func mean(of networks: [NetworkWeights]) -> NetworkWeights {
    let shape = networks[0].shape
    let all = try! NetworkShape(
      inputs: shape.inputs, stemKernel: shape.stemKernel, stride: shape.stride,
      channels: shape.channels * networks.count, kernel: shape.kernel, dilations: [])
    var mean = NetworkWeights(zero: all)
    let share = 1 / Float(networks.count)
    mean.stemWeight = networks.flatMap(\.stemWeight)
    mean.stemBias = networks.flatMap(\.stemBias)
    mean.headWeight = networks.flatMap(\.headWeight).map { $0 * share }
    mean.headBias = [networks.reduce(0) { $0 + $1.headBias[0] } * share]
    return mean
  }

  /// A place in a stream.
  struct Spot: Sendable {
    enum Kind: Sendable {
      case phrase, recorded, synthetic

      init(_ stream: FeatureStream) {
        self =
          switch stream.kind {
          case .keyword, .syntheticKeyword, .joinedKeyword: .phrase
          case .part, .syntheticSpeech, .similar: .synthetic
          case .speech, .word, .noise, .falseAlarm: .recorded
          }
      }
    }

    let kind: Kind
    let stream: Int
    /// The vectors of the stream up to the place, in 10 ms.
    let vectors: Int
    let score: Float
  }

  /// Returns where the score of a phrase is highest, or where those of other audio are.
  private static func spots(in index: Int, of bank: FeatureBank, _ scorer: ModelScorer) -> [Spot] {
    let stream = bank.streams[index]
    let kind = Spot.Kind(stream)
    let scores = scorer.logits(scores: stream.features, [])[0].first.smoothed(
      over: Calibration.fittedSmoothing)
    func spot(_ step: Int) -> Spot {
      Spot(kind: kind, stream: index, vectors: (step + 1) * bank.hop, score: scores[step])
    }
    if kind == .phrase {
      guard let word = stream.word else { return [] }
      let near = (word.upperBound + peak.lowerBound..<word.upperBound + peak.upperBound).clamped(
        to: scores.indices)
      return near.max { scores[$0] < scores[$1] }.map { [spot($0)] } ?? []
    }
    return ScorePeak.all(in: scores, gap: 75).prefix(4).map { spot($0.step) }
  }
}

/// Batches of windows of embeddings: the phrase, proposals in recorded and in synthetic speech, and other places.
private struct SecondStageWindows: BatchSource {
  typealias Spot = SecondStageTrainer.Spot

  private let bank: FeatureBank
  /// With the number of windows of each in a batch.
  private let pools: [(spots: [Spot], count: Int)]
  /// The streams of which any place is drawn, and how many of these there are in a batch.
  private let others: [Int]
  private let places = 64
  /// What is joined, with the number of each in a batch.
  private let joined: [(utterances: [JoinedBands.Utterance], count: Int)]
  private let random: RandomSource

  /// The share of the numbers that are hidden, more with joined phrases: by measurement.
  private var hidden: Float { joined.isEmpty ? 0.3 : 0.5 }
  /// The vectors of 10 ms after its place at which a window may end: while a proposal is held.
  private static let latest = 2 * SecondStage.hold

  init(
    _ bank: FeatureBank, phrases: [Spot], recorded: [Spot], synthetic: [Spot], others: [Int],
    joined: [JoinedBands.Utterance], seed: UInt64
  ) {
    self.bank = bank
    self.joined = [(joined.filter(\.isPhrase), 80), (joined.filter { !$0.isPhrase }, 64)].filter {
      !$0.0.isEmpty
    }
    let alone = joined.isEmpty ? 128 : 80
    pools = [(phrases, alone), (recorded, 128), (synthetic, alone)].filter { !$0.0.isEmpty }
    self.others = others
    random = RandomSource(seed: seed).stream(7)
  }

  func batch(_ index: Int) -> Batch {
    var random = random.stream(index)
    var features: [Float] = []
    var targets: [Target] = []
    for (spots, count) in pools {
      for _ in 0..<count {
        let spot = spots[Int(random.next() % UInt64(spots.count))]
        let late = Int(random.next() % UInt64(Self.latest + 1))
        append(spot.stream, spot.vectors + late, to: &features, &random)
        targets.append(spot.kind == .phrase ? .keyword(startStep: 0, endStep: 0) : .background)
      }
    }
    for (utterances, count) in joined {
      for _ in 0..<count {
        let utterance = utterances[Int(random.next() % UInt64(utterances.count))]
        let width = SpeechEmbedding.outputs
        let windows = utterance.embeddings.count / width - SecondStage.window + 1
        let first = Int(random.next() % UInt64(windows)) * width
        append(utterance.embeddings[first..<first + SecondStage.window * width], to: &features, &random)
        targets.append(utterance.isPhrase ? .keyword(startStep: 0, endStep: 0) : .background)
      }
    }
    for _ in 0..<(others.isEmpty ? 0 : places) {
      let stream = others[Int(random.next() % UInt64(others.count))]
      let place = Int(random.next() % UInt64(max(1, bank.streams[stream].vectors * bank.hop)))
      append(stream, place, to: &features, &random)
      targets.append(.background)
    }
    return Batch(
      count: targets.count, frames: SecondStage.window, features: features, targets: targets,
      weights: [Float](repeating: 1, count: targets.count))
  }

  /// Appends the embeddings at the end of the first `vectors` of a stream.
  private func append(
    _ stream: Int, _ vectors: Int, to features: inout [Float], _ random: inout RandomSource
  ) {
    let embeddings = bank.streams[stream].embeddings
    let width = SpeechEmbedding.outputs
    let window = EmbeddingPlaces.window(at: max(0, vectors), of: embeddings.count / width)
    append(embeddings[window.lowerBound * width..<window.upperBound * width], to: &features, &random)
  }

  /// Appends embeddings, some of their numbers hidden (dropout: Srivastava et al., 2014).
  private func append(
    _ embeddings: ArraySlice<Float16>, to features: inout [Float], _ random: inout RandomSource
  ) {
    let hidden = hidden
    for value in embeddings {
      features.append(random.chance(hidden) ? 0 : Float(value) / (1 - hidden))
    }
  }
}
