import FrontEnd
import Glibc
import PCM
import Platform
import TestServers
import Testing

@testable import Detection

extension SpeechEmbedding {
  /// Weights of a sensible size, the same for the same seed.
  static func random(seed: UInt64) -> SpeechEmbedding {
    var random = RandomSource(seed: seed)
    return SpeechEmbedding { name, sizes in
      let scale = sizes.count == 1 ? 0.1 : 2 / Float(sizes[1]).squareRoot()
      return (0..<sizes.reduce(1, *)).map { _ in
        name == "0.scale" ? random.uniform(0.05...0.2) : random.uniform(-scale...scale)
      }
    }
  }
}

extension SecondStage {
  /// One with random weights.
  static func random(limit: Float, weight: Float, seed: UInt64) throws -> SecondStage {
    let shape = try NetworkShape(
      inputs: SpeechEmbedding.outputs, stemKernel: SecondStage.window, stride: SecondStage.window,
      channels: 8, kernel: 1, dilations: [])
    return try SecondStage(
      limit: limit, weight: weight, network: .random(shape, seed: seed), embedding: .random(seed: 3))
  }
}

@Suite(.limited) struct SpeechEmbeddingTests {
  @Test(.needsOptimization) func aStreamGivesWhatTheLayersGiveForAllRowsAtOnce() {
    let embedding = SpeechEmbedding.random(seed: 1)
    var random = RandomSource(seed: 2)
    let rows = (0..<SpeechEmbedding.reach + 19).map { _ in
      (0..<SpeechEmbedding.bands).map { _ in random.uniform(2...9) }
    }
    let stream = StreamingEmbedding(PackedEmbedding(embedding))
    for _ in 0..<2 {
      var found: [[Float]] = []
      for (index, row) in rows.enumerated() {
        let isDone = row.withUnsafeBufferPointer { stream.push($0) }
        #expect(isDone == (index >= 75 && (index - 75) % 8 == 0))
        if isDone { found.append(Array(stream.outputs)) }
      }
      let expected = Self.reference(embedding, rows)
      #expect(found.count == expected.count)
      for (one, other) in zip(found.joined(), expected.joined()) {
        #expect(abs(one - other) < 1e-3 * max(1, abs(other)))
      }
      #expect(Set(found.joined()).count > 100, "the outputs must differ")
      stream.reset()
    }
  }

