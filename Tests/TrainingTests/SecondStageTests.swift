import Detection
import Evaluation
import FrontEnd
import Glibc
import PCM
import Platform
import TestServers
import Testing

@testable import Training

@Suite(.limited(minutes: 5)) struct SecondStageTests {
  private let encoder: NetworkWeights
  private let networks: [NetworkWeights]
  private let embedding: SpeechEmbedding

  init() throws {
    encoder = Self.random(
      try NetworkShape(inputs: 40, channels: 16, kernel: 3, dilations: [1], outputs: 12), seed: 7)
    networks = [
      Self.random(
        try NetworkShape(inputs: 12, stride: 1, channels: 8, kernel: 3, dilations: [1, 2]), seed: 8)
    ]
    var random = RandomSource(seed: 9)
    embedding = SpeechEmbedding { name, sizes in
      let scale = sizes.count == 1 ? 0.1 : 2 / Float(sizes[1]).squareRoot()
      return (0..<sizes.reduce(1, *)).map { _ in
        name == "0.scale" ? random.uniform(0.05...0.2) : random.uniform(-scale...scale)
      }
    }
  }

  /// What trainings and thresholds see is what a detector computes.
  @Test(arguments: [0, 90]) func trainingScoresAudioAsTheDetectorDoes(leadFrames: Int) throws {
    let second = Self.random(try Self.shape(channels: 8), seed: 10)
    let stage = try SecondStage(limit: 0, weight: 0.5, network: second, embedding: embedding)
    let model = try HotwordModel(
      name: "a", phrase: "a", frontEnd: .standard, features: .standard, encoder: encoder, networks: networks,
      secondStage: stage, decision: DecisionSettings(smoothing: 3, threshold: 0.5))
    let sound = Self.noise(leadFrames * 160 + 64_000)
    let spotter = try KeywordSpotter([(model, .standard)], skipsSilence: false)
    var found: [Double] = []
    for start in stride(from: 0, to: sound.count - 159, by: 160) {
      _ = sound[start..<start + 160].withUnsafeBufferPointer { spotter.push($0) }
      if let score = spotter.score(of: 0)?.score {
        found.append((log(score / (1 - score)) - model.decision.offset) / model.decision.scale)
      }
    }
    var settings = TrainingSettings(phrase: "a")
    settings.embedding = PackedEmbedding(embedding)
    let scorer = ModelScorer(
      encoder: encoder, sounds: nil, models: [TrainedNetworks(networks: networks, second: second)], path: nil)
    var steps = try #require(scorer.logits(sound, settings))[0]
    steps.judgement = StepLogits.Judgement(limit: stage.limit, weight: stage.weight)
    let expected = steps.smoothed(over: 3)
    #expect(expected.count == found.count)
    let same = found.indices.filter { found[$0].isFinite && abs(found[$0] - Double(expected[$0])) < 0.1 }
    #expect(same.count > found.count * 9 / 10, "\(same.count) of \(found.count)")
    let proposed = expected.filter { $0 > -Float(SecondStage.largest) * stage.weight + 1 }
    #expect(proposed.count > 30, "the second stage must have been asked")
  }

  @Test func theMeanOfNetworksIsOneNetwork() throws {
    let shape = try Self.shape(channels: 5)
    let networks = (1...3).map { Self.random(shape, seed: $0) }
    let mean = SecondStageTrainer.mean(of: networks)
    var random = RandomSource(seed: 4)
    let window = (0..<SecondStage.window * SpeechEmbedding.outputs).map { _ in random.uniform(-2...2) }
    func logit(_ network: NetworkWeights) -> Float { StreamingNetwork(network).logits(window)[0] }
    #expect(abs(logit(mean) - networks.map(logit).reduce(0, +) / 3) < 1e-4)
  }

  /// The outputs of the encoder are noise; only one number of the embeddings tells the phrase from other speech, and another
  /// one in joined speech.
  @Test func learnsWhatTellsThePhraseFromWhatIsProposed() throws {
    var random = RandomSource(seed: 5)
    func embeddings(_ count: Int, _ levels: [Int: Float]) -> [Float16] {
      (0..<count).flatMap { _ in
        (0..<SpeechEmbedding.outputs).map { Float16(random.uniform(-1...1) + (levels[$0] ?? 0)) }
      }
    }
    func stream(_ kind: FeatureStream.Kind, _ level: Float) -> FeatureStream {
      var stream = FeatureStream(
        kind: kind, features: (0..<120 * 12).map { _ in Float16(random.uniform(-1...1)) }, vectors: 120,
        word: kind.isPhrase ? 60..<90 : nil)
      stream.embeddings = embeddings(240 / 8 + EmbeddingPlaces.before, [3: level])
      return stream
    }
    let bank = FeatureBank(
      streams: (0..<40).flatMap { _ in
        [stream(.syntheticKeyword, 1), stream(.speech, -1), stream(.syntheticSpeech, -1)]
      }, coefficients: 12, hop: 2, windowVectors: 100)
    let joined = (0..<80).map { index in
      JoinedBands.Utterance(
        isPhrase: index < 40, embeddings: embeddings(SecondStage.window + 3, [5: index < 40 ? 1 : -1]))
    }
    var settings = TrainingSettings(phrase: "a")
    settings.steps = 300
    let scorer = ModelScorer(
      encoder: encoder, sounds: nil, models: [TrainedNetworks(networks: networks)], path: nil)
    func fitted(_ bank: FeatureBank, _ joined: [JoinedBands.Utterance] = []) -> NetworkWeights? {
      SecondStageTrainer.fit(bank, joined: joined, scorer, evaluation: nil, settings) { _ in }
    }
    func logit(_ network: NetworkWeights, _ levels: [Int: Float]) -> Float {
      StreamingNetwork(network).logits(embeddings(SecondStage.window, levels).map { Float($0) })[0]
    }
    let alone = try #require(fitted(bank))
    let both = try #require(fitted(bank, joined))
    for network in [alone, both] {
      let (phrase, other) = (logit(network, [3: 1]), logit(network, [3: -1]))
      #expect(phrase > 1 && other < -1, "\(phrase), \(other)")
    }
    let (phrase, other) = (logit(both, [5: 1]), logit(both, [5: -1]))
    #expect(phrase > 1 && other < -1, "\(phrase), \(other)")
    #expect(abs(logit(alone, [5: 1]) - logit(alone, [5: -1])) < 2)
    var none = bank
    for index in none.streams.indices { none.streams[index].embeddings = [] }
    #expect(fitted(none) == nil)
  }

  private static func shape(channels: Int) throws -> NetworkShape {
    try NetworkShape(
      inputs: SpeechEmbedding.outputs, stemKernel: SecondStage.window, stride: SecondStage.window,
      channels: channels, kernel: 1, dilations: [])
  }

  private static func random(_ shape: NetworkShape, seed: UInt64) -> NetworkWeights {
    var random = RandomSource(seed: seed)
    return NetworkWeights(shape: shape) { name, sizes in
      let count = sizes.reduce(1, *)
      let inputs = name.hasSuffix("depthwise") ? sizes[0] : max(1, count / shape.channels)
      let scale = sizes.count == 1 ? 0.2 : 2.5 / Float(inputs).squareRoot()
      return (0..<count).map { _ in random.uniform(-scale...scale) }
    }
  }

  private static func noise(_ count: Int) -> [Int16] {
    var random = RandomSource(seed: 6)
    var level: Float = 1000
    return (0..<count).map { index in
      if index % 2_000 == 0 { level = random.uniform(50...8_000) }
      return Int16(random.uniform(-level...level))
    }
  }
}
