/// The scores of a model: the input of an ``EvaluationReport``.
public struct EvaluationScores: Sendable {
  /// One recording of the phrase under one condition.
  public struct Recording: Sendable, Equatable {
    public let name: String
    /// Its speaker, session or folder; nil if unknown.
    public let group: String?
    /// The highest score around the end of the phrase, 0…1.
    public let score: Double
    /// The highest score elsewhere in the recording, 0…1.
    public let elsewhere: Double

    public init(name: String, group: String? = nil, score: Double, elsewhere: Double = 0) {
      self.name = name
      self.group = group
      self.score = score
      self.elsewhere = elsewhere
    }
  }

  /// All recordings of the phrase, clean or in noise.
  public struct Condition: Sendable {
    /// The signal-to-noise ratio in dB; nil for clean recordings.
    public let snr: Double?
    public var recordings: [Recording]

    public init(snr: Double? = nil, recordings: [Recording]) {
      self.snr = snr
      self.recordings = recordings
    }

    /// `clean` or `10 dB`.
    public var name: String { Self.name(snr) }

    static func name(_ snr: Double?) -> String {
      guard let snr else { return "clean" }
      return "\(Decimals.text(snr, snr == snr.rounded() ? 0 : 1)) dB"
    }
  }

  /// Audio without the phrase, processed by a fresh detector.
  public struct Stream: Sendable {
    public let name: String
    /// The kind of audio, for example a language, music or a noise.
    public let source: String
    public let seconds: Double
    /// The heights of its score peaks, 0…1. Each peak is at least the refractory time away from a higher one.
    public let peaks: [Double]

    public init(name: String, source: String, seconds: Double, peaks: [Double]) {
      self.name = name
      self.source = source
      self.seconds = seconds
      self.peaks = peaks
    }
  }

  /// The same recordings under each condition, the clean ones first.
  public var conditions: [Condition]
  public var streams: [Stream]
  /// Whether the recordings of the phrase are synthesized.
  public var areSynthetic = false
  /// The evaluated folders that the model was trained on, as far as known.
  public var trainedOn: [String] = []
  /// Files that could not be read.
  public var unreadable: [String] = []
  /// Files given as negatives that are also recordings of the phrase; they were not counted as negatives.
  public var contradictory: [String] = []

  public init(conditions: [Condition], streams: [Stream]) {
    self.conditions = conditions
    self.streams = streams
  }
}
