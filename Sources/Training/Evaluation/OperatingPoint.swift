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
