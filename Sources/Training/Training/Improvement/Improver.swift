import Clips
import Corpora
import Detection
import Evaluation
import PCM
import Platform

/// Trains the next version of a model from its errors in use.
///
/// Its networks are fitted further at a low learning rate on false alarms and missed clips, with
/// augmentation, while their outputs for all other audio are kept. So thresholds stay the same, unless the
/// false alarms require higher ones or the scores of other audio as a whole decrease. Evaluation models, each
/// trained without a part of the clips, measure the result on all of them; the next version is trained on all
/// clips. Writes no file: see ``ImprovedModel/write(to:)``.
public enum Improver {
  /// - Parameters:
  ///   - name: the new version's name.
  ///   - command: the command line, for the card.
  ///   - progress: called at intervals, on the calling thread.
  /// - Throws: ``TrainingFault``, `SystemFault`, `DetectionFault`.
  public static func improve(
    _ settings: ImprovementSettings, name: String, command: String,
    progress: @escaping (TrainingProgress) -> Void = { _ in }
  ) throws -> ImprovedModel {
    let pretrained = try PretrainedEncoder()
    try check(settings, pretrained)
    let old = settings.model
    var training = settings.training
    training.frontEnd = pretrained.encoder.frontEnd
    training.features = pretrained.encoder.features
    training.embedding = old.secondStage.map { PackedEmbedding($0.embedding) }
    let encoder = pretrained.encoder.network
    let threads = training.threads
    progress(TrainingProgress(activity: "reading clips", part: 0))
    let alarms = try FieldClips(settings.falseAlarms, .falseAlarms, of: old, threads: threads)
    let missed = try FieldClips(settings.missed, .missed, of: old, threads: threads)
    if alarms.clips.isEmpty, missed.clips.isEmpty {
      throw TrainingFault.noClips((settings.falseAlarms + settings.missed).first ?? "")
    }
    var corpus = try Corpus(training, encoder: pretrained.encoder, progress: progress)
    corpus.falseAlarms = alarms.clips
    corpus.missed = missed.clips
    corpus.leftOut += alarms.leftOut + missed.leftOut
    var bank = try FeatureBank(corpus, training, progress: progress).encoded(
      by: encoder, sounds: old.sounds, threads: threads)
    corpus.leftOut += bank.leftOut
    bank.add(pretrained.background.trainingStreams(scoredBy: old.sounds))
    let folds = Set((alarms.clips + missed.clips).map(\.heldOut)).subtracting([.no]).count
    let evaluations = max(folds, corpus.heldOutPositives.isEmpty ? 0 : 1)
    let parts =
      (0..<evaluations).map { "evaluation model \($0 + 1) of \(evaluations)" } + ["the next version"]
    let fits = parts.count * old.networks.count
    let versions = parts.indices.map { part in
      old.networks.indices.map { member in
        let index = part * old.networks.count + member
        return Trainer.fit(
          member, bank, corpus, training, evaluation: part < evaluations ? part : nil,
          from: old.networks[member],
          stages: stages
        ) { progress($0.ofFit(index, of: fits, for: parts[part])) }
      }
    }
    // The scores of the new networks are lower as a whole, so each version has its own limit of the second stage.
    let heldOut = try HeldOutScores.measure(
      corpus, training, pretrained,
      [TrainedNetworks(old)] + versions.map { TrainedNetworks(old, networks: $0) },
      sounds: old.sounds, path: old.path, progress: progress)
    let stride = encoder.shape.stride * training.shape.stride
    let calibration = try Calibration(
      heldOut[1], model: heldOut[parts.count], stride: stride,
      previous: Calibration.PreviousVersion(old, heldOut[0]))
    func version(_ part: Int, _ calibration: Calibration, training: JSON) throws -> HotwordModel {
      try HotwordModel(
        name: name, phrase: old.phrase, frontEnd: old.frontEnd, features: old.features, encoder: encoder,
        sounds: old.sounds, networks: versions[part], path: old.path,
        secondStage: try old.secondStage.flatMap {
          try heldOut[1 + part].secondStage($0.network, $0.embedding)
        },
        lastSounds: old.lastSounds,
        decision: calibration.decision,
        curve: calibration.curve,
        training: training)
    }
    let measured = try (0..<max(1, evaluations)).map { index in
      let scores = heldOut[1 + index]
      let own = try Calibration(
        scores, model: scores, stride: stride, previous: Calibration.PreviousVersion(old, heldOut[0]))
      return (try version(index, own, training: []), scores)
    }
    let comparison = Comparison(
      corpus, before: (old, heldOut[0]), after: measured, areEvaluationModels: evaluations > 0,
      at: settings.sensitivity, threads: threads)
    let card = ModelCard(
      phrase: old.phrase, name: name, command: command, settings: training, corpus: corpus,
      encoder: pretrained.encoder, heldOut: heldOut[1], calibration: calibration,
      negativeHours: bank.negativeSeconds / 3600, streams: bank.streams.count,
      windowSeconds: AudioFormat.seconds(bank.windowVectors * bank.hop * AudioFormat.frameLength),
      before: ModelOrigin(old))
    let lineage = VersionHistory(settings)
    let model = try version(
      parts.count - 1, calibration,
      training: lineage.summary(adding: card.summary, comparison.json))
    return ImprovedModel(
      trained: TrainedModel(
        model: model, card: lineage.card(adding: card.markdown, comparison), report: card.report,
        verdict: card.verdict, leftOut: corpus.leftOut),
      comparison: comparison)
  }

