import Detection

/// What an encoder is trained on, and how long.
public struct EncoderSettings: Sendable {
  /// The folder below which the recordings lie that ``transcripts`` names.
  public var recordings = ""
  /// The paths of their lists; see `Transcripts`.
  public var transcripts: [String] = []
  /// Folders with speech and other sound that no training has as its phrase, for the background.
  public var negatives: [String] = []
  /// Folders with background sounds to mix in.
  public var noise: [String] = []
  /// Synthetic utterances.
  public var utterances = 8000
  /// Optimizer steps on synthetic speech alone, for the alignment, and then on everything.
  public var firstSteps = 1200
  public var steps = 5000
  /// Hours of background to train on, and to set thresholds on.
  public var backgroundHours = 1.6
  public var heldOutHours = 1.6
  public var seed: UInt64 = 1
  public var shape: NetworkShape
  public var threads = 2

  public init() {
    shape = try! NetworkShape(
      channels: 160, dilations: [1, 2, 1, 2, 4, 1, 2, 4], outputs: Phoneme.allCases.count)
  }

  /// What is said in all recordings.
  func lines() throws -> [Transcripts.Line] {
    try transcripts.flatMap { try Transcripts($0, root: recordings).lines }
  }

  /// The same as settings of a hotword's training, whose front end and features it has.
  var training: TrainingSettings {
    var settings = TrainingSettings(phrase: "encoder")
    settings.noise = noise
    settings.seed = seed
    settings.threads = threads
    return settings
  }
}
