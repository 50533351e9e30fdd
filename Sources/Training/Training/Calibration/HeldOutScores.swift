import AudioCapture
import Detection
import Evaluation
import PCM
import Platform

/// The logits of a trained model for the held-out data.
package struct HeldOutScores: Sendable {
  /// One recording of the phrase.
  package struct Track: Sendable {
    package let name: String
    /// The session or speaker.
    package let group: String
    package var logits: StepLogits
    /// The end of the phrase in the raw stream, in samples.
    package let wordEnd: Int
    package let wordLength: Int
  }

  /// Recordings of the phrase, or synthetic utterances if there are none; see ``RunningNoise``.
  package var clean: [Track] = []
  /// The same at a signal-to-noise ratio of 10 dB, in noise that has been running.
  package var noisy: [Track] = []
  package var areSynthetic = false
  /// Audio without the phrase.
  package struct Negative: Sendable {
    package let name: String
    package let source: String
    package let seconds: Double
    package var logits: StepLogits
  }

  package var negatives: [Negative] = []
  /// The logits of each utterance of a similar phrase.
  package var similar: [(phrase: SimilarPhrases.Measured, logits: StepLogits)] = []
  /// The limit and the weight of the second stage; nil without one.
  package private(set) var judgement: StepLogits.Judgement?
  package var hours: Double { negatives.reduce(0) { $0 + $1.seconds } / 3600 }

  /// The front end's delay in samples.
  package let delay: Int

  init(delay: Int) { self.delay = delay }

  /// Returns the scores of each of `models` for the held-out data of `corpus`.
  ///
  /// - Parameter sounds: those of the models, see `HotwordModel.sounds`.
  package static func measure(
    _ corpus: Corpus, _ settings: TrainingSettings, _ pretrained: PretrainedEncoder,
    _ models: [TrainedNetworks], sounds: SoundScores?, path: PhrasePathSettings?,
    progress: (TrainingProgress) -> Void
  ) throws -> [HeldOutScores] {
    let delay = try FeatureRenderer(settings).delay
    var results = models.map { _ in HeldOutScores(delay: delay) }
    let encoder = pretrained.encoder.network
    let scorer = ModelScorer(encoder: encoder, sounds: sounds, models: models, path: path)
    let areSynthetic = corpus.heldOutPositives.isEmpty && !corpus.heldOutSynthetic.isEmpty
    func add(_ logits: [StepLogits], name: String, source: String, seconds: Double) {
      for (index, values) in logits.enumerated() {
        results[index].negatives.append(
          Negative(name: name, source: source, seconds: seconds, logits: values))
      }
    }
    let positives = corpus.heldOutPositives.isEmpty ? corpus.heldOutSynthetic : corpus.heldOutPositives
    let noise = NoiseSource(
      recordings: corpus.heldOutNoise.isEmpty ? corpus.noise : corpus.heldOutNoise, speech: corpus.speech)
    let root = RandomSource(seed: 20_011)
    let pads = areSynthetic
    let stepLength = encoder.shape.stride * AudioFormat.frameLength
    // Only the end of what comes before a recording, in which a decider does not trigger.
    let skipped = RunningNoise.lead / stepLength - Calibration.warmUpSteps
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
      // Silence at the end, as a detector adds to a file, so that a late peak is included.
      samples += [Float](repeating: 0, count: AudioFormat.samples(0.3))
      let recording = Level.integers(samples)
      let isNoisy = index % 2 == 1
      let heard =
        isNoisy
        ? RunningNoise.mix(recording, noise.draw(RunningNoise.lead + samples.count, &random), ratio: 10)
        : RunningNoise.clean(recording)
      return scorer.logits(heard, settings)?.map {
        Track(
          name: utterance.name, group: utterance.group, logits: $0[skipped...],
          wordEnd: RunningNoise.lead - skipped * stepLength + word.upperBound, wordLength: word.count)
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
    let pause = [Int16](repeating: 0, count: AudioFormat.samples(0.8))
    let similar = Parallel.map(corpus.similar.count, threads: settings.threads) {
      scorer.logits(RunningNoise.clean(corpus.similar[$0].samples + pause), settings)
    }
    for (utterance, logits) in zip(corpus.similar, similar) {
      for (index, values) in (logits ?? []).enumerated() {
        results[index].similar.append((utterance.phrase, values[skipped...]))
      }
    }
    let negatives = HeldOutNegatives(corpus, pretrained.encoder, settings)
    func measure(_ recording: HeldOutNegatives.Recording) {
      let logits = scorer.logits(recording.outputs, recording.embeddings)
      for clip in recording.clips {
        // A decider does not trigger at the start, which is what comes before the clip.
        let steps = max(0, clip.steps.lowerBound - Calibration.warmUpSteps)..<clip.steps.upperBound
        add(logits.map { $0[steps] }, name: clip.path, source: recording.source, seconds: clip.seconds)
      }
    }
    negatives.each(
      hours: settings.calibrationHours,
      progress: { progress(TrainingProgress(activity: "setting the threshold", part: $0)) }, use: measure)
    if results[0].hours < Self.enoughHours {
      let streams = pretrained.background.streams.filter(\.isHeldOut)
      let step = encoder.shape.stepSeconds
      let scored = Parallel.map(streams.count, threads: settings.threads) { index in
        scorer.logits(streams[index].features, streams[index].embeddings)
      }
      for (index, logits) in scored.enumerated() {
        let stream = streams[index]
        add(
          logits, name: "background \(index)", source: stream.source, seconds: Double(stream.vectors) * step)
      }
    }
    for (index, model) in models.enumerated() {
      results[index].areSynthetic = areSynthetic
      if model.second != nil { results[index].judge(model.limit, weight: model.weight) }
    }
    return results
  }

  /// Sets the limit of the second stage to `limit`, or if it is nil, to where there are ``SecondStageTrainer/proposals`` per hour.
  private mutating func judge(_ limit: Float?, weight: Float) {
    let proposed = Calibration.alarms(self, Calibration.fittedSmoothing)
    let limit = limit ?? Float(proposed.threshold(for: SecondStageTrainer.proposals) ?? -100)
    let judgement = StepLogits.Judgement(
      limit: max(-100, min(100, limit)), weight: weight)
    self.judgement = judgement
    for index in clean.indices { clean[index].logits.judgement = judgement }
    for index in noisy.indices { noisy[index].logits.judgement = judgement }
    for index in negatives.indices { negatives[index].logits.judgement = judgement }
    for index in similar.indices { similar[index].logits.judgement = judgement }
  }

  /// Returns the second stage of the model with these scores; nil without one.
  package func secondStage(_ network: NetworkWeights?, _ embedding: SpeechEmbedding)
    throws(DetectionFault) -> SecondStage?
  {
    guard let network, let judgement else { return nil }
    return try SecondStage(
      limit: judgement.limit, weight: judgement.weight, network: network, embedding: embedding)
  }

  /// Hours of user data from which the background is not needed for a threshold.
  private static let enoughHours = 2.0
}