  @Test(.needsOptimization, arguments: [0, 3, 40]) func embeddingsOnDemandAreThoseOfANetworkThatAlwaysRuns(
    backlog: Int
  ) {
    let packed = PackedEmbedding(.random(seed: 1))
    let sound = noise(seconds: 9, seed: 5)
    let frames = (0..<sound.count / 160).map { Array(sound[$0 * 160..<$0 * 160 + 160]) }
    let silence = [[Int16]](repeating: [Int16](repeating: 0, count: 160), count: 8 * 20)
    var all: [[Float]] = []
    let (bands, network) = (EmbeddingBands(), StreamingEmbedding(packed))
    // The first embedding of the network ends with the 78th frame; with 158 before, they end where the number of frames is a multiple of eight.
    for frame in silence.prefix(158) + frames[...] {
      let isDone = frame.withUnsafeBufferPointer { bands.push($0) } && network.push(bands.row)
      if isDone { all.append(Array(network.outputs)) }
    }
    let stream = EmbeddingStream(packed, backlog: 40)
    for round in 0..<2 {
      for (index, frame) in frames.enumerated() {
        frame.withUnsafeBufferPointer { stream.push($0) }
        // Close together, far apart, and at the start.
        guard index < 60 || index % 97 == 5 || (300..<420).contains(index), index >= backlog else { continue }
        _ = stream.advance(backlog: backlog)
        let last = (index + 1 - backlog) / 8 + (8 * 20 - 80) / 8
        let expected = all[last - 7...last].joined()
        #expect(
          zip(stream.embeddings, expected).allSatisfy { abs($0 - $1) < 1e-4 * max(1, abs($1)) },
          "frame \(index) of round \(round)")
      }
      stream.reset()
    }
  }

  @Test func aFileOfItsOwnMustBeWhole() throws {
    let folder = try TemporaryFolder()
    let whole = SpeechEmbedding.random(seed: 1)
    let path = folder.path("embedding.safetensors")
    func write(_ tensors: [NetworkWeights.Tensor], format: String = SpeechEmbedding.format) throws {
      try Files.write(Safetensors(tensors: tensors, metadata: [("format", format)]).encoded, to: path)
    }
    try write(whole.tensors)
    #expect(try SpeechEmbedding(reading: path) == whole)
    try write(whole.tensors, format: "other")
    #expect(throws: DetectionFault.badModel(path: path, defect: .unknownVersion("other"))) {
      try SpeechEmbedding(reading: path)
    }
    try write(Array(whole.tensors.dropLast()))
    #expect(throws: DetectionFault.badModel(path: path, defect: .missingTensor("0.shift"))) {
      try SpeechEmbedding(reading: path)
    }
    try write(whole.tensors + [.init(name: "more", shape: [1], values: [0])])
    #expect(throws: DetectionFault.badModel(path: path, defect: .unexpectedTensor("more"))) {
      try SpeechEmbedding(reading: path)
    }
  }

  /// The embeddings of all rows, in plain loops.
  private static func reference(_ embedding: SpeechEmbedding, _ rows: [[Float]]) -> [[Float]] {
    var image = rows.map { $0.map { [$0] } }
    func leaky(_ value: Float) -> Float { max(value, 0.2 * value, -0.4) }
    for (index, shape) in SpeechEmbedding.shapes.enumerated() {
      let (weight, bias) = embedding.layer(index)
      let times = shape.isAlongTime ? 3 : 1
      let places = shape.isAlongFrequency ? 3 : 1
      image = (0..<image.count - times + 1).map { row in
        (0..<shape.positions).map { position in
          (0..<shape.outputs).map { output in
            var sum = bias[output]
            var at = output * shape.weights / shape.outputs
            for time in 0..<times {
              for place in 0..<places {
                let from = position + place - places / 2
                for input in 0..<shape.inputs {
                  if (0..<shape.positions).contains(from) {
                    sum += weight[at] * image[row + time][from][input]
                  }
                  at += 1
                }
              }
            }
            if index == 0 {
              return leaky(max(0, sum) * embedding.factors.scale[output] + embedding.factors.shift[output])
            }
            return index == SpeechEmbedding.shapes.count - 1 ? sum : leaky(sum)
          }
        }
      }
      func larger(_ one: [Float], _ other: [Float]) -> [Float] { zip(one, other).map { max($0, $1) } }
      if shape.poolsFrequency {
        image = image.map { row in (0..<row.count / 2).map { larger(row[2 * $0], row[2 * $0 + 1]) } }
      }
      if shape.poolsTime {
        image = (0..<image.count / 2).map { zip(image[2 * $0], image[2 * $0 + 1]).map(larger) }
      }
    }
    return image.map { $0[0] }
  }
}

@Suite(.limited) struct SecondStageTests {
  @Test func addsToProposalsAndLowersAllElse() {
    func judged(_ logit: Float, _ second: Float) -> Float {
      SecondStage.judged(logit, second, limit: -1, weight: 0.5)
    }
    #expect(judged(-1, 4) == 1 && judged(2, -4) == 0)
    #expect(judged(0, 100) == 6 && judged(0, -100) == -6)
    #expect(judged(-1.5, 100) == -7.5)
  }

