import Detection

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
