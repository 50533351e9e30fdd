/// What a model scored: the plain facts that an ``EvaluationReport`` is made of.
public struct EvaluationScores: Sendable {
  /// One recording of the phrase as it was heard under one condition.
  public struct Recording: Sendable, Equatable {
    public let name: String
    /// Its speaker, session or folder; nil where nothing tells.
    public let group: String?
    /// The highest score where the phrase ends, 0…1.
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

  /// All recordings of the phrase, as they are or in noise.
  public struct Condition: Sendable {
    /// The level of the speech above the noise in dB; nil for recordings as they are.
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

  /// A stretch of audio without the phrase, heard by a detector of its own.
  public struct Stream: Sendable {
    public let name: String
    /// What kind of sound it is: a language, music, a noise.
    public let source: String
    public let seconds: Double
    /// The heights of its score peaks, 0…1, each at least the refractory time from a higher one.
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
  /// Folders measured on that the model learned from, as far as is known.
  public var trainedOn: [String] = []
  /// Files that could not be read.
  public var unreadable: [String] = []
  /// Files given as without the phrase that are among its recordings, and were not heard as such.
  public var contradictory: [String] = []

  public init(conditions: [Condition], streams: [Stream]) {
    self.conditions = conditions
    self.streams = streams
  }
}
