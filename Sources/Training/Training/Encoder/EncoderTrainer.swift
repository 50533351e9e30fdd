import AudioCapture
import Detection
import Evaluation
import PCM
import Platform

/// A trained encoder with its background, not yet written.
public struct TrainedEncoder: Sendable {
  public let encoder: PhonemeEncoder
  let background: Background
  /// The share of steps with the correct sound in recordings of held-out speakers, without silence.
  public let accuracy: Double

  /// Writes both into `folder`, each by rename.
  public func write(to folder: String) throws {
    try Files.write(encoder.encoded, to: "\(folder)/\(PretrainedEncoder.encoderFile)")
    try Files.write(background.encoded, to: "\(folder)/\(PretrainedEncoder.backgroundFile)")
  }
}

/// Trains the encoder for all hotwords: first on synthetic speech, whose sounds the synthesizers label, then
/// also on recordings, which the first encoder aligns to their transcripts.
public enum EncoderTrainer {
  /// - Throws: ``TrainingFault``, `SystemFault`, `DetectionFault`.
  public static func train(
    _ settings: EncoderSettings, progress: @escaping (TrainingProgress) -> Void = { _ in }
  ) throws -> TrainedEncoder {
    let training = settings.training
    let lines = try settings.lines()
    var surroundings = training
    surroundings.negatives = settings.negatives
    surroundings.negativeHours = settings.backgroundHours
    let corpus = try Corpus(background: surroundings)
    progress(TrainingProgress(activity: "synthesizing speech", part: 0))
    let synthetic = try SyntheticSpeech.clips(settings.utterances, seed: settings.seed)
    let augmenter = Augmenter(
      noise: NoiseSource(recordings: corpus.noise, speech: corpus.speech), speech: corpus.speech)
    let first = try bank(synthetic, times: { _ in 1 }, augmenter, training)
    let teacher = fit(first, settings, from: nil, steps: settings.firstSteps, "a first encoder", progress)
    progress(TrainingProgress(activity: "aligning recordings", part: 0))
    let speech = try AlignedSpeech(lines, teacher.weights, settings: training)
    let isHeldOut = { (recording: AlignedSpeech.Recording) in
      Split.isHeldOut(recording.line.speaker, share: training.heldOutNegatives)
    }
    let kept = speech.recordings.filter { !isHeldOut($0) }
    let clips = synthetic + kept.map(\.clip)
    // Sentences are more informative than single words that a thousand recordings share.
    let times =
      [Int](repeating: 1, count: synthetic.count) + kept.map { $0.line.words.count > 3 ? 5 : 1 }
    let all = try bank(clips, times: { times[$0] }, augmenter, training)
    let last = fit(all, settings, from: teacher.network, steps: settings.steps, "the encoder", progress)
    let accuracy = try Self.accuracy(
      last.weights, speech.recordings.filter { isHeldOut($0) && $0.line.words.count > 3 }.map(\.clip),
      training)
    let encoder = try PhonemeEncoder(
      frontEnd: training.frontEnd, features: training.features, network: last.weights,
      phonemes: Phoneme.allCases.map { "\($0)" },
      training: [
        "synthetic": .number(Double(synthetic.count)), "recordings": .number(Double(kept.count)),
        "steps": .number(Double(settings.firstSteps + settings.steps)),
        "seed": .number(Double(settings.seed)), "heldOutAccuracy": .rounded(accuracy, digits: 3),
      ])
    progress(TrainingProgress(activity: "encoding the background", part: 0))
    let background = try background(corpus, encoder.network, surroundings, hours: settings.heldOutHours)
    return TrainedEncoder(encoder: encoder, background: background, accuracy: accuracy)
  }

  private static let windowFrames = 200

  private static func bank(
    _ clips: [LabelledClip], times: (Int) -> Int, _ augmenter: Augmenter, _ settings: TrainingSettings
  ) throws -> PhonemeBank {
    try PhonemeBank(clips, times: times, augmenter: augmenter, settings: settings, least: windowFrames + 10)
  }

  private static func fit(
    _ bank: PhonemeBank, _ settings: EncoderSettings, from start: TrainableNetwork?, steps: Int,
    _ what: String, _ progress: (TrainingProgress) -> Void
  ) -> FitResult {
    var fit = FitSettings(steps: steps, seed: settings.seed)
    fit.peakLearningRate = start == nil ? 0.004 : 0.003
    let source = PhonemeWindows(
      bank, batchSize: 64, frames: windowFrames, stride: settings.shape.stride,
      lookAhead: PhonemeEncoder.standardLookAhead, seed: settings.seed &+ 1)
    return Fit.run(
      shape: settings.shape, from: start, source: source, settings: fit, threads: settings.threads
    ) { now in
      if now.step % 10 == 0 {
        progress(
          TrainingProgress(
            activity: "training \(what)", part: Double(now.step) / Double(steps), secondsLeft: now.secondsLeft
          ))
      }
      return true
    }
  }

