import AudioCapture
import Detection
import Evaluation
import Platform

/// What a trained network says about everything that it did not train on.
package struct HeldOut: Sendable {
  /// One recording of the phrase.
  package struct Track: Sendable {
    package let name: String
    /// The logits, one a step.
    package let logits: [Float]
    /// The end of the phrase in the raw stream.
    package let wordEnd: Int
    package let wordLength: Int
  }

  /// Recordings of the phrase, or synthetic speakers where there are none.
  package var clean: [Track] = []
  /// The same at a signal-to-noise ratio of 10 dB.
  package var noisy: [Track] = []
  package var areSynthetic = false
  /// The logits of streams without the phrase.
  package var negatives: [[Float]] = []
  package var negativesAreSynthetic = false
  package var hours = 0.0

  /// The front end's delay in samples.
  package let delay: Int

  package init(
    _ corpus: Corpus, _ settings: TrainingSettings, _ weights: NetworkWeights,
    progress: (TrainingProgress) -> Void
  ) throws {
    delay = try FeatureRenderer(frontEnd: settings.frontEnd, features: settings.features).delay
    let positives = corpus.heldOutPositives.isEmpty ? corpus.heldOutSynthetic : corpus.heldOutPositives
    areSynthetic = corpus.heldOutPositives.isEmpty
    let noise = NoiseSource(
      recordings: corpus.heldOutNoise.isEmpty ? corpus.noise : corpus.heldOutNoise, speech: corpus.speech)
    let root = RandomSource(seed: 20_011)
    let pads = areSynthetic
    let both = Parallel.map(positives.count * 2, threads: settings.threads) { index -> Track? in
      let utterance = positives[index / 2]
      var random = root.stream(index / 2)
      var samples = Level.floats(utterance.samples)
      var word = utterance.word
      if pads {
        let lead = AudioFormat.samples(0.6)
        samples =
          [Float](repeating: 0, count: lead) + samples
          + [Float](repeating: 0, count: AudioFormat.samples(0.8))
        word = word.lowerBound + lead..<word.upperBound + lead
      }
      // The silence that ends a file for a detector, so that a late peak shows.
      samples += [Float](repeating: 0, count: AudioFormat.samples(0.3))
      if index % 2 == 1 { samples = NoiseSource.mix(samples, noise.draw(samples.count, &random), ratio: 10) }
      guard let logits = try? Self.logits(Level.integers(samples), settings, weights) else { return nil }
      return Track(name: utterance.name, logits: logits, wordEnd: word.upperBound, wordLength: word.count)
    }
    for (index, track) in both.enumerated() {
      guard let track else { continue }
      if index % 2 == 0 { clean.append(track) } else { noisy.append(track) }
    }
    if corpus.heldOutNegatives.isEmpty {
      negativesAreSynthetic = true
      let rows = stride(from: 0, to: corpus.heldOutSyntheticNegatives.count, by: 4).map { start in
        Array(
          corpus.heldOutSyntheticNegatives[start..<min(start + 4, corpus.heldOutSyntheticNegatives.count)])
      }
      let results = Parallel.map(rows.count, threads: settings.threads) { index -> ([Float], Int) in
        var random = root.stream(100_000 + index)
        let samples = Level.integers(Composer.row(rows[index].map(Level.floats), &random))
        return ((try? Self.logits(samples, settings, weights)) ?? [], samples.count)
      }
      for (logits, count) in results {
        negatives.append(logits)
        hours += AudioFormat.seconds(count) / 3600
      }
      return
    }
    let paths = corpus.heldOutNegatives
    let perJob = 8
    let most = settings.calibrationHours
    for start in stride(from: 0, to: paths.count, by: perJob * 16) where hours < most {
      let batch = Array(paths[start..<min(start + perJob * 16, paths.count)])
      progress(
        TrainingProgress(activity: "setting the threshold", part: Double(start) / Double(paths.count)))
      let results = Parallel.map((batch.count + perJob - 1) / perJob, threads: settings.threads) { job in
        var found: [([Float], Int)] = []
        for path in batch[job * perJob..<min(batch.count, (job + 1) * perJob)] {
          guard let source = try? FileSource(path),
            let samples = try? source.samples(AudioFormat.samples(most * 3600)),
            let logits = try? Self.logits(samples, settings, weights)
          else { continue }
          found.append((logits, samples.count))
        }
        return found
      }
      for (logits, count) in results.joined() {
        negatives.append(logits)
        hours += AudioFormat.seconds(count) / 3600
      }
    }
  }

  private static func logits(
    _ samples: [Int16], _ settings: TrainingSettings, _ weights: NetworkWeights
  ) throws -> [Float] {
    let renderer = try FeatureRenderer(frontEnd: settings.frontEnd, features: settings.features)
    return NetworkScorer.logits(weights, features: try renderer.render(samples))
  }
}
