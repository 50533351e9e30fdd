import Glibc
import Platform

/// Batches of windows from a feature bank: a fixed mix of keywords, hard negatives and other audio.
package struct TrainingWindows: BatchSource {
  /// A position in a negative stream with a high score.
  package struct HardSpot: Sendable, Equatable {
    package let stream: Int
    /// The vector at which the score was computed.
    package let vector: Int
  }

  /// The shares of a batch. The share of a missing kind is divided among the others.
  package struct Mix: Sendable {
    package var keyword: Float = 0.32
    package var hard: Float = 0.2
    package var part: Float = 0.1
    /// Joined phrases that differ from the phrase in few sounds, and joined parts of it.
    package var similar: Float = 0.05
    package var speech: Float = 0.16
    package var word: Float = 0.1
    package var syntheticSpeech: Float = 0.08
    package var noise: Float = 0.04
    /// False alarms of a model in use, if there are any.
    package var falseAlarm: Float = 0.25

    package init() {}
  }

  /// The variation of the speech tempo: the range of the factor of durations (log-uniform), and the shares of
  /// windows that are varied.
  package struct Tempo: Sendable {
    package var shortest: Float = 0.75
    package var longest: Float = 1.4
    package var keywords: Float = 0.8
    package var others: Float = 0.8

    package init() {}
  }

  private let bank: FeatureBank
  private let tempo: Tempo
  private let random: RandomSource
  private let batchSize: Int
  private let stride: Int
  /// The indices of the streams, weighted by their lengths.
  private let pools: [FeatureStream.Kind: WeightedPool<Int>]
  private let mix: Mix
  /// The share of synthetic speech among the keywords.
  private let synthetic: Float
  /// The share of joined speech among the keywords that are not recorded.
  private let joined: Float
  private let hard: [HardSpot]
  private let isHeld: Bool

  /// - Parameters:
  ///   - realPositives: the number of recordings of the phrase; determines the share of synthetic speech.
  ///   - evaluation: the number of the evaluation model, whose held-out streams are excluded; nil for the model itself.
  ///   - hard: positions to draw more often.
  ///   - isHeld: keeps the network's outputs unchanged for everything but recordings of the phrase and false
  ///     alarms.
  ///   - joined: the share of joined speech among the phrases that are not recorded; 0 leaves out all joined speech.
  ///   - seed: the seed for the choice of windows.
  package init(
    _ bank: FeatureBank, realPositives: Int, evaluation: Int?, hard: [HardSpot] = [],
    isHeld: Bool = false, batchSize: Int, stride: Int, seed: UInt64,
    joined: Float = 0, mix: Mix = Mix(), tempo: Tempo = Tempo()
  ) {
    self.bank = bank
    self.batchSize = batchSize
    self.stride = stride
    self.hard = hard
    self.isHeld = isHeld
    self.joined = joined
    self.mix = mix
    self.tempo = tempo
    random = RandomSource(seed: seed)
    var pools: [FeatureStream.Kind: WeightedPool<Int>] = [:]
    var sizes: [UInt64: Float] = [:]
    for stream in bank.streams where stream.kind == .keyword { sizes[stream.group, default: 0] += 1 }
    for (index, stream) in bank.streams.enumerated()
    where !stream.heldOut.isExcluded(from: evaluation) && (joined > 0 || !stream.kind.isJoined) {
      let length =
        switch stream.kind {
        // The recordings of one session are not independent: a session's weight is the square root of its
        // size.
        case .keyword: Int(10_000 / sizes[stream.group]!.squareRoot())
        case .syntheticKeyword, .joinedKeyword, .falseAlarm: 1
        default: stream.vectors
        }
      pools[stream.kind, default: WeightedPool()].add(index, weight: length)
    }
    self.pools = pools
    if pools[.syntheticKeyword] == nil {
      synthetic = 0
    } else if pools[.keyword] == nil {
      synthetic = 1
    } else {
      synthetic = max(pools[.joinedKeyword] == nil ? 0.3 : 0.6, 1 - Float(realPositives) / 100)
    }
  }

  package func batch(_ index: Int) -> Batch {
    var random = random.stream(index)
    let frames = bank.windowVectors
    let width = bank.coefficients
    var targets: [Target] = []
    var features = [Float](repeating: 0, count: batchSize * frames * width)
    features.withUnsafeMutableBufferPointer { features in
      for row in 0..<batchSize {
        let place = features.baseAddress! + row * frames * width
        targets.append(window(place, frames, width, &random))
        mask(place, frames, width, &random)
      }
    }
    return Batch(
      count: batchSize, frames: frames, features: features, targets: targets,
      weights: [Float](repeating: 1, count: batchSize))
  }

  /// Writes a part of a stream at a random tempo as a window.
  private func window(
    _ place: UnsafeMutablePointer<Float>, _ frames: Int, _ width: Int, _ random: inout RandomSource
  ) -> Target {
    let isKeyword = random.chance(mix.keyword)
    var pace =
      random.chance(isKeyword ? tempo.keywords : tempo.others)
      ? exp(random.uniform(log(tempo.shortest)...log(tempo.longest))) : 1
    let (stream, start, span, target) =
      isKeyword ? keyword(&random, frames, &pace) : background(&random, frames, &pace)
    TimeStretch.stretch(
      bank.streams[stream].features, width: width, from: start, span: span, pace: pace, frames: frames,
      into: place)
    return target
  }

  /// The target of audio that is neither the phrase nor a false alarm.
  private var others: Target { isHeld ? .unchanged : .background }

  /// Returns the pace limited to what the stream allows: its part must exist and contain the word.
  private func bounded(_ pace: Float, _ frames: Int, vectors: Int, word: Int = 0) -> Float {
    let fastest = Float(frames + 1) / Float(max(1, vectors - 1))
    let slowest = word > 0 ? Float(frames - 34 / bank.hop) / Float(word) : .infinity
    return max(min(pace, max(1, slowest)), min(1, fastest))
  }

  private func background(
    _ random: inout RandomSource, _ frames: Int, _ pace: inout Float
  ) -> (Int, Int, Int, Target) {
    let shares: [(FeatureStream.Kind, Float)] = [
      (.part, mix.part), (.similar, mix.similar), (.speech, mix.speech), (.word, mix.word),
      (.syntheticSpeech, mix.syntheticSpeech), (.noise, mix.noise), (.falseAlarm, mix.falseAlarm),
    ].filter { pools[$0.0] != nil }
    let hardShare = hard.isEmpty ? 0 : mix.hard
    var draw = random.uniform() * (hardShare + shares.reduce(0) { $0 + $1.1 })
    if draw < hardShare { return hardNegative(&random, frames, &pace) }
    draw -= hardShare
    var kind = shares[0].0
    for share in shares {
      kind = share.0
      if draw < share.1 { break }
      draw -= share.1
    }
    let stream = pools[kind]!.draw(&random)
    if kind == .falseAlarm {
      let place = around(stream, &random, frames, &pace)
      return (stream, place.start, place.span, isHeld ? .lowered : .background)
    }
    pace = bounded(pace, frames, vectors: bank.streams[stream].vectors)
    let span = Int(Float(frames) / pace)
    let room = max(0, bank.streams[stream].vectors - span)
    // One window in eight starts with its stream, like a cold start.
    let start = random.chance(0.125) ? 0 : Int(random.next() % UInt64(room + 1))
    return (stream, start, span, others)
  }

  private func keyword(
    _ random: inout RandomSource, _ frames: Int, _ pace: inout Float
  ) -> (Int, Int, Int, Target) {
    let kind = keywordKind(&random)
    let stream = pools[kind]!.draw(&random)
    let word = bank.streams[stream].word!
    let (start, span) = around(stream, &random, frames, &pace)
    if isHeld, kind != .keyword { return (stream, start, span, .unchanged) }
    func step(_ vector: Int) -> Int { Int(Float(vector - start) * pace) / stride }
    return (stream, start, span, .keyword(startStep: step(word.lowerBound), endStep: step(word.upperBound)))
  }

  private func keywordKind(_ random: inout RandomSource) -> FeatureStream.Kind {
    guard random.chance(synthetic) else { return .keyword }
    return pools[.joinedKeyword] != nil && random.chance(joined) ? .joinedKeyword : .syntheticKeyword
  }

  /// Returns a window with the stream's whole word and time to decide after it.
  private func around(
    _ stream: Int, _ random: inout RandomSource, _ frames: Int, _ pace: inout Float
  ) -> (start: Int, span: Int) {
    let word = bank.streams[stream].word!
    let vectors = bank.streams[stream].vectors
    pace = bounded(pace, frames, vectors: vectors, word: word.count)
    let span = Int(Float(frames) / pace)
    let room = max(0, vectors - span)
    let first = max(0, word.upperBound + Int(Float(32 / bank.hop) / pace) - span)
    let last = max(first, min(room, word.lowerBound))
    return (min(room, first + Int(random.next() % UInt64(last - first + 1))), span)
  }

  private func hardNegative(
    _ random: inout RandomSource, _ frames: Int, _ pace: inout Float
  ) -> (Int, Int, Int, Target) {
    // The hardest negatives are first and are drawn most often.
    let rank = random.uniform()
    let spot = hard[min(hard.count - 1, Int(rank * rank * Float(hard.count)))]
    let vectors = bank.streams[spot.stream].vectors
    pace = bounded(pace, frames, vectors: vectors)
    let span = Int(Float(frames) / pace)
    let place = Int(Float(span) * random.uniform(0.5...0.95))
    return (spot.stream, max(0, min(vectors - span, spot.vector - place)), span, others)
  }

  /// The share of windows in which sounds are hidden, and the most of them.
  private static let hiddenShare: Float = 0.6
  private static let mostHidden: UInt64 = 12

  /// Applies SpecAugment's masks (Park et al., 2019): some sounds that are not heard, and up to two gaps of up to 80 ms at 0.
  ///
  /// The encoder hears sounds of strangers as others more often than those of synthetic voices, so no sound of the phrase may
  /// be indispensable.
  private func mask(
    _ features: UnsafeMutablePointer<Float>, _ frames: Int, _ width: Int, _ random: inout RandomSource
  ) {
    if random.chance(Self.hiddenShare), width > 1 {
      for _ in 0...random.next() % Self.mostHidden {
        hide(1 + Int(random.next() % UInt64(width - 1)), features, frames, width)
      }
    }
    guard random.chance(0.5) else { return }
    for _ in 0..<2 {
      let length = Int(random.next() % UInt64(8 / bank.hop + 1))
      let start = Int(random.next() % UInt64(frames - length))
      (features + start * width).update(repeating: 0, count: length * width)
    }
  }

  /// Sets an input to its lowest value in the window.
  private func hide(_ input: Int, _ features: UnsafeMutablePointer<Float>, _ frames: Int, _ width: Int) {
    var lowest = features[input]
    for frame in 0..<frames { lowest = min(lowest, features[frame * width + input]) }
    for frame in 0..<frames { features[frame * width + input] = lowest }
  }
}
