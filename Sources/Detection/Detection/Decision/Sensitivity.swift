import CKernels

/// How easily a model triggers, 0...1; 0.5 is its calibrated operating point.
///
/// A sensitivity corresponds to a rate of false alarms: an increase by 0.1 multiplies it by 1.9.
public struct Sensitivity: Sendable, Equatable {
  public let value: Double

  /// The calibrated operating point.
  public static let standard = Sensitivity(unchecked: 0.5)

  /// - Throws: ``DetectionFault/badSensitivity(text:)`` outside 0...1.
  public init(_ value: Double) throws(DetectionFault) {
    guard (0...1).contains(value) else { throw .badSensitivity(text: "\(value)") }
    self.value = value
  }

  private init(unchecked value: Double) { self.value = value }

  /// The target rate: 0.02 per hour at 0, 0.5 at 0.5, 12.5 at 1.
  public var falseAlarmsPerHour: Double {
    0.5 * hotword_exp((2 * value - 1) * hotword_log(25))
  }
}
