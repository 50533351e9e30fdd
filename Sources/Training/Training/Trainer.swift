import Corpora
import Detection
import Evaluation
import PCM
import Platform

/// Trains a model of a phrase: reads recordings, synthesizes speech, renders features, fits networks, mines
/// hard negatives, fits again, and calibrates.
///
/// The same settings and recordings produce the same model, bit for bit, on one type of processor. Writes no
/// file: see ``TrainedModel/write(to:)``.
public enum Trainer {
  /// - Parameters:
  ///   - name: the model's name.
  ///   - command: the command line, for the card.
  ///   - progress: called at intervals, on the calling thread.
  /// - Throws: ``TrainingFault``, `SystemFault`, `DetectionFault`.
  public static func train(
    _ settings: TrainingSettings, name: String, command: String,
    progress: @escaping (TrainingProgress) -> Void = { _ in }
  ) throws -> TrainedModel {
    guard (10...100_000).contains(settings.steps) else { throw TrainingFault.steps(settings.steps) }
    let pretrained = try PretrainedEncoder()
    var settings = settings
    settings.frontEnd = pretrained.encoder.frontEnd
    settings.features = pretrained.encoder.features
    settings.embedding = PackedEmbedding(pretrained.embedding)
    var corpus = try Corpus(settings, encoder: pretrained.encoder, progress: progress)
    let encoder = pretrained.encoder.network
    let sounds = pretrained.sounds
    // The aligned speech is English.
    let joinsSpeech = settings.synthesis && corpus.isEnglish
    let joinedBands =
      joinsSpeech && corpus.heldOutPositives.isEmpty
      ? JoinedBands(try pretrained.bands()).utterances(of: corpus.wordReadings, settings) : []
    var bank = try FeatureBank(corpus, settings, progress: progress).encoded(
      by: encoder, sounds: sounds, threads: settings.threads)
    guard bank.hasKeywords else {
      throw TrainingFault.nothingReadable(
        folder: settings.positives.first ?? "synthesis", use: "training data")
    }
    corpus.leftOut += bank.leftOut
    let background = pretrained.background.trainingStreams(scoredBy: sounds)
    bank.add(background.filter { stream in !corpus.allReadings.contains(where: stream.says) })
    if joinsSpeech {
      let lookAhead = pretrained.encoder.lookAhead / encoder.shape.stride
      let joined = JoinedSpeech(background, lookAhead: lookAhead).streams(
        of: corpus.wordReadings, settings, window: bank.windowVectors)
      corpus.hasJoinedSpeech = !joined.isEmpty
      bank.streams += joined
    }
    // An evaluation model, trained without the held-out recordings, measures accuracy. The model itself is
    // trained on all recordings.
    let hasEvaluationModel = !corpus.heldOutPositives.isEmpty
    let parts = hasEvaluationModel ? ["the evaluation model", "the model"] : ["the model"]
    let perPart = settings.networks + 2
    let fits = parts.count * perPart
    let path = Self.path(of: corpus, hasRecordings: hasEvaluationModel)
    let models = parts.indices.map { part in
      let evaluation = hasEvaluationModel && part == 0 ? 0 : nil
      func report(_ member: Int) -> (TrainingProgress) -> Void {
        { progress($0.ofFit(part * perPart + member, of: fits, for: parts[part])) }
      }
      let teachers = (0..<settings.networks).map { member in
        fit(member, bank, corpus, settings, evaluation: evaluation, report(member))
      }
      var model = TrainedNetworks(networks: [
        distil(teachers, bank, corpus, settings, evaluation: evaluation, report(settings.networks))
      ])
      let scorer = ModelScorer(encoder: encoder, sounds: sounds, models: [model], path: path)
      model.second = SecondStageTrainer.fit(
        bank, joined: joinedBands, scorer, evaluation: evaluation, settings, report(settings.networks + 1))
      model.weight = SecondStageTrainer.weight(isJoined: !joinedBands.isEmpty)
      return model
    }
    let measured = try HeldOutScores.measure(
      corpus, settings, pretrained, models, sounds: sounds, path: path, progress: progress)
    let heldOut = measured[0]
    let calibration = try Calibration(
      heldOut, model: measured[parts.count - 1], stride: encoder.shape.stride * settings.shape.stride)
    let card = ModelCard(
      phrase: settings.phrase, name: name, command: command, settings: settings, corpus: corpus,
      encoder: pretrained.encoder, heldOut: heldOut, calibration: calibration,
      negativeHours: bank.negativeSeconds / 3600, streams: bank.streams.count,
      windowSeconds: AudioFormat.seconds(bank.windowVectors * bank.hop * AudioFormat.frameLength))
    func model(_ part: Int, _ calibration: Calibration) throws -> HotwordModel {
      try HotwordModel(
        name: name, phrase: settings.phrase, frontEnd: settings.frontEnd, features: settings.features,
        encoder: encoder, sounds: sounds, networks: models[part].networks, path: path,
        secondStage: measured[part].secondStage(models[part].second, pretrained.embedding),
        lastSounds: Self.lastSounds(corpus.allReadings, pretrained.encoder), decision: calibration.decision,
        curve: calibration.curve, training: card.summary)
    }
    var trained = TrainedModel(
      model: try model(parts.count - 1, calibration), card: card.markdown, report: card.report,
      verdict: card.verdict, leftOut: corpus.leftOut)
    if hasEvaluationModel {
      let own = try Calibration(heldOut, model: heldOut, stride: encoder.shape.stride * settings.shape.stride)
      trained.evaluation = EvaluationModel(
        model: try model(0, own), heldOut: corpus.heldOutPositives.map(\.name))
    }
    return trained
  }

