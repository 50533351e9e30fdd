import Platform

/// How ``EndOfSpeech`` judges that a speaker has finished; times in seconds, levels in dB.
public struct EndOfSpeechSettings: Sendable, Equatable {
  /// Silence after the last speech that ends the utterance.
  public var silence: Double = 0.8
  /// Time without any speech from the beginning on that ends it.
  public var noSpeech: Double = 4
  /// The longest utterance.
  public var longest: Double = 12
  /// Speech shorter than this is a click or a breath and neither begins nor prolongs an utterance.
  public var shortestSpeech: Double = 0.06
  /// With less speech than this in all, a silence does not end the utterance but forgets it: a cough, a chair.
  public var leastSpeech: Double = 0.3
  /// How far over the noise floor speech must stand at least.
  public var margin: Float = 5
  /// The share of the way from noise floor to speech level (0…1, in dB) above which a voiced frame is speech.
  public var voicedShare: Float = 0.5
  /// The share above which a frame is speech even where the voice-activity detector wavers.
  public var loudShare: Float = 0.7

  public init() {}
}
