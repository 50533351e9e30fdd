import Clips
import Detection
import Evaluation
import PCM
import Platform

/// Makes the next version of a model from what it did wrong in use.
///
/// Its networks learn on, slowly, from the clips that it fired at and those it missed, in many situations; of everything
/// else they are to say what they said. So thresholds stay where they are, unless alarms ask for higher ones or
/// other sound as a whole scores less. The clips kept aside measure a twin that never heard them; the new version learns
/// from them too. Nothing is written: ``ImprovedModel/write(to:)`` does that.
public enum Improver {
  /// - Parameters:
  ///   - name: the new version's name.
  ///   - command: the command line for the card.
  ///   - progress: told now and then, on the calling thread.
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
    let encoder = pretrained.encoder.network
    let threads = training.threads
    progress(TrainingProgress(activity: "reading clips", part: 0))
    let alarms = try FieldClips(settings.falseAlarms, .falseAlarms, of: old, threads: threads)
    let missed = try FieldClips(settings.missed, .missed, of: old, threads: threads)
    var corpus = try Corpus(training, encoder: pretrained.encoder, progress: progress)
    corpus.falseAlarms = alarms.clips
    corpus.missed = missed.clips
    corpus.leftOut += alarms.leftOut + missed.leftOut
    var bank = try FeatureBank(corpus, training, progress: progress).encoded(by: encoder, threads: threads)
    corpus.leftOut += bank.leftOut
    bank.add(pretrained.background.streams.filter { !$0.isHeldOut })
    let hasEvaluationModel =
      !corpus.heldOutPositives.isEmpty || (alarms.clips + missed.clips).contains(where: \.isHeldOut)
    let parts = hasEvaluationModel ? ["a twin to measure", "the next version"] : ["the next version"]
    let fits = parts.count * old.networks.count
    let versions = parts.indices.map { part in
      old.networks.indices.map { member in
        let index = part * old.networks.count + member
        return Trainer.fit(
          member, bank, corpus, training, isMeasured: hasEvaluationModel && part == 0,
          from: old.networks[member],
          stages: stages
        ) { now in
          var now = now
          now.activity += " \(parts[part])"
          now.secondsLeft = now.secondsLeft.map { seconds in
            seconds + Double(fits - 1 - index) * seconds / max(0.02, 1 - now.part) + 30
          }
          now.part = (Double(index) + now.part) / Double(fits)
          progress(now)
        }
      }
    }
    let heard = try HeldOutScores.measure(
      corpus, training, pretrained, [old.networks] + versions, path: old.path, progress: progress)
    let stride = encoder.shape.stride * training.shape.stride
    let calibration = try Calibration(
      heard[1], model: heard[parts.count], stride: stride,
      previous: Calibration.PreviousVersion(old, heard[0]))
    func version(_ networks: [NetworkWeights], _ calibration: Calibration, training: JSON) throws
      -> HotwordModel
    {
      try HotwordModel(
        name: name, phrase: old.phrase, frontEnd: old.frontEnd, features: old.features, encoder: encoder,
        networks: networks, path: old.path, decision: calibration.decision, curve: calibration.curve,
        training: training)
    }
    let twin = try version(
      versions[0],
      Calibration(
        heard[1], model: heard[1], stride: stride, previous: Calibration.PreviousVersion(old, heard[0])),
      training: [])
    let comparison = Comparison(
      corpus, before: (old, heard[0]), after: (twin, heard[1]), hasEvaluationModel: hasEvaluationModel,
      at: settings.sensitivity, threads: threads)
    let card = ModelCard(
      phrase: old.phrase, name: name, command: command, settings: training, corpus: corpus,
      encoder: pretrained.encoder, heldOut: heard[1], calibration: calibration,
      negativeHours: bank.negativeSeconds / 3600, streams: bank.streams.count,
      windowSeconds: AudioFormat.seconds(bank.windowVectors * bank.hop * AudioFormat.frameLength))
    let lineage = VersionHistory(settings)
    let model = try version(
      versions[parts.count - 1], calibration,
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

  /// Finds what can be wrong before minutes of work: see also ``Trainer/words(of:)``.
  ///
  /// - Throws: ``TrainingFault``.
  public static func check(_ settings: ImprovementSettings) throws {
    _ = try Trainer.words(of: settings.training)
    for folder in settings.falseAlarms + settings.missed where !Files.isDirectory(folder) {
      throw TrainingFault.noFolder(folder)
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

/// A model to make the next version of, and what it did wrong.
public struct ImprovementSettings: Sendable {
  /// Where the model was read from.
  public let path: String
  public let model: HotwordModel
  /// At which it is used, and both versions are compared.
  public var sensitivity = Sensitivity.standard
  /// Folders of clips that it fired at and should not have.
  public var falseAlarms: [String] = []
  /// Folders of clips of the phrase that it missed.
  public var missed: [String] = []
  /// What goes along: the phrase, in the model's own networks, with the recordings given again.
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

  /// Where the version before goes when the next one takes its place; no list of models shows it.
  public static func previousPath(for path: String) -> String { path + ".previous" }

  /// Writes the model to `path` and its card beside it, each by rename; what stood there is kept as
  /// `….previous`.
  ///
  /// - Throws: `DetectionFault`, `SystemFault`.
  public func write(to path: String) throws {
    for old in [path, TrainedModel.cardPath(for: path)] where Files.exists(old) {
      try Files.write(Files.read(old), to: Self.previousPath(for: old))
    }
    try trained.write(to: path)
  }

  /// The result as one JSON object.
  public func report(path: String) -> JSON {
    guard case .object(let members) = trained.report(path: path) else { return .null }
    return .object(members + [JSON.Member("improvement", comparison.json)])
  }

  /// The result for people.
  public var text: String { "\(comparison.text)\n\(trained.report.text)\n\(trained.verdict.text)" }
}