  /// Networks that were trained on synthetic voices or on a few clips are less selective and need the verifier more.
  private static let pathWeight = 2.0
  private static let pathWeightWithRecordings = 1.0

  private static func path(of corpus: Corpus, hasRecordings: Bool) -> PhrasePathSettings? {
    guard hasRecordings else { return path(corpus.readings) }
    // A guessed pronunciation may be wrong, recordings are not.
    if corpus.hasGuessedWords { return nil }
    return path(corpus.readings, weight: pathWeightWithRecordings)
  }

  /// Returns the pronunciations of a phrase as the verifier's settings; nil if none is known.
  static func path(_ readings: [[Phoneme]], weight: Double = pathWeight) -> PhrasePathSettings? {
    guard !readings.isEmpty else { return nil }
    return PhrasePathSettings(
      pronunciations: readings.map { $0.map { Int($0.rawValue) } }, weight: weight)
  }

  /// Returns the sounds with which any of the pronunciations may end; nil if none is known.
  static func lastSounds(_ readings: [[Phoneme]], _ encoder: PhonemeEncoder) -> LastSounds? {
    let sounds = Set(readings.compactMap(\.last).flatMap(\.alikeAtTheEnd))
    guard !sounds.isEmpty else { return nil }
    return LastSounds(
      outputs: sounds.map { Int($0.rawValue) }.sorted(),
      lookAhead: AudioFormat.seconds(encoder.lookAhead * AudioFormat.frameLength))
  }

  /// A stage of training: a share of the steps, from the peak learning rate to a share of it.
  struct Stage {
    let share: Double
    let peak: Float
    let final: Float

    static let fromScratch = [
      Stage(share: 0.4, peak: 0.004, final: 0.3), Stage(share: 0.25, peak: 0.002, final: 0.4),
      Stage(share: 0.35, peak: 0.0015, final: 0.01),
    ]
  }

  /// Trains one of a model's networks: one fit per stage, each starting from the average of the stage before.
  /// Stages that start with a network also draw hard negatives.
  static func fit(
    _ member: Int, _ bank: FeatureBank, _ corpus: Corpus, _ settings: TrainingSettings, evaluation: Int?,
    from start: NetworkWeights? = nil, stages: [Stage] = Stage.fromScratch,
    _ progress: (TrainingProgress) -> Void
  ) -> NetworkWeights {
    let seed = settings.seed &* 64 &+ UInt64(member)
    let joined = settings.joinedShare(ofNetwork: member)
    var network = start.map { TrainableNetwork($0) }
    var weights = start
    var done = 0
    for (index, stage) in stages.enumerated() {
      var hard: [TrainingWindows.HardSpot] = []
      if let weights {
        progress(
          TrainingProgress(
            activity: "finding hard negatives", part: Double(done) / Double(settings.steps)))
        hard = HardNegatives.mine(
          bank, weights, evaluation: evaluation, isJoined: joined > 0, count: 1500, threads: settings.threads)
      }
      let isFirst = weights == nil
      let steps =
        index == stages.count - 1 ? settings.steps - done : Int(Double(settings.steps) * stage.share)
      var fit = FitSettings(steps: steps, seed: seed)
      fit.peakLearningRate = stage.peak
      fit.finalLearningRate = stage.final
      fit.warmUpSteps = min(isFirst ? 100 : 30, max(1, steps / 5))
      fit.loss.smoothing = Calibration.fittedSmoothing
      fit.loss.negativeWeightStart = isFirst ? 1 : 3
      fit.loss.negativeWeightEnd = isFirst ? 3 : 4
      if !isFirst { fit.loss.negativeWeightRamp = 0.5 }
      let source = TrainingWindows(
        bank, realPositives: corpus.positives.count + corpus.missed.count, evaluation: evaluation, hard: hard,
        isHeld: start != nil, batchSize: settings.batchSize,
        stride: settings.shape.stride, seed: seed &* 16 &+ UInt64(index), joined: joined)
      let before = done
      let result = Fit.run(
        shape: settings.shape, from: network, source: source, settings: fit, threads: settings.threads
      ) { now in
        if now.step % 10 == 0 || now.step == now.steps {
          let pace = now.secondsLeft / Double(max(1, now.steps - now.step))
          let left = now.secondsLeft + pace * Double(settings.steps - before - now.steps)
          progress(
            TrainingProgress(
              activity: "training", part: Double(before + now.step) / Double(settings.steps),
              secondsLeft: now.step < now.steps ? left : nil, loss: Double(now.loss)))
        }
        return true
      }
      done += steps
      network = result.network
      weights = result.weights
    }
    return weights!
  }
}

