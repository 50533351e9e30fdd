import Detection

/// What a training has of a model: its networks and its second stage.
package struct TrainedNetworks: Sendable {
  /// Their mean counts.
  package var networks: [NetworkWeights]
  /// The network of the second stage; nil without one.
  package var second: NetworkWeights?
  /// The weight of the second stage.
  package var weight: Float = 0
  /// The limit of the second stage; nil if it is to be chosen.
  package var limit: Float?

  package init(networks: [NetworkWeights], second: NetworkWeights? = nil) {
    self.networks = networks
    self.second = second
  }

  /// Those of a model, or with other `networks` those of another version of it, whose limit is to be chosen.
  package init(_ model: HotwordModel, networks: [NetworkWeights]? = nil) {
    self.networks = networks ?? model.networks
    second = model.secondStage?.network
    weight = model.secondStage?.weight ?? 0
    limit = networks == nil ? model.secondStage?.limit : nil
  }
}

/// Computes the logits of several models of one phrase, with the verifier, as `KeywordSpotter` does.
struct ModelScorer: Sendable {
  let encoder: NetworkWeights
  let sounds: SoundScores?
  let models: [TrainedNetworks]
  let path: PhrasePathSettings?

  /// Returns each model's logits for a recording; nil if the settings are invalid.
  func logits(_ samples: [Int16], _ settings: TrainingSettings) -> [StepLogits]? {
    guard let renderer = try? FeatureRenderer(settings), let features = try? renderer.render(samples)
    else { return nil }
    return logits(
      NetworkScorer.logits(encoder, features: features).map { Float16($0) }, renderer.embeddings)
  }

  /// Returns each model's logits for the outputs of the encoder and the embeddings.
  func logits(_ outputs: [Float16], _ embeddings: [Float16]) -> [StepLogits] {
    logits(
      scores: sounds.map { $0.scores(of: outputs.map { Float($0) }).map { Float16($0) } } ?? outputs,
      embeddings)
  }

  /// Returns each model's logits for what the networks read and the embeddings.
  func logits(scores inputs: [Float16], _ embeddings: [Float16]) -> [StepLogits] {
    let added = path.map { verified($0, inputs) }
    return models.map { model in
      let logits = NetworkScorer.logits(model.networks, features: inputs)
      var steps = StepLogits(added.map { zip(logits, $0).map(+) } ?? logits)
      if let second = model.second {
        steps.second = Self.judged(
          second, embeddings, steps: steps.first.count,
          hop: encoder.shape.stride * model.networks[0].shape.stride)
      }
      return steps
    }
  }

  /// Returns the logit of a second stage for each step of `hop` vectors of 10 ms.
  private static func judged(
    _ network: NetworkWeights, _ embeddings: [Float16], steps: Int, hop: Int
  ) -> [Float] {
    let width = SpeechEmbedding.outputs
    let count = embeddings.count / width
    guard count >= SecondStage.window else { return [Float](repeating: -SecondStage.largest, count: steps) }
    let places = 0...count - SecondStage.window
    var windows: [Float16] = []
    windows.reserveCapacity(places.count * SecondStage.window * width)
    for place in places { windows += embeddings[place * width..<(place + SecondStage.window) * width] }
    let logits = NetworkScorer.logits(network, features: windows)
    return (0..<steps).map {
      logits[EmbeddingPlaces.window(at: ($0 + 1) * hop, of: count).lowerBound]
    }
  }

  /// Returns what the verifier adds at each step.
  private func verified(_ settings: PhrasePathSettings, _ inputs: [Float16]) -> [Float] {
    let path = PhrasePath(settings, readsScores: sounds != nil)
    let width = models[0].networks[0].shape.inputs
    var row = [Float](repeating: 0, count: width)
    return stride(from: 0, to: inputs.count - width + 1, by: width).map { start in
      for index in 0..<width { row[index] = Float(inputs[start + index]) }
      return row.withUnsafeBufferPointer { path.push($0) }
    }
  }
}
