import Detection
import FrontEnd
import Glibc
import PCM
import Platform
import TestServers
import Testing

@Suite(.limited) struct KeywordSpotterTests {
  @Test func modelsTogetherDetectTheSameAsEachAlone() throws {
    let models = try [
      model("a", seed: 1), model("b", seed: 2),
      model("c", seed: 3, frontEnd: FrontEndSettings(highPass: false, noiseSuppression: .off)),
    ]
    let sound = noise(seconds: 6, seed: 4)
    let together = try listen(models, sound)
    #expect(
      Set(together.hits.map(\.keyword)) == ["a", "b", "c"], "every model must fire for this to mean something"
    )
    for (index, model) in models.enumerated() {
      let alone = try listen([model], sound)
      #expect(alone.scores[0] == together.scores[index])
      #expect(alone.hits.map(\.start) == together.hits.filter { $0.model == index }.map(\.start))
      #expect(alone.hits.map(\.keyword).allSatisfy { $0 == model.name })
    }
  }

  @Test func theMeanOfSeveralNetworksIsUsed() throws {
    let shape = try NetworkShape(channels: 8, kernel: 3, dilations: [1, 2])
    func scores(_ seeds: [UInt64]) throws -> [Double] {
      let model = try HotwordModel(
        name: "a", phrase: "a", frontEnd: .standard, features: .standard,
        networks: seeds.map { .random(shape, seed: $0) },
        decision: DecisionSettings(smoothing: 1, threshold: 0.5))
      return try listen([model], noise(seconds: 2, seed: 9)).scores[0].map(\.score)
    }
    func logit(_ score: Double) -> Double { log(score / (1 - score)) }
    let first = try scores([1])
    let second = try scores([2])
    #expect(try scores([1, 1]) == first)
    for (step, score) in try scores([1, 2]).enumerated() where score > 0 {
      #expect(abs(logit(score) - (logit(first[step]) + logit(second[step])) / 2) < 1e-3)
    }
  }

  @Test func modelsWithTheSameEncoderShareIt() throws {
    let encoder = try smallEncoder()
    let second = PhrasePathSettings(pronunciations: [[1, 2, 3]], weight: 0.5)
    let sounds = SoundScores(offsets: (0..<12).map { -0.25 * Float($0) })
    let models = try [
      smallModel(name: "a", encoder: encoder),
      smallModel(name: "b", seed: 5, encoder: encoder, path: second),
      smallModel(name: "c", seed: 6, encoder: encoder, sounds: sounds, path: second),
    ]
    let sound = noise(seconds: 2, seed: 4)
    let result = try listen(models, sound)
    let front = try FrontEnd(.standard)
    let extractor = try FeatureExtractor(.standard)
    var features: [Float] = []
    var vector = [Float](repeating: 0, count: 40)
    for start in stride(from: 0, to: sound.count / 160 * 160, by: 160) {
      var frame = Array(sound[start..<start + 160])
      frame.withUnsafeMutableBufferPointer { _ = front.process($0) }
      let isFull = frame.withUnsafeBufferPointer { frame in
        vector.withUnsafeMutableBufferPointer { extractor.push(frame, into: $0) }
      }
      if isFull { features += vector }
    }
    let encoded = WholeClip.logits(encoder, features: features, frames: features.count / 40)
    for (index, model) in models.enumerated() {
      let inputs = model.sounds?.scores(of: encoded) ?? encoded
      let each = model.networks.map { WholeClip.logits($0, features: inputs, frames: inputs.count / 12) }
      let path = model.path.map { PhrasePath($0, readsScores: model.sounds != nil) }
      let logits = each[0].indices.map { step in
        let added = inputs[12 * step..<12 * step + 12].withUnsafeBufferPointer { path?.push($0) }
        return (each[0][step] + each[1][step]) / 2 + (added ?? 0)
      }
      let smoothing = model.decision.smoothing
      for (step, found) in result.scores[index].enumerated() where found.score > 0 && step >= smoothing {
        let mean = logits[step - smoothing + 1...step].reduce(0) { $0 + Double($1) } / Double(smoothing)
        let score = 1 / (1 + exp(-(model.decision.scale * mean + model.decision.offset)))
        #expect(abs(found.score - score) < 1e-3)
      }
    }
  }

  @Test func streamsWithSharedWeightsAreIndependent() throws {
    let models = try [model("a", seed: 1), model("b", seed: 2)].map { ($0, Sensitivity.standard) }
    let sounds = [noise(seconds: 3, seed: 4), noise(seconds: 3, seed: 5)]
    let alone = try sounds.map { listen(try KeywordSpotter(models), $0).scores }
    let weights = PackedNetworks()
    let spotters = try sounds.map { _ in try KeywordSpotter(models, sharing: weights) }
    var together = [[[KeywordSpotter.StepScore]]](repeating: [[], []], count: 2)
    for start in stride(from: 0, to: sounds[0].count / 160 * 160, by: 160) {
      for (stream, spotter) in spotters.enumerated() {
        _ = spotter.push(Array(sounds[stream][start..<start + 160]))
        for index in models.indices {
          if let score = spotter.score(of: index) { together[stream][index].append(score) }
        }
      }
    }
    #expect(together == alone)
  }

  @Test(.needsOptimization, arguments: [0.4, 2.2, 9])
  func skippedSilenceChangesNoHit(pause: Double) throws {
    let encoder = try smallEncoder()
    let models = try [
      model("a", seed: 1), model("b", seed: 2), smallModel(name: "c", encoder: encoder),
      smallModel(
        name: "d", seed: 5, encoder: encoder,
        path: PhrasePathSettings(pronunciations: [[1, 2, 3]], weight: 0.5)),
      smallModel(
        name: "e", seed: 6, encoder: encoder, sounds: SoundScores(offsets: (0..<12).map { 0.1 * Float($0) }),
        path: PhrasePathSettings(pronunciations: [[3, 2, 1]], weight: 0.5)),
    ].map { (model: $0, sensitivity: Sensitivity.standard) }
    // Steady noise, and in it louder sounds between pauses of different lengths.
    var random = RandomSource(seed: 8)
    var sound: [Int16] = []
    for burst in 0..<6 {
      let quiet = AudioFormat.samples(5 + pause + 0.013 * Double(burst))
      sound += (0..<quiet).map { _ in Int16(random.uniform(-20...20)) }
      sound += noise(seconds: 1.1, seed: UInt64(burst))
    }
    let all = listen(try KeywordSpotter(models, skipsSilence: false), sound)
    let some = listen(try KeywordSpotter(models), sound)
    #expect(all.hits.contains { $0.keyword == "a" } && all.hits.contains { $0.keyword == "b" })
    #expect(some.hits.filter { isLoud($0, sound) } == all.hits.filter { isLoud($0, sound) })
    #expect(some.scores[0].count { $0.score == 0 } > all.scores[0].count / 4, "networks were skipped")
  }

  @Test func resetGivesAFreshStream() throws {
    let model = try model("a", seed: 1)
    let spotter = try KeywordSpotter([(model, .standard)])
    let sound = noise(seconds: 3, seed: 5)
    let first = listen(spotter, sound)
    spotter.reset()
    #expect(spotter.position == 0)
    #expect(listen(spotter, sound) == first)
  }

  @Test func aGapResetsTheStateButNotThePositions() throws {
    let model = try model("a", seed: 1)
    let spotter = try KeywordSpotter([(model, .standard)])
    let sound = noise(seconds: 3, seed: 5)
    let first = listen(spotter, sound)
    let before = spotter.position
    _ = spotter.skip(1_234)
    #expect(spotter.position == before + 1_234)
    let second = listen(spotter, sound)
    #expect(second.scores[0].map(\.score) == first.scores[0].map(\.score))
    let shift = before + 1_234
    #expect(second.hits.allSatisfy { $0.start >= shift && $0.end >= shift })
    #expect(second.scores[0].map(\.end) == first.scores[0].map { $0.end + shift })
  }

  @Test func startsSilentlyAndScoresOnEverySecondFrame() throws {
    let listened = try listen([model("a", seed: 1)], noise(seconds: 1, seed: 6))
    // Two frames fill the window, so the third is the first of a step's pair.
    #expect(listened.scores[0].count == 49)
    let warm = Int(0.3 * 50) - 2
    #expect(listened.scores[0].prefix(warm).allSatisfy { $0.score == 0 })
    #expect(listened.scores[0].dropFirst(warm + 1).allSatisfy { $0.score > 0 })
  }

  @Test func estimatesTheEndFromDelayAndLatency() throws {
    let listened = try listen([model("a", seed: 1)], noise(seconds: 6, seed: 4))
    let hit = try #require(listened.hits.first)
    // Each score's end is its position less 0.1 s of latency and 96 samples of the noise suppressor.
    #expect(listened.scores[0].last!.end == 600 * 160 - 1_600 - 96)
    #expect(hit.end - hit.start == 9_600 || hit.start == 0)
    #expect(listened.scores[0].contains { $0.end == hit.end && $0.score == hit.score })
  }

  @Test func sensitivityMovesTheThreshold() throws {
    let model = try model("a", seed: 1)
    let thresholds = try [0, 0.5, 1].map {
      try KeywordSpotter([(model, Sensitivity($0))]).keywords[0].threshold
    }
    #expect(thresholds[0] > thresholds[1] && thresholds[1] > thresholds[2])
    #expect(thresholds[1] == model.decision.threshold)
  }

  @Test func returnsTheLevelOfTheProcessedFrame() throws {
    let spotter = try KeywordSpotter([(model("a", seed: 1), .standard)])
    #expect(spotter.activity.level == -100)
    _ = listen(spotter, noise(seconds: 0.2, seed: 1))
    #expect((-60 ... -5).contains(spotter.activity.level))
  }

  @Test func theTailCoversLatencyAndDelay() throws {
    let spotter = try KeywordSpotter([(model("a", seed: 1), .standard)])
    let seconds: Double = 0.1 + 0.006 + 0.06 + 0.1 + 0.15
    #expect(spotter.tail == Int((seconds * 100).rounded(.up)))
    #expect(try KeywordSpotter([]).push([Int16](repeating: 0, count: 160)) == 0)
  }

  /// A random network whose scores lie about the threshold on noise.
  private func model(_ name: String, seed: UInt64, frontEnd: FrontEndSettings = .standard) throws
    -> HotwordModel
  {
    let shape = try NetworkShape(channels: 8, kernel: 3, dilations: [1, 2])
    var model = try HotwordModel(
      name: name, phrase: name, frontEnd: frontEnd, features: .standard,
      networks: [.random(shape, seed: seed)],
      decision: DecisionSettings(smoothing: 2, threshold: 0.5, scale: 1.5, refractory: 0.1))
    let scores = try listen([model], noise(seconds: 3, seed: 9)).scores[0].map(\.score).filter { $0 > 0 }
      .sorted()
    let median = scores[scores.count / 2]
    model.decision.offset = -log(median / (1 - median))
    return model
  }

  /// Whether the phrase of a hit is one of the louder sounds.
  private func isLoud(_ hit: Hit, _ sound: [Int16]) -> Bool {
    sound[max(0, hit.start)..<min(hit.end, sound.count)].contains { abs(Int($0)) > 20 }
  }
}