extension Trainer {
  /// Trains the network of a model to give the mean output of `teachers`.
  private static func distil(
    _ teachers: [NetworkWeights], _ bank: FeatureBank, _ corpus: Corpus, _ settings: TrainingSettings,
    evaluation: Int?, _ progress: (TrainingProgress) -> Void
  ) -> NetworkWeights {
    progress(TrainingProgress(activity: "finding hard negatives", part: 0))
    let hard = HardNegatives.mine(
      bank, teachers[0], evaluation: evaluation, isJoined: true, count: 1500, threads: settings.threads)
    let seed = settings.seed &* 64 &+ UInt64(teachers.count)
    let windows = TrainingWindows(
      bank, realPositives: corpus.positives.count + corpus.missed.count, evaluation: evaluation, hard: hard,
      batchSize: settings.batchSize, stride: settings.distilledShape.stride, seed: seed &* 16,
      joined: teachers.indices.reduce(0) { $0 + settings.joinedShare(ofNetwork: $1) } / Float(teachers.count))
    var fit = FitSettings(steps: settings.steps, seed: seed)
    fit.peakLearningRate = 0.004
    fit.warmUpSteps = min(100, max(1, settings.steps / 5))
    let result = Fit.run(
      shape: settings.distilledShape, source: DistillationWindows(windows, teachers: teachers), settings: fit,
      threads: settings.threads
    ) { now in
      if now.step % 10 == 0 || now.step == now.steps {
        progress(
          TrainingProgress(
            activity: "training", part: Double(now.step) / Double(now.steps), secondsLeft: now.secondsLeft,
            loss: Double(now.loss)))
      }
      return true
    }
    return result.weights.inHalfPrecision
  }
}

/// A trained model with its card, not yet written.
public struct TrainedModel: Sendable {
  public let model: HotwordModel
  /// The card as Markdown.
  public let card: String
  /// Its accuracy on held-out data.
  public let report: EvaluationReport
  public let verdict: Verdict
  /// The excluded recordings with the reasons, one line each.
  public let leftOut: [String]
  /// The model that the accuracy was measured with; nil without recordings of the phrase.
  public var evaluation: EvaluationModel?

  /// Returns the path of the card of a model at `path`.
  public static func cardPath(for path: String) -> String {
    let stem = path.hasSuffix(".safetensors") ? String(path.dropLast(12)) : path
    return stem + ".md"
  }

  /// Returns the path at which the previous version is kept; such files are not listed as models.
  public static func previousPath(for path: String) -> String { path + ".previous" }

  /// Writes the model to `path` and its card next to it, each by rename. The files that were there are kept as
  /// `….previous`.
  ///
  /// - Throws: `DetectionFault`, `SystemFault`.
  public func write(to path: String) throws {
    for old in [path, Self.cardPath(for: path)] where Files.exists(old) {
      try Files.write(Files.read(old), to: Self.previousPath(for: old))
    }
    try model.write(to: path)
    try Files.write(Array(card.utf8), to: Self.cardPath(for: path))
  }
}

extension FeatureBank {
  package var hasKeywords: Bool { streams.contains { $0.kind.isPhrase } }
}

