import AudioCapture
import Detection
import Evaluation
import Platform

/// Adapts a model to one person's voice from a few recordings, in seconds: fits its networks further on that
/// voice against the background.
///
/// The result is more accurate for that person and less for others; see `README.md`.
public enum PersonalTrainer {
  private static let steps = 60
  private static let rate: Float = 0.0015
  private static let renderings = 30
  private static let hardSpots = 1000

  /// - Parameters:
  ///   - model: a model based on the installed encoder.
  ///   - clips: paths of recordings of the phrase. A recording in which no word is found is used whole.
  /// - Throws: ``TrainingFault``, `CaptureFault`, `DetectionFault`, `SystemFault`.
  public static func train(_ model: HotwordModel, name: String, clips: [String], threads: Int) throws
    -> HotwordModel
  {
    let pretrained = try PretrainedEncoder()
    let encoder = pretrained.encoder.network
    guard model.encoder == encoder else { throw TrainingFault.otherEncoder(model: model.name) }
    var settings = TrainingSettings(phrase: model.phrase)
    settings.frontEnd = model.frontEnd
    settings.features = model.features
    settings.threads = threads
    settings.embedding = model.secondStage.map { PackedEmbedding($0.embedding) }
    if let language = model.training["language"]?.string { settings.language = language }
    settings.keywordRenderings = renderings * clips.count * 4 / 3
    settings.noiseRenderings = 0
    let script = try settings.script(dictionary: Pronunciations(), try Synthesizer())
    let check = ClipCheck(pretrained.encoder, readings: script.readings)
    var corpus = Corpus(
      phrase: try clips.map { path in
        let samples = try AudioFile.read(path)
        let word = (try? check.clip(samples).word) ?? 0..<samples.count
        return Corpus.Utterance(name: path, group: name, samples: samples, word: word)
      })
    var bank = try FeatureBank(corpus, settings) { _ in }.encoded(
      by: encoder, sounds: model.sounds, threads: threads)
    bank.add(pretrained.background.trainingStreams(scoredBy: model.sounds))
    let networks = model.networks.enumerated().map { fit($1, bank, seed: UInt64($0), settings) }
    var path = Trainer.path(script.usualReadings.map { Array($0.joined()) })
    if let known = model.path { path?.pronunciations = known.pronunciations }
    if model.sounds == nil { path?.offsets = pretrained.sounds.offsets }
    // The clips themselves calibrate scores and timing: there are no other recordings of this person.
    corpus.heldOutPositives = corpus.positives
    let measured = try HeldOutScores.measure(
      corpus, settings, pretrained,
      [TrainedNetworks(model, networks: networks)], sounds: model.sounds, path: path
    ) { _ in }
    let calibration = try Calibration(
      measured[0], model: measured[0], stride: encoder.shape.stride * model.shape.stride)
    return try HotwordModel(
      name: name, phrase: model.phrase, frontEnd: model.frontEnd, features: model.features,
      encoder: encoder, sounds: model.sounds, networks: networks, path: path,
      secondStage: measured[0].secondStage(
        model.secondStage?.network, model.secondStage?.embedding ?? pretrained.embedding),
      lastSounds: model.lastSounds
        ?? Trainer.lastSounds(script.readings.map { Array($0.joined()) }, pretrained.encoder),
      decision: calibration.decision, curve: calibration.curve,
      training: [
        "from": .string(model.name), "enrolled": .number(Double(clips.count)),
        "language": .string(model.language),
        "hours": .rounded(measured[0].hours, digits: 2),
      ])
  }

  private static func fit(
    _ network: NetworkWeights, _ bank: FeatureBank, seed: UInt64, _ settings: TrainingSettings
  ) -> NetworkWeights {
    let hard = HardNegatives.mine(
      bank, network, evaluation: nil, count: hardSpots, threads: settings.threads)
    var fit = FitSettings(steps: steps, seed: seed)
    fit.peakLearningRate = rate
    fit.warmUpSteps = 10
    fit.averaging = 0.98
    fit.loss.smoothing = Calibration.fittedSmoothing
    fit.loss.negativeWeightStart = 4
    fit.loss.negativeWeightEnd = 4
    let source = TrainingWindows(
      bank, realPositives: bank.streams.count, evaluation: nil, hard: hard, batchSize: settings.batchSize,
      stride: network.shape.stride, seed: seed)
    return Fit.run(
      shape: network.shape, from: TrainableNetwork(network), source: source, settings: fit,
      threads: settings.threads
    ).weights
  }
}
