import Platform

/// The settings of ``EndOfSpeech``; times in seconds, levels in dB.
public struct EndOfSpeechSettings: Sendable, Equatable {
  /// The end-of-speech timeout: silence after the last speech that ends the utterance.
  public var silence: Double = 0.8
  /// Time from the beginning without speech that ends the utterance.
  public var noSpeech: Double = 4
  /// The longest utterance.
  public var longest: Double = 12
  /// Shorter speech is a click or a breath; it neither begins nor prolongs an utterance.
  public var shortestSpeech: Double = 0.06
  /// With less speech than this in total, a silence does not end the utterance but discards it: a cough, a chair.
  public var leastSpeech: Double = 0.3
  /// How far speech must exceed the noise floor.
  public var margin: Float = 5
  /// The share of the distance from noise floor to speech level (0…1, in dB) above which a voiced frame is speech.
  public var voicedShare: Float = 0.5
  /// The share above which a frame is speech even if the voice-activity flag is unsteady.
  public var loudShare: Float = 0.7

  public init() {}
}