extension ModelCard {
  /// The card's facts, for the model file.
  package var summary: JSON {
    [
      "command": .string(command), "seed": .number(Double(settings.seed)),
      "language": .string(settings.language),
      "pronunciations": .array(settings.pronunciations.map { .string($0) }),
      "steps": .number(Double(settings.steps)), "networks": .number(Double(settings.networks)),
      "recordings": .number(Double(corpus.allRecordings)), "sessions": .number(Double(corpus.allGroups)),
      "syntheticPositives": .number(Double(corpus.syntheticPositives.count)),
      "syntheticNegatives": .number(Double(corpus.syntheticNegatives.count)),
      "negativeHours": .rounded(negativeHours, digits: 2),
      "heldOut": [
        "positives": .number(Double(heldOut.clean.count)), "synthetic": .bool(heldOut.areSynthetic),
        "missed": .number(Double(calibration.missed)),
        "missedInNoise": .number(Double(calibration.missedInNoise)),
        "hours": .rounded(heldOut.hours, digits: 2),
        "falseAlarms": .number(Double(calibration.falseAlarms)),
        "similar": calibration.similarSpeech(heldOut).json,
      ],
    ]
  }
}

extension Trainer {
  /// Returns the words of the phrase, after checking everything that can be checked before the training: the
  /// phrase, its language and pronunciations, the folders, and whether there is training data.
  ///
  /// - Throws: ``TrainingFault``.
  public static func words(of settings: TrainingSettings) throws -> [String] {
    let words = try settings.script(dictionary: nil, try Synthesizer()).words
    for folder in settings.positives + settings.negatives + settings.noise
    where !Files.isDirectory(folder) {
      throw CorpusFault.noFolder(folder)
    }
    guard settings.synthesis || !settings.positives.isEmpty else { throw TrainingFault.noPositives }
    return words
  }

  /// A word that the English dictionary lacks, and its pronunciations by the rules of some languages, in ARPAbet.
  public struct Guess: Sendable, Equatable {
    public let word: String
    public let pronunciations: [String]
  }

  /// The number of sounds from which on a phrase is seldom part of other speech.
  public static let fewestSounds = 5

  /// Returns the number of sounds of the shortest pronunciation of the phrase.
  ///
  /// - Throws: ``TrainingFault``.
  public static func sounds(of settings: TrainingSettings) throws -> Int {
    let script = try settings.script(dictionary: Pronunciations(), try Synthesizer())
    return script.usualReadings.map { $0.joined().count }.min() ?? 0
  }

  /// How often a phrase, or something that contains its sounds, is said in speech about other things.
  public struct Commonness: Sendable {
    public let count: Int
    /// The hours of speech in which it was counted.
    public let hours: Double
    /// Whether it is said more often than a model may have false alarms.
    public var isHigh: Bool { Double(count) > Calibration.target * hours }
  }

  /// Counts a phrase in the transcribed speech of the background; nil for another language than English.
  ///
  /// - Throws: ``TrainingFault``.
  public static func commonness(of settings: TrainingSettings) throws -> Commonness? {
    let script = try settings.script(dictionary: Pronunciations(), try Synthesizer())
    guard script.language.isAnyEnglish else { return nil }
    let pretrained = try PretrainedEncoder()
    let speech = pretrained.background.streams.filter { !$0.sounds.isEmpty }
    let readings = script.usualReadings.map { Array($0.joined()) }
    let step = pretrained.encoder.network.shape.stepSeconds
    return Commonness(
      count: speech.reduce(0) { sum, stream in sum + (readings.map(stream.countWithinSpeech).max() ?? 0) },
      hours: speech.reduce(0) { $0 + Double($1.vectors) * step } / 3600)
  }

  /// Returns the words of the phrase whose pronunciation is guessed.
  ///
  /// - Throws: ``TrainingFault``.
  public static func guesses(for settings: TrainingSettings) throws -> [Guess] {
    guard let dictionary = Pronunciations() else { return [] }
    let synthesizer = try Synthesizer()
    return try settings.script(dictionary: dictionary, synthesizer).unknownWords.map { word in
      Guess(
        word: word,
        pronunciations: PhraseScript.guesses(word, dictionary, synthesizer).map { sounds in
          sounds.map(\.arpabet).joined(separator: " ")
        })
    }
  }
}

extension TrainedModel {
  /// Returns the result as one JSON object.
  public func report(path: String) -> JSON {
    [
      "model": .string(path), "card": .string(Self.cardPath(for: path)), "phrase": .string(model.phrase),
      "heldOut": model.training["heldOut"] ?? .null, "report": report.json(with: verdict),
    ]
  }
}
