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

  private init(delay: Int) { self.delay = delay }

  /// What each of `models`, networks that are averaged, says about the recordings that `corpus` keeps aside.
  package static func measure(
    _ corpus: Corpus, _ settings: TrainingSettings, _ models: [[NetworkWeights]],
    progress: (TrainingProgress) -> Void
  ) throws -> [HeldOut] {
    let delay = try FeatureRenderer(frontEnd: settings.frontEnd, features: settings.features).delay
    var results = models.map { _ in HeldOut(delay: delay) }
    var hours = 0.0
    let areSynthetic = corpus.heldOutPositives.isEmpty
    func add(_ logits: [[Float]], _ count: Int) {
      for (index, values) in logits.enumerated() { results[index].negatives.append(values) }
      hours += AudioFormat.seconds(count) / 3600
    }
    let positives = corpus.heldOutPositives.isEmpty ? corpus.heldOutSynthetic : corpus.heldOutPositives
    let noise = NoiseSource(
      recordings: corpus.heldOutNoise.isEmpty ? corpus.noise : corpus.heldOutNoise, speech: corpus.speech)
    let root = RandomSource(seed: 20_011)
    let pads = areSynthetic
    let both = Parallel.map(positives.count * 2, threads: settings.threads) { index -> [Track]? in
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
      if index % 2 == 1 { samples = Level.mix(samples, noise.draw(samples.count, &random), ratio: 10) }
      return logits(Level.integers(samples), settings, models)?.map {
        Track(name: utterance.name, logits: $0, wordEnd: word.upperBound, wordLength: word.count)
      }
    }
    for (index, tracks) in both.enumerated() {
      for (network, track) in (tracks ?? []).enumerated() {
        if index % 2 == 0 {
          results[network].clean.append(track)
        } else {
          results[network].noisy.append(track)
        }
      }
    }
    if corpus.heldOutNegatives.isEmpty {
      let rows = stride(from: 0, to: corpus.heldOutSyntheticNegatives.count, by: 4).map { start in
        Array(
          corpus.heldOutSyntheticNegatives[start..<min(start + 4, corpus.heldOutSyntheticNegatives.count)])
      }
      let scored = Parallel.map(rows.count, threads: settings.threads) { index -> ([[Float]], Int) in
        var random = root.stream(100_000 + index)
        let samples = Level.integers(Composer.row(rows[index].map(Level.floats), &random))
        return (logits(samples, settings, models) ?? [], samples.count)
      }
      for (logits, count) in scored { add(logits, count) }
    }
    let paths = corpus.heldOutNegatives
    let perJob = 8
    let most = settings.calibrationHours
    for start in stride(from: 0, to: paths.count, by: perJob * 16) where hours < most {
      let batch = Array(paths[start..<min(start + perJob * 16, paths.count)])
      progress(
        TrainingProgress(activity: "setting the threshold", part: Double(start) / Double(paths.count)))
      let scored = Parallel.map((batch.count + perJob - 1) / perJob, threads: settings.threads) { job in
        var found: [([[Float]], Int)] = []
        for path in batch[job * perJob..<min(batch.count, (job + 1) * perJob)] {
          guard let source = try? FileSource(path),
            let samples = try? source.samples(AudioFormat.samples(most * 3600)),
            let logits = logits(samples, settings, models)
          else { continue }
          found.append((logits, samples.count))
        }
        return found
      }
      for (logits, count) in scored.joined() { add(logits, count) }
    }
    for index in results.indices {
      results[index].hours = hours
      results[index].areSynthetic = areSynthetic
      results[index].negativesAreSynthetic = corpus.heldOutNegatives.isEmpty
    }
    return results
  }

  private static func logits(
    _ samples: [Int16], _ settings: TrainingSettings, _ models: [[NetworkWeights]]
  ) -> [[Float]]? {
    guard let renderer = try? FeatureRenderer(frontEnd: settings.frontEnd, features: settings.features),
      let features = try? renderer.render(samples)
    else { return nil }
    return models.map { NetworkScorer.logits($0, features: features) }
  }
}
