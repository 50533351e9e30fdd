import PCM
import Platform

/// Everything that the monitor shows.
public struct MonitorState: Sendable, Equatable {
  /// A hotword of the monitor.
  public struct Keyword: Sendable, Equatable {
    public let name: String
    /// Scores at or above it trigger.
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
    /// The time of the wake as it is shown.
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
    /// The root mean square and the greatest sample, in dBFS.
    public var level: Double
    public var peak: Double
    public var noiseFloor: Double
    public var isVoiced: Bool
    /// One for each keyword; nil if its network made no step.
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
  /// Whether the display is paused.
  public var isPaused = false
  /// Seconds since the stream began.
  public private(set) var seconds = 0.0
  public private(set) var level = Self.lowest
  public private(set) var peak = Self.lowest
  public private(set) var noiseFloor = Self.lowest
  /// The part of the last moments with speech, 0…1.
  public private(set) var voice = 0.0
  public private(set) var voiceHistory = History()
  /// The newest first, 50 at most.
  public private(set) var wakes: [Wake] = []
  public private(set) var overruns = 0
  /// Seconds lost by overruns and while the device was disconnected.
  public private(set) var lostSeconds = 0.0
  /// The part of one core that the process uses.
  public var processor = 0.0
  /// The change of every sensitivity by the keys.
  public var sensitivity = 0.0
  /// A message in place of the keys.
  public var note: String?

  /// dBFS at the left end of the meter.
  public static let lowest = -80.0
  private static let mostWakes = 50
  /// The weight of a new frame in the level and in the voice, and the decibels by which the peak falls per frame.
  private static let levelShare = 0.2
  private static let voiceShare = 0.1
  private static let peakFall = 0.2

  public init(input: String, keywords: [Keyword]) {
    self.input = input
    self.keywords = keywords
  }

  /// Takes the next frame.
  public mutating func push(_ frame: Frame) {
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

  /// Skips a gap in the audio.
  ///
  /// - Parameter samples: the lost samples, at 16 kHz.
  public mutating func skip(_ samples: Int) {
    seconds += AudioFormat.seconds(samples)
    lostSeconds += AudioFormat.seconds(samples)
    for index in keywords.indices { keywords[index].score = 0 }
  }

  public mutating func countOverrun() { overruns += 1 }

  /// Adds a wake, the newest first.
  public mutating func add(_ wake: Wake) {
    wakes.insert(wake, at: 0)
    if wakes.count > Self.mostWakes { wakes.removeLast() }
  }
}

/// The highest values of a stream in columns of equal duration, the newest last.
public struct History: Sendable, Equatable {
  /// Seconds of one column.
  public static let columnSeconds = 0.25
  /// The most columns kept.
  public static let capacity = 512

  public private(set) var columns: [Double] = []
  private var newest = -1

  public init() {}

  /// Adds a value, 0…1, at `seconds` from the start of the stream; times never decrease.
  public mutating func push(_ value: Double, at seconds: Double) {
    let column = Int(seconds / Self.columnSeconds)
    if column > newest {
      let empty = min(Self.capacity, column - newest - 1)
      columns += Array(repeating: 0, count: newest < 0 ? 0 : empty) + [value]
      columns.removeFirst(max(0, columns.count - Self.capacity))
      newest = column
    } else if !columns.isEmpty {
      columns[columns.count - 1] = max(columns[columns.count - 1], value)
    }
  }

  /// The last `count` columns; zeros for the time before the stream.
  public func last(_ count: Int) -> [Double] {
    let found = columns.suffix(max(0, count))
    return Array(repeating: 0, count: max(0, count - found.count)) + found
  }
}