  @Test func aModelWithASecondStageSurvivesItsFile() throws {
    let model = try smallModel(encoder: smallEncoder(), second: .random(limit: -2, weight: 0.3, seed: 4))
    let read = try HotwordModel(decoding: model.encoded)
    #expect(read == model && read.secondStage == model.secondStage)
    #expect(read.encoded == model.encoded)
    #expect(model.parameters > SpeechEmbedding.parameters)
    var file = try Safetensors(decoding: model.encoded)
    file.tensors.removeAll { $0.name == "embedding.7.bias" }
    #expect(throws: ModelDefect.missingTensor("embedding.7.bias")) {
      try HotwordModel(decoding: file.encoded)
    }
  }

  @Test(arguments: [("limit", "1e3"), ("weight", "-1"), ("network", "{}"), ("limit", "null")])
  func refusesSettingsOutOfRange(name: String, value: String) throws {
    let model = try smallModel(second: .random(limit: -2, weight: 0.3, seed: 4))
    let file = try Safetensors(decoding: model.encoded)
    let json = try #require(model.secondStage).json
    let changed = JSON.object(
      try #require(json.members).map {
        $0.name == name ? JSON.Member(name, try! JSON(parsing: Array(value.utf8), what: "value")) : $0
      })
    let metadata = file.metadata.map {
      (name: $0.name, text: $0.name == "secondStage" ? changed.description : $0.text)
    }
    #expect(throws: ModelDefect.self) {
      try HotwordModel(decoding: Safetensors(tensors: file.tensors, metadata: metadata).encoded)
    }
  }

  @Test(.needsOptimization) func theSpotterAddsTheSecondStagesOpinionWhereTheNetworksPropose() throws {
    let sound = noise(seconds: 5, seed: 4)
    let plain = try smallModel()
    let before = try listen([plain], sound).scores[0].map { Self.logit($0.score, plain.decision) }
    let heard = before.dropFirst(20).filter { $0.isFinite }.sorted()
    // About half of the steps are proposals.
    let limit = Float(heard[heard.count * 3 / 4])
    let second = try SecondStage.random(limit: limit, weight: 0.3, seed: 4)
    let model = try smallModel(second: second)
    let after = try listen([model], sound).scores[0].map { Self.logit($0.score, model.decision) }
    let opinions = Self.opinions(second, sound)
    var proposals = 0
    for step in 30..<after.count {
      let proposed = Float(before[step - SecondStage.hold + 1...step].max()!)
      guard abs(proposed - limit) > 0.01 else { continue }
      // The features begin with the third frame, and a step takes two.
      let frames = 2 * (step + 1) + 2
      let expected = second.judged(proposed, opinions[frames / 8])
      #expect(abs(Float(after[step]) - expected) < 0.02, "step \(step)")
      proposals += proposed >= limit ? 1 : 0
    }
    #expect(proposals > 30 && proposals < before.count - 60, "\(proposals) of \(before.count)")
  }

  @Test(.needsOptimization) func modelsWithAndWithoutASecondStageWorkTogether() throws {
    let models = try [
      smallModel(name: "a", second: .random(limit: -3, weight: 0.3, seed: 4)), smallModel(name: "b", seed: 2),
      smallModel(name: "c", seed: 3, second: .random(limit: 0, weight: 1, seed: 5)),
    ]
    let sound = noise(seconds: 5, seed: 4)
    let together = try listen(models, sound)
    for (index, model) in models.enumerated() {
      #expect(try listen([model], sound).scores[0] == together.scores[index])
    }
  }

  @Test(.needsOptimization) func opinionsAreTheSameAfterASilenceInWhichNoNetworkRan() throws {
    let model = try smallModel(second: .random(limit: -100, weight: 0.3, seed: 4))
    var random = RandomSource(seed: 8)
    var sound: [Int16] = []
    for burst in 0..<3 {
      sound += (0..<AudioFormat.samples(6)).map { _ in Int16(random.uniform(-20...20)) }
      sound += noise(seconds: 1.1, seed: UInt64(burst))
    }
    let all = listen(try KeywordSpotter([(model, .standard)], skipsSilence: false), sound).scores[0]
    let some = listen(try KeywordSpotter([(model, .standard)]), sound).scores[0]
    var expected: [Int: Double] = [:]
    for step in all { expected[step.end] = step.score }
    let loud = some.filter { $0.score > 0 }
    #expect(loud.count > 200 && loud.count < all.count - 200)
    let same = loud.filter { step in expected[step.end].map { abs($0 - step.score) < 1e-3 } ?? false }
    #expect(same.count > loud.count * 9 / 10)
  }

  private static func logit(_ score: Double, _ decision: DecisionSettings) -> Double {
    (log(score / (1 - score)) - decision.offset) / decision.scale
  }

  /// The second logits after each eighth frame.
  private static func opinions(_ second: SecondStage, _ sound: [Int16]) -> [Float] {
    let stream = EmbeddingStream(PackedEmbedding(second.embedding), backlog: 0)
    let network = StreamingNetwork(second.network)
    let front = try! FrontEnd(.standard)
    func opinion() -> Float {
      _ = stream.advance(backlog: 0)
      return network.logits(Array(stream.embeddings))[0]
    }
    var opinions = [opinion()]
    for start in stride(from: 0, through: sound.count - 160, by: 160) {
      var frame = Array(sound[start..<start + 160])
      frame.withUnsafeMutableBufferPointer { _ = front.process($0) }
      frame.withUnsafeBufferPointer { stream.push($0) }
      if (start / 160 + 1) % 8 == 0 { opinions.append(opinion()) }
    }
    return opinions
  }
}
