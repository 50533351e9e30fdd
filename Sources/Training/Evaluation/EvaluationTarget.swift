/// At most so many missed at so many false alarms.
public struct EvaluationTarget: Sendable, Equatable {
  /// The share missed, 0…1.
  public var missRate: Double
  /// One of ``EvaluationReport/rates``.
  public var falseAlarmsPerHour: Double
  /// The condition: nil for clean, else a signal-to-noise ratio in dB that was measured.
  public var snr: Double?

  public init(missRate: Double = 0.05, falseAlarmsPerHour: Double = 0.5, snr: Double? = nil) {
    self.missRate = missRate
    self.falseAlarmsPerHour = falseAlarmsPerHour
    self.snr = snr
  }
}
