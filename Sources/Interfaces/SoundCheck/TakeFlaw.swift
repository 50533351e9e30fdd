import Platform

/// Why a recording of a phrase should be made again.
public enum TakeFlaw: Sendable, Equatable {
  /// Nobody spoke.
  case noSpeech
  /// Speech of this level in dBFS.
  case quiet(level: Double)
  /// Speech that stands out of the noise by so many decibels.
  case noisy(prominence: Double)
  /// This part of the speech is cut off at full scale.
  case clipped(part: Double)
  /// Speech when the recording began.
  case early
  /// Speech when it ended.
  case late
  /// Seconds of speech.
  case tooShort(Double)
  case tooLong(Double)
  /// Samples were lost meanwhile.
  case lost

  /// What is wrong, and the mend.
  public var message: String {
    switch self {
    case .noSpeech: "nobody was heard; speak after the prompt"
    case .quiet(let level):
      "too quiet, \(SoundFlaw.decibels(level)) dBFS; speak nearer, or raise the capture gain ('alsamixer', F4)"
    case .noisy(let prominence):
      "only \(SoundFlaw.decibels(prominence)) dB above the noise; speak nearer, or find a quieter place"
    case .clipped: "too loud, cut off at full scale; speak from farther off, or lower the capture gain"
    case .early: "the beginning is cut off; speak after the prompt"
    case .late: "the end is cut off; speak the phrase alone"
    case .tooShort(let seconds):
      "\(JSON.rounded(seconds, digits: 1)) s are too short for the phrase; say all of it"
    case .tooLong(let seconds):
      "\(JSON.rounded(seconds, digits: 1)) s are too long; say the phrase alone, without a pause in it"
    case .lost: "some of it was lost; once more"
    }
  }
}