  private static let stages = [
    Trainer.Stage(share: 1, peak: 0.0015, final: 0.01)
  ]

  /// Checks the settings before a long training; see also ``Trainer/words(of:)``.
  ///
  /// - Throws: ``TrainingFault``.
  public static func check(_ settings: ImprovementSettings) throws {
    _ = try Trainer.words(of: settings.training)
    for folder in settings.falseAlarms + settings.missed where !Files.isDirectory(folder) {
      throw CorpusFault.noFolder(folder)
    }
    // The same clips cannot be both.
    for folder in settings.missed
    where settings.falseAlarms.contains(folder) && !FieldClips.isReviewed(folder) {
      throw TrainingFault.noClips(folder)
    }
    try check(settings, PretrainedEncoder())
  }

  private static func check(_ settings: ImprovementSettings, _ pretrained: PretrainedEncoder) throws {
    guard (10...100_000).contains(settings.training.steps) else {
      throw TrainingFault.steps(settings.training.steps)
    }
    let model = settings.model
    guard model.encoder == pretrained.encoder.network, model.features == pretrained.encoder.features,
      model.frontEnd == pretrained.encoder.frontEnd
    else {
      throw TrainingFault.otherEncoder(model: settings.path)
    }
  }
}

/// A model to improve and its errors.
public struct ImprovementSettings: Sendable {
  /// The path of the model.
  public let path: String
  public let model: HotwordModel
  /// The sensitivity at which it is used and both versions are compared.
  public var sensitivity = Sensitivity.standard
  /// Folders with clips of its false alarms.
  public var falseAlarms: [String] = []
  /// Folders with clips of the phrase that it missed.
  public var missed: [String] = []
  /// The settings of the training: the model's phrase and network shape, and recordings to add.
  public var training: TrainingSettings

  public init(_ model: HotwordModel, path: String) {
    self.model = model
    self.path = path
    training = TrainingSettings(phrase: model.phrase)
    if let language = model.training["language"]?.string { training.language = language }
    training.pronunciations = model.training["pronunciations"]?.array?.compactMap(\.string) ?? []
    training.shape = model.shape
    training.networks = model.networks.count
    training.steps = 300
  }
}

/// The next version of a model with its card, not yet written.
public struct ImprovedModel: Sendable {
  public let trained: TrainedModel
  public let comparison: Comparison

  /// Writes both files: see ``TrainedModel/write(to:)``.
  public func write(to path: String) throws { try trained.write(to: path) }

  /// Returns the result as one JSON object.
  public func report(path: String) -> JSON {
    guard case .object(let members) = trained.report(path: path) else { return .null }
    return .object(members + [JSON.Member("improvement", comparison.json)])
  }

  /// The result as text.
  public var text: String { "\(comparison.text)\n\(trained.report.text)\n\(trained.verdict.text)" }
}