  private static func accuracy(
    _ network: NetworkWeights, _ clips: [LabelledClip], _ settings: TrainingSettings
  ) throws -> Double {
    let outputs = network.shape.outputs
    let renderer = try FeatureRenderer(frontEnd: settings.frontEnd, features: settings.features)
    var right = 0
    var spoken = 0
    for clip in clips {
      let stream = try PhonemeBank.stream(clip, renderer, coefficients: settings.features.coefficients)
      let logits = NetworkScorer.logits(network, features: stream.features)
      for step in 0..<logits.count / outputs {
        let vector = (step + 1) * network.shape.stride - 1 - PhonemeEncoder.standardLookAhead
        guard vector >= 0, ![Target.unlabelled, Phoneme.silence.rawValue].contains(stream.labels[vector])
        else { continue }
        let row = logits[step * outputs..<(step + 1) * outputs]
        spoken += 1
        if row.indices.max(by: { row[$0] < row[$1] })! - row.startIndex == Int(stream.labels[vector]) {
          right += 1
        }
      }
    }
    return Double(right) / Double(max(1, spoken))
  }

  package static func background(
    _ corpus: Corpus, _ encoder: NetworkWeights, _ settings: TrainingSettings, hours: Double
  ) throws -> Background {
    let bank = try FeatureBank(corpus, settings) { _ in }.encoded(by: encoder, threads: settings.threads)
    var streams = bank.streams
    let paths = corpus.heldOutNegatives
    let block = 64
    var left = hours * 3600
    for start in stride(from: 0, to: paths.count, by: block) where left > 0 {
      let found = Parallel.map(min(block, paths.count - start), threads: settings.threads) {
        index -> (FeatureStream, Double)? in
        guard let samples = try? FileSource(paths[start + index]).samples(AudioFormat.samples(600)),
          let renderer = try? FeatureRenderer(frontEnd: settings.frontEnd, features: settings.features),
          let features = try? renderer.render(samples)
        else { return nil }
        var stream = FeatureStream(
          kind: .speech, features: features, vectors: features.count / settings.features.coefficients,
          word: nil
        ).encoded(by: encoder)
        stream.isHeldOut = true
        stream.source = AudioFolder.folder(of: paths[start + index])
        return stream.vectors > 0 ? (stream, AudioFormat.seconds(samples.count)) : nil
      }
      for (stream, seconds) in found.compactMap({ $0 }) where left > 0 {
        streams.append(stream)
        left -= seconds
      }
    }
    return Background(streams: streams, encoder: Background.identity(of: encoder))
  }
}

/// The data and the duration of an encoder's training.
public struct EncoderSettings: Sendable {
  /// The folder with the recordings that ``transcripts`` names.
  public var recordings = ""
  /// The paths of the lists of transcripts; see `Transcripts`.
  public var transcripts: [String] = []
  /// Folders with speech and other audio that no training has as its phrase, for the background.
  public var negatives: [String] = []
  /// Folders with background noise to mix in.
  public var noise: [String] = []
  /// The number of synthetic utterances.
  public var utterances = 8000
  /// The optimizer steps on synthetic speech alone, for the alignment, and then on all data.
  public var firstSteps = 1200
  public var steps = 5000
  /// The hours of background to train on, and to set thresholds on.
  public var backgroundHours = 1.6
  public var heldOutHours = 1.6
  public var seed: UInt64 = 1
  public var shape: NetworkShape
  public var threads = 2

  public init() {
    shape = try! NetworkShape(
      channels: 160, dilations: [1, 2, 1, 2, 4, 1, 2, 4], outputs: Phoneme.allCases.count)
  }

  /// Returns the transcripts of all recordings.
  func lines() throws -> [Transcripts.Line] {
    try transcripts.flatMap { try Transcripts($0, root: recordings).lines }
  }

  /// The corresponding settings of a hotword's training, with its front end and features.
  var training: TrainingSettings {
    var settings = TrainingSettings(phrase: "encoder")
    settings.noise = noise
    settings.seed = seed
    settings.threads = threads
    return settings
  }
}

/// Labelled synthetic speech: dictionary words and sentences, by voices of many languages.
enum SyntheticSpeech {
  /// Languages whose letter-to-sound rules pronounce English words with other sounds and rhythm.
  private static let languages = ["de", "nl", "fr", "es", "it", "pl", "sv", "pt-br", "ro", "cs", "fi", "tr"]

  /// - Throws: ``TrainingFault/noSynthesizer(_:)``.
  static func clips(_ count: Int, seed: UInt64) throws(TrainingFault) -> [LabelledClip] {
    let synthesizer = try Synthesizer()
    let words = Pronunciations()?.entries.map(\.word) ?? Sentences.words
    let root = RandomSource(seed: seed).stream(3)
    var clips: [LabelledClip] = []
    for index in 0..<count {
      var random = root.stream(index)
      var voice = SynthesisVoice.random(&random)
      if random.chance(0.3), case .espeak(let name) = voice.engine {
        let language = languages[Int(random.next() % UInt64(languages.count))]
        voice.engine = .espeak(language + name.drop { $0 != "+" })
      }
      let text =
        random.chance(0.2)
        ? Sentences.all[Int(random.next() % UInt64(Sentences.all.count))]
        : (0..<(1 + Int(random.next() % 6))).map { _ in words[Int(random.next() % UInt64(words.count))] }
          .joined(separator: " ")
      let speech = synthesizer.pronounce(text, voice)
      guard speech.samples.count > AudioFormat.samples(0.2) else { continue }
      clips.append(LabelledClip(samples: Level.integers(speech.samples), phonemes: speech.phonemes))
    }
    return clips
  }
}
