import Detection
import FrontEnd

/// The phrase, the data and the duration of a training.
public struct TrainingSettings: Sendable {
  /// The words to detect.
  public var phrase: String
  /// The phrase's language, an espeak-ng code.
  public var language = "en"
  /// The pronunciations of the phrase, in ARPAbet or espeak-ng's phoneme names; if empty, as it is spelled.
  public var pronunciations: [String] = []
  /// Folders with recordings of the phrase.
  public var positives: [String] = []
  /// Folders with recordings of anything else.
  public var negatives: [String] = []
  /// Folders with background noise.
  public var noise: [String] = []
  /// Whether to add synthetic speech.
  public var synthesis = true
  /// The command line of a program that speaks a part of the synthetic speech; see `SynthesizerCommand`.
  public var synthesizer: String?
  public var seed: UInt64 = 1
  /// The number of networks whose mean logit the model's network learns, 1…8.
  public var networks = 5
  /// The optimizer steps of each network, 10…100,000.
  public var steps = 1500
  /// The share of the recordings of the phrase that is held out to evaluate the model, 0…0.5.
  public var heldOutPositives = 0.2
  /// The share of the other recordings that is held out to set the threshold, 0.05…0.5.
  public var heldOutNegatives = 0.25
  /// The numbers of synthetic utterances of the phrase and of other text.
  public var syntheticPositives = 700
  public var syntheticNegatives = 1500
  /// The numbers of phrases and of similar ones that are joined from other speech.
  public var joinedPositives = 2500
  public var joinedNegatives = 2000
  /// The number of each of both that are joined from bands, for the second stage.
  public var joinedBands = 1500
  /// The share of joined phrases among those that are not recorded, in three of five networks. Networks with and without
  /// them have different false alarms, which their mean lowers.
  public var joinedShare: Float = 0.7
  /// The number of augmented renderings of the phrase, shared among all recordings and synthetic utterances.
  public var keywordRenderings = 2600
  /// The number of renderings of background noise alone.
  public var noiseRenderings = 120
  /// The maximum hours of other recordings that are rendered, and hours on which the threshold is set.
  public var negativeHours = 7.0
  public var calibrationHours = 7.0
  public var batchSize = 64
  /// The shape of each network. Its inputs are the encoder's outputs.
  public var shape: NetworkShape
  /// The shape of the model's network, which learns from the others.
  public var distilledShape: NetworkShape
  public var frontEnd = FrontEndSettings.standard
  public var features = FeatureSettings.standard
  /// The embedding of rendered audio; nil if no second stage is trained.
  package var embedding: PackedEmbedding?
  public var threads = 2

  public init(phrase: String) {
    self.phrase = phrase
    shape = try! NetworkShape(
      inputs: Phoneme.allCases.count, stemKernel: 3, stride: 1, channels: 48, dilations: [1, 2, 4, 8])
    distilledShape = try! NetworkShape(
      inputs: Phoneme.allCases.count, stemKernel: 3, stride: 1, channels: 64, dilations: [1, 2, 4, 8])
  }
}

extension TrainingSettings {
  func joinedShare(ofNetwork member: Int) -> Float { member % 5 < 2 ? 0 : joinedShare }
}

/// The progress of a training.
public struct TrainingProgress: Sendable {
  /// The current activity, in a few words.
  public var activity: String
  /// The completed share of this activity, 0…1.
  public var part: Double
  /// The remaining seconds of the whole training; nil if not yet known.
  public var secondsLeft: Double?
  /// The loss of the last batch while a network is fitted; nil otherwise.
  public var loss: Double?

  /// The least share of a fit from which the length of all fits is extrapolated.
  private static let leastPart = 0.02
  /// Seconds from the last fit to the end of the training.
  private static let secondsAfterFits = 30.0

  /// The progress of the whole training when this is the progress of the fit `index` of `fits`, for `purpose`.
  func ofFit(_ index: Int, of fits: Int, for purpose: String) -> TrainingProgress {
    var whole = self
    whole.activity += ": \(purpose)"
    whole.secondsLeft = secondsLeft.map { seconds in
      seconds + Double(fits - 1 - index) * seconds / max(Self.leastPart, 1 - part) + Self.secondsAfterFits
    }
    whole.part = (Double(index) + part) / Double(fits)
    return whole
  }
}
