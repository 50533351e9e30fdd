import Glibc

/// A model's misses and false alarms, as counts, so that every rate comes with its interval.
///
/// Made of plain scores, so that `evaluate` and the end of a training tell the same in the same words: see
/// ``text``, ``json``, ``write(to:)`` and ``verdict(on:of:)``.
public struct EvaluationReport: Sendable {
  /// The model's name.
  public let model: String
  /// The score at or above which the model fires as it is set, 0…1.
  public let threshold: Double
  public let scores: EvaluationScores
  /// Hours of audio without the phrase.
  public let hours: Double
  /// One point for each of ``rates`` that the hours can count or estimate, in their order; see ``reach``.
  public let points: [OperatingPoint]
  /// The model as it is set.
  public let calibrated: OperatingPoint
  /// Where sources and groups are compared: at ``sourceRate``, or as set where that is out of reach.
  public let comparison: OperatingPoint
  /// False alarms by kind of sound at the threshold of ``comparison``.
  public let sources: [AlarmSource]
  /// Single files that give more than their share of them.
  public let outstandingFiles: [AlarmSource]
  /// Misses by group of clean recordings at the same threshold.
  public let groups: [SpeakerGroup]

  /// All peaks, the highest first.
  let peaks: [Double]

  /// The false alarms per hour that are reported.
  public static let rates = [0.1, 0.5, 1, 2]
  /// The false alarms per hour at which sources and groups are compared.
  public static let sourceRate = 0.5
  /// The least alarms in all the hours, a share of one, that the tail of the highest peaks is trusted to estimate.
  public static let reach = 0.1
  /// Lower scores are no peaks, and no threshold goes below.
  public static let floor = 0.0001

  /// - Parameters:
  ///   - threshold: at which the model fires as it is set; the scores' scale, 0…1.
  ///   - scores: at least one condition; any number of recordings and streams.
  public init(model: String, threshold: Double, scores: EvaluationScores) {
    self.model = model
    self.threshold = threshold
    self.scores = scores
    let peaks = scores.streams.flatMap(\.peaks).filter { $0 >= Self.floor }.sorted(by: >)
    let hours = scores.streams.reduce(0) { $0 + $1.seconds } / 3600
    self.peaks = peaks
    self.hours = hours
    let tail = FalseAlarmCurve(peaks: peaks.map { Float(Self.logit($0)) }, hours: hours)
    func point(_ goal: Double?, _ threshold: Double, isEstimated: Bool = false) -> OperatingPoint {
      OperatingPoint(
        goal: goal, threshold: threshold, isEstimated: isEstimated,
        falseAlarms: peaks.prefix { $0 >= threshold }.count, hours: hours,
        misses: scores.conditions.map { condition in
          OperatingPoint.Misses(
            snr: condition.snr, missed: condition.recordings.count { $0.score < threshold },
            recordings: condition.recordings.count)
        })
    }
    points = Self.rates.filter { $0 * hours >= Self.reach }.map { rate in
      let allowed = Int(rate * hours + 1e-9)
      let counted = allowed < peaks.count ? peaks[allowed].nextUp : Self.floor
      guard allowed < 1 else { return point(rate, counted) }
      let estimated = tail.threshold(for: rate).map(Self.score) ?? Self.floor
      return point(rate, max(counted, estimated), isEstimated: true)
    }
    calibrated = point(nil, threshold)
    comparison = points.first { $0.goal == Self.sourceRate } ?? calibrated
    sources = AlarmSource.kinds(scores.streams, at: comparison.threshold)
    outstandingFiles = AlarmSource.outstanding(scores.streams, at: comparison.threshold)
    groups = SpeakerGroup.all(scores.conditions.first?.recordings ?? [], at: comparison.threshold)
  }

  /// The point for `rate`, one of ``rates``; nil for others and where the hours do not reach.
  public func point(for rate: Double) -> OperatingPoint? { points.first { $0.goal == rate } }

  /// ln of the odds, where the tails of scores are straight.
  static func logit(_ score: Double) -> Double {
    let inside = min(max(score, 1e-9), 1 - 1e-12)
    return log(inside / (1 - inside))
  }

  static func score(_ logit: Double) -> Double { 1 / (1 + exp(-logit)) }
}

/// What a model does at one threshold.
public struct OperatingPoint: Sendable {
  /// The phrase missed under one condition.
  public struct Misses: Sendable, Equatable {
    /// As `EvaluationScores.Condition`.
    public let snr: Double?
    public let missed: Int
    public let recordings: Int

    /// The share missed, 0…1; 0 of no recordings.
    public var rate: Double { recordings > 0 ? Double(missed) / Double(recordings) : 0 }
    /// Its 95 % confidence interval (Wilson).
    public var interval: Interval { .share(missed, of: recordings) }
    /// `clean` or `10 dB`.
    public var condition: String { EvaluationScores.Condition.name(snr) }
  }

  /// The false alarms per hour that the threshold was chosen for; nil for the model's own threshold.
  public let goal: Double?
  /// The score at or above which the model fires, 0…1.
  public let threshold: Double
  /// Whether the hours hold less than one alarm at the goal, so that the threshold is told by the highest peaks' tail.
  public let isEstimated: Bool
  public let falseAlarms: Int
  public let hours: Double
  /// One for each condition, in their order.
  public let misses: [Misses]

  /// False alarms counted per hour.
  public var falseAlarmsPerHour: Double { hours > 0 ? Double(falseAlarms) / hours : 0 }
  /// Its 95 % confidence interval (exact Poisson limits).
  public var interval: Interval { .rate(falseAlarms, in: hours) }
}
