import Detection
import FrontEnd

/// What to train, on what, and how long.
public struct TrainingSettings: Sendable {
  /// The words to listen for.
  public var phrase: String
  /// The phrase's language, by espeak-ng's code.
  public var language = "en"
  /// How the phrase is said, in ARPAbet or in espeak-ng's names of sounds; as it is written where empty.
  public var pronunciations: [String] = []
  /// Folders with recordings of the phrase.
  public var positives: [String] = []
  /// Folders with recordings of anything else.
  public var negatives: [String] = []
  /// Folders with background sounds.
  public var noise: [String] = []
  /// Whether synthetic voices speak along.
  public var synthesis = true
  public var seed: UInt64 = 1
  /// Networks whose logits are averaged, 1…8.
  public var networks = 5
  /// Optimizer steps of each, 10…100,000.
  public var steps = 1500
  /// The share of the recordings of the phrase that is kept to measure the model, 0…0.5.
  public var heldOutPositives = 0.2
  /// The share of the other recordings kept to set its threshold, 0.05…0.5.
  public var heldOutNegatives = 0.25
  /// Synthetic speakers saying the phrase, and saying other things.
  public var syntheticPositives = 700
  public var syntheticNegatives = 1500
  /// Renderings of the phrase, each in another situation, shared among all recordings and synthetic speakers.
  public var keywordRenderings = 2600
  /// Stretches of background sound alone.
  public var noiseRenderings = 120
  /// Hours of other recordings that are rendered at most, and hours that the threshold is set on.
  public var negativeHours = 7.0
  public var calibrationHours = 3.0
  public var batchSize = 64
  /// The shape of each network, over the encoder's outputs.
  public var shape: NetworkShape
  public var frontEnd = FrontEndSettings.standard
  public var features = FeatureSettings.standard
  public var threads = 2

  public init(phrase: String) {
    self.phrase = phrase
    shape = try! NetworkShape(
      inputs: Phoneme.allCases.count, stemKernel: 3, stride: 1, channels: 48, dilations: [1, 2, 4, 8])
  }
}

/// How far a training is.
public struct TrainingProgress: Sendable {
  /// What is going on, a few words.
  public var activity: String
  /// The part done of this activity, 0…1.
  public var part: Double
  /// Seconds that are left of the whole training; nil until the pace is known.
  public var secondsLeft: Double?
}
