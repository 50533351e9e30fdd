import PCM
import Platform

/// Everything that the monitor shows.
public struct MonitorState: Sendable, Equatable {
  /// A hotword that is listened for.
  public struct Keyword: Sendable, Equatable {
    public let name: String
    /// Scores at or above it wake.
    public var threshold: Double
    public var score = 0.0
    /// The highest score so far.
    public var best = 0.0
    public var history = History()

    public init(name: String, threshold: Double) {
      self.name = name
      self.threshold = threshold
    }
  }

  public struct Wake: Sendable, Equatable {
    /// When, as people read it.
    public let time: String
    public let keyword: String
    public let score: Double

    public init(time: String, keyword: String, score: Double) {
      self.time = time
      self.keyword = keyword
      self.score = score
    }
  }

  /// 10 ms of the stream.
  public struct Frame: Sendable {
    /// Root mean square and greatest sample, in dBFS.
    public var level: Double
    public var peak: Double
    public var noiseFloor: Double
    public var isVoiced: Bool
    /// One for each keyword; nil where its network made no step.
    public var scores: [Double?]

    public init(level: Double, peak: Double, noiseFloor: Double, isVoiced: Bool, scores: [Double?]) {
      self.level = level
      self.peak = peak
      self.noiseFloor = noiseFloor
      self.isVoiced = isVoiced
      self.scores = scores
    }
  }

  public enum Stage: Sendable, Equatable {
    case listening
    case lost
    case ended
  }

  public let input: String
  public var keywords: [Keyword]
  public var stage = Stage.listening
  /// Whether the picture is held.
  public var isPaused = false
  /// Seconds since the stream began.
  public private(set) var seconds = 0.0
  public private(set) var level = Self.lowest
  public private(set) var peak = Self.lowest
  public private(set) var noiseFloor = Self.lowest
  /// How much of the last moments was voice, 0…1.
  public private(set) var voice = 0.0
  public private(set) var voiceHistory = History()
  /// The newest first.
  public private(set) var wakes: [Wake] = []
  public private(set) var overruns = 0
  /// Seconds lost by overruns and while the device was gone.
  public private(set) var lostSeconds = 0.0
  /// The part of one core that the process takes.
  public var processor = 0.0
  /// What was added to every sensitivity.
  public var sensitivity = 0.0
  /// Something to tell once.
  public var note: String?

  /// dBFS at the left end of the meter.
  public static let lowest = -80.0
  private static let mostWakes = 50
  /// The parts of a new frame in the level and in the voice, and the decibels by which the peak falls per frame.
  private static let levelShare = 0.2
  private static let voiceShare = 0.1
  private static let peakFall = 0.2

  public init(input: String, keywords: [Keyword]) {
    self.input = input
    self.keywords = keywords
  }

  public mutating func hear(_ frame: Frame) {
    seconds += AudioFormat.seconds(AudioFormat.frameLength)
    level += Self.levelShare * (max(Self.lowest, frame.level) - level)
    peak = max(Self.lowest, frame.peak, peak - Self.peakFall)
    noiseFloor = max(Self.lowest, frame.noiseFloor)
    voice += Self.voiceShare * ((frame.isVoiced ? 1 : 0) - voice)
    voiceHistory.push(voice, at: seconds)
    for (index, score) in frame.scores.enumerated() where index < keywords.count {
      if let score {
        keywords[index].score = score
        keywords[index].best = max(keywords[index].best, score)
      }
      keywords[index].history.push(keywords[index].score, at: seconds)
    }
  }

  /// - Parameter samples: lost, at 16 kHz.
  public mutating func lose(_ samples: Int) {
    seconds += AudioFormat.seconds(samples)
    lostSeconds += AudioFormat.seconds(samples)
    for index in keywords.indices { keywords[index].score = 0 }
  }

  public mutating func overrun() { overruns += 1 }

  public mutating func wake(_ wake: Wake) {
    wakes.insert(wake, at: 0)
    if wakes.count > Self.mostWakes { wakes.removeLast() }
  }
}
