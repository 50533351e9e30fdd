import Glibc

/// A model's misses and false alarms as counts, from which rates and confidence intervals follow.
///
/// The input is plain scores, so `evaluate` and a training run report in the same format: see ``text``,
/// ``json``, ``write(to:verdict:)`` and ``verdict(on:of:)``.
public struct EvaluationReport: Sendable {
  /// The model's name.
  public let model: String
  /// The score at or above which the model triggers as configured, 0…1.
  public let threshold: Double
  public let scores: EvaluationScores
  /// Hours of audio without the phrase.
  public let hours: Double
  /// One operating point for each of ``rates`` that the audio is long enough to count or estimate, in their
  /// order; see ``reach``.
  public let points: [OperatingPoint]
  /// The operating point at ``threshold``.
  public let calibrated: OperatingPoint
  /// The operating point at which sources and groups are compared: ``sourceRate``, or ``calibrated`` if the
  /// audio is too short for that.
  public let comparison: OperatingPoint
  /// False alarms by kind of sound at the threshold of ``comparison``.
  public let sources: [AlarmSource]
  /// Single files that cause more than their share of false alarms.
  public let outstandingFiles: [AlarmSource]
  /// Misses by group of clean recordings at the same threshold.
  public let groups: [SpeakerGroup]

  /// All score peaks without the phrase, highest first.
  let peaks: [Double]

  /// The reported false alarms per hour.
  public static let rates = [0.1, 0.5, 1, 2]
  /// The false alarms per hour at which sources and groups are compared.
  public static let sourceRate = 0.5
  /// The smallest expected number of false alarms in all the audio for which a threshold is estimated.
  public static let reach = 0.1
  /// Lower scores are not peaks, and no threshold is lower.
  public static let floor = 0.0001

  /// - Parameters:
  ///   - threshold: the score at which the model triggers as configured, 0…1.
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
      Self.operatingPoint(goal, threshold, isEstimated: isEstimated, peaks, hours, scores.conditions)
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
    sources = AlarmSource.kinds(scores.streams, at: comparison.threshold, asSet: threshold)
    outstandingFiles = AlarmSource.outstanding(scores.streams, at: comparison.threshold, asSet: threshold)
    groups = SpeakerGroup.all(scores.conditions.first?.recordings ?? [], at: comparison.threshold)
  }

  /// Returns the operating point at a threshold, counted.
  func operatingPoint(_ goal: Double?, _ threshold: Double) -> OperatingPoint {
    Self.operatingPoint(goal, threshold, isEstimated: false, peaks, hours, scores.conditions)
  }

  private static func operatingPoint(
    _ goal: Double?, _ threshold: Double, isEstimated: Bool, _ peaks: [Double], _ hours: Double,
    _ conditions: [EvaluationScores.Condition]
  ) -> OperatingPoint {
    OperatingPoint(
      goal: goal, threshold: threshold, isEstimated: isEstimated,
      falseAlarms: peaks.prefix { $0 >= threshold }.count, hours: hours,
      misses: conditions.map { condition in
        OperatingPoint.Misses(
          snr: condition.snr, missed: condition.recordings.count { $0.score < threshold },
          recordings: condition.recordings.count)
      })
  }

  /// Returns the operating point for `rate`, one of ``rates``; nil for other rates and if the audio is too
  /// short.
  public func point(for rate: Double) -> OperatingPoint? { points.first { $0.goal == rate } }

  /// Returns the logit of a score; the tail of the scores' distribution is straight on that scale.
  static func logit(_ score: Double) -> Double {
    let inside = min(max(score, 1e-9), 1 - 1e-12)
    return log(inside / (1 - inside))
  }

  static func score(_ logit: Double) -> Double { 1 / (1 + exp(-logit)) }
}

/// A model's misses and false alarms at one threshold.
public struct OperatingPoint: Sendable {
  /// The misses under one condition.
  public struct Misses: Sendable, Equatable {
    /// The signal-to-noise ratio in dB; nil for clean recordings.
    public let snr: Double?
    public let missed: Int
    public let recordings: Int

    /// The miss rate, 0…1; 0 without recordings.
    public var rate: Double { recordings > 0 ? Double(missed) / Double(recordings) : 0 }
    /// Its 95 % confidence interval (Wilson).
    public var interval: Interval { .share(missed, of: recordings) }
    /// `clean` or `10 dB`.
    public var condition: String { EvaluationScores.Condition.name(snr) }
  }

  /// The false alarms per hour for which the threshold was chosen; nil for the model's own threshold.
  public let goal: Double?
  /// The score at or above which the model triggers, 0…1.
  public let threshold: Double
  /// Whether the audio is too short to count ``goal``, so that the threshold is extrapolated from the highest
  /// peaks.
  public let isEstimated: Bool
  public let falseAlarms: Int
  public let hours: Double
  /// The misses under each condition, in their order.
  public let misses: [Misses]

  /// The counted false alarms per hour.
  public var falseAlarmsPerHour: Double { hours > 0 ? Double(falseAlarms) / hours : 0 }
  /// Its 95 % confidence interval (exact Poisson limits).
  public var interval: Interval { .rate(falseAlarms, in: hours) }
}
