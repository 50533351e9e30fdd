import Detection

/// Computes the logits of several models of one phrase, with the verifier, as `KeywordSpotter` does.
struct ModelScorer: Sendable {
  let encoder: NetworkWeights
  let sounds: SoundScores?
  /// The networks of each model, whose mean counts.
  let models: [[NetworkWeights]]
  let path: PhrasePathSettings?

  /// Returns each model's logits for a recording; nil if the settings are invalid.
  func logits(_ samples: [Int16], _ settings: TrainingSettings) -> [[Float]]? {
    guard let renderer = try? FeatureRenderer(frontEnd: settings.frontEnd, features: settings.features),
      let features = try? renderer.render(samples)
    else { return nil }
    return logits(NetworkScorer.logits(encoder, features: features).map { Float16($0) })
  }

  /// Returns each model's logits for the outputs of the encoder.
  func logits(_ outputs: [Float16]) -> [[Float]] {
    let inputs = sounds.map { $0.scores(of: outputs.map { Float($0) }).map { Float16($0) } } ?? outputs
    let added = path.map { verified($0, inputs) }
    return models.map { networks in
      let logits = NetworkScorer.logits(networks, features: inputs)
      return added.map { zip(logits, $0).map(+) } ?? logits
    }
  }

  /// Returns what the verifier adds at each step.
  private func verified(_ settings: PhrasePathSettings, _ inputs: [Float16]) -> [Float] {
    let path = PhrasePath(settings, readsScores: sounds != nil)
    let width = models[0][0].shape.inputs
    var row = [Float](repeating: 0, count: width)
    return stride(from: 0, to: inputs.count - width + 1, by: width).map { start in
      for index in 0..<width { row[index] = Float(inputs[start + index]) }
      return row.withUnsafeBufferPointer { path.push($0) }
    }
  }
}
