import Detection
import TestServers
import Testing

@Suite(.limited) struct OperatingCurveTests {
  @Test func sensitivitiesCorrespondToRates() throws {
    #expect(Sensitivity.standard.falseAlarmsPerHour == 0.5)
    #expect(abs(try Sensitivity(0).falseAlarmsPerHour - 0.02) < 1e-9)
    #expect(abs(try Sensitivity(1).falseAlarmsPerHour - 12.5) < 1e-9)
    for value in [-0.01, 1.01, .nan, .infinity] {
      #expect(throws: DetectionFault.self) { try Sensitivity(value) }
    }
  }

  @Test func neverRisesWithSensitivityWhateverTheCurve() throws {
    for curve in try [measured(), noisy(), .unmeasured] {
      for calibrated in [0.01, 0.3, 0.5, 0.97] {
        let thresholds = try (0...100).map {
          curve.threshold(for: try Sensitivity(Double($0) / 100), calibrated: calibrated)
        }
        #expect(zip(thresholds, thresholds.dropFirst()).allSatisfy { $0 >= $1 })
        #expect(thresholds[50] == calibrated)
        #expect(thresholds[0] > thresholds[100])
        #expect(thresholds.allSatisfy { (0.0001...0.9999).contains($0) })
        #expect(zip(thresholds, thresholds.dropFirst()).allSatisfy { $0 - $1 < 0.04 }, "no jumps")
      }
    }
  }

  @Test func followsTheMeasuredRates() throws {
    let curve = try measured()
    // 0.5 × 25^(2s − 1) is 5 false alarms per hour, measured at 0.3, for s = 0.8577.
    #expect(abs(curve.threshold(for: try Sensitivity(0.857_67), calibrated: 0.5) - 0.3) < 1e-3)
    #expect(abs(curve.threshold(for: try Sensitivity(0.142_33), calibrated: 0.5) - 0.8) < 1e-3)
  }

  @Test func survivesJSONAndRejectsInvalidValues() throws {
    #expect(try OperatingCurve(json: measured().json) == measured())
    #expect(throws: DetectionFault.self) {
      try OperatingCurve(json: ["threshold": [0.5], "falseAlarmsPerHour": [], "missRate": [0]])
    }
    #expect(throws: DetectionFault.self) {
      try OperatingCurve(points: [.init(threshold: .nan, falseAlarmsPerHour: 0, missRate: 0)])
    }
    #expect(throws: DetectionFault.self) {
      try OperatingCurve(points: [.init(threshold: 0.5, falseAlarmsPerHour: -1, missRate: 0)])
    }
  }

  private func measured() throws -> OperatingCurve {
    try OperatingCurve(points: [
      .init(threshold: 0.8, falseAlarmsPerHour: 0.05, missRate: 0.1),
      .init(threshold: 0.3, falseAlarmsPerHour: 5, missRate: 0.01),
      .init(threshold: 0.5, falseAlarmsPerHour: 0.5, missRate: 0.03),
      .init(threshold: 0.99, falseAlarmsPerHour: 0, missRate: 0.5),
    ])
  }

  /// Rates that go up and down, repeat and reach zero.
  private func noisy() throws -> OperatingCurve {
    let rates = [90, 30, 30, 33, 8, 0, 2, 0.5, 0.5, 0.6, 0.1, 0.1, 0]
    return try OperatingCurve(
      points: rates.enumerated().map {
        .init(threshold: Double($0.offset) / 12, falseAlarmsPerHour: $0.element, missRate: 0.1)
      })
  }
}
