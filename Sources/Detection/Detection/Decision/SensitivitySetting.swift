import Platform

/// The effect of one sensitivity of a model.
public struct SensitivitySetting: Sendable, Equatable {
  public let sensitivity: Sensitivity
  /// Scores from this one on are detections, 0…1.
  public let threshold: Double
  /// The share of spoken phrases without a hit, 0…1; nil without measurements on recordings that did not train the model.
  public let missRate: Double?

  /// The target rate of the sensitivity.
  public var falseAlarmsPerHour: Double { sensitivity.falseAlarmsPerHour }

  public var json: JSON {
    [
      "sensitivity": .number(sensitivity.value), "threshold": .rounded(threshold, digits: 4),
      "falseAlarmsPerHour": .rounded(falseAlarmsPerHour),
      "missRate": missRate.map { .rounded($0, digits: 4) } ?? .null,
    ]
  }
}

extension HotwordModel {
  /// The effects of `steps` + 1 sensitivities from 0 to 1.
  public func settings(steps: Int) -> [SensitivitySetting] {
    (0...steps).compactMap { try? Sensitivity(Double($0) / Double(steps)) }.map { sensitivity in
      let threshold = curve.threshold(for: sensitivity, calibrated: decision.threshold)
      return SensitivitySetting(
        sensitivity: sensitivity, threshold: threshold,
        missRate: isPersonal ? nil : curve.missRate(at: threshold))
    }
  }
}
