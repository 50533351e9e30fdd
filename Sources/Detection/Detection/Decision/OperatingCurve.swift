import CKernels
import Platform

/// A model's measured error rates at each threshold; maps a sensitivity to a threshold.
public struct OperatingCurve: Sendable, Equatable {
  /// A threshold and the error rates at it.
  public struct Point: Sendable, Equatable {
    /// A score, 0...1.
    public let threshold: Double
    /// Hits per hour on audio without the phrase.
    public let falseAlarmsPerHour: Double
    /// The share of spoken phrases without a hit, 0...1.
    public let missRate: Double

    public init(threshold: Double, falseAlarmsPerHour: Double, missRate: Double) {
      self.threshold = threshold
      self.falseAlarmsPerHour = falseAlarmsPerHour
      self.missRate = missRate
    }
  }

  /// In ascending order of the thresholds.
  public let points: [Point]

  /// The largest number of points in a model file.
  public static let pointLimit = 4_096

  /// - Throws: ``DetectionFault/badSetting(name:allowed:)`` for numbers outside the ranges of ``Point``.
  public init(points: [Point]) throws(DetectionFault) {
    guard points.count <= Self.pointLimit else {
      throw .badSetting(name: "curve", allowed: "up to \(Self.pointLimit) points")
    }
    for point in points {
      guard (0...1).contains(point.threshold), (0...1).contains(point.missRate),
        (0...1e6).contains(point.falseAlarmsPerHour)
      else {
        throw .badSetting(
          name: "curve", allowed: "thresholds and miss rates in 0...1, false alarms not below 0")
      }
    }
    self.points = points.sorted { $0.threshold < $1.threshold }
  }

  /// For a model without measurements: a sensitivity changes the threshold by a typical amount.
  public static let unmeasured = OperatingCurve()

  private init() { points = [] }

  /// The threshold for `sensitivity`, 0.0001...0.9999; never rises with it.
  ///
  /// At sensitivity 0.5 it is `calibrated`. Other thresholds follow the curve's false alarms per hour on a logarithmic
  /// scale; beyond the last measured rate the last slope continues.
  ///
  /// - Parameter calibrated: the model's ``DecisionSettings/threshold``.
  public func threshold(for sensitivity: Sensitivity, calibrated: Double) -> Double {
    guard sensitivity != .standard else { return calibrated }
    let goal = hotword_log(sensitivity.falseAlarmsPerHour)
    let middle = Knot(
      rate: hotword_log(Sensitivity.standard.falseAlarmsPerHour), level: Self.level(calibrated))
    let logit = goal < middle.rate ? above(middle, goal: goal) : below(middle, goal: goal)
    return min(max(hotword_sigmoid(logit), 0.0001), 0.9999)
  }

  /// The share of spoken phrases without a hit at `threshold`, between the nearest points; nil without measurements.
  public func missRate(at threshold: Double) -> Double? {
    guard let first = points.first, let last = points.last else { return nil }
    guard let above = points.firstIndex(where: { $0.threshold >= threshold }) else { return last.missRate }
    guard above > 0 else { return first.missRate }
    let (low, high) = (points[above - 1], points[above])
    guard high.threshold > low.threshold else { return high.missRate }
    let part = (threshold - low.threshold) / (high.threshold - low.threshold)
    return low.missRate + part * (high.missRate - low.missRate)
  }

  /// A point of the mapping: the natural logarithm of the false alarms per hour, and the logit of the threshold.
  private struct Knot {
    var rate: Double
    var level: Double
  }

  /// Logits per e-fold of false alarms without measurements: 1.6 from sensitivity 0.5 to 0 or 1.
  private static let typicalSlope = 0.5
  /// Limits the slope, so that a curve with few false alarms does not make the threshold jump.
  private static let steepestSlope = 2.0

  private static func level(_ threshold: Double) -> Double {
    let inside = min(max(threshold, 0.0001), 0.9999)
    return hotword_log(inside / (1 - inside))
  }

  private func above(_ start: Knot, goal: Double) -> Double {
    var last = start
    var slope = Self.typicalSlope
    for point in points {
      let level = Self.level(point.threshold)
      guard level > last.level, point.falseAlarmsPerHour > 0 else { continue }
      let rate = hotword_log(point.falseAlarmsPerHour)
      guard rate < last.rate else { continue }
      slope = min((level - last.level) / (last.rate - rate), Self.steepestSlope)
      if rate <= goal { return last.level + slope * (last.rate - goal) }
      last = Knot(rate: rate, level: last.level + slope * (last.rate - rate))
    }
    return last.level + min(slope, 1) * (last.rate - goal)
  }

  private func below(_ start: Knot, goal: Double) -> Double {
    var last = start
    var slope = Self.typicalSlope
    for point in points.reversed() {
      let level = Self.level(point.threshold)
      guard level < last.level, point.falseAlarmsPerHour > 0 else { continue }
      let rate = hotword_log(point.falseAlarmsPerHour)
      guard rate > last.rate else { continue }
      slope = min((last.level - level) / (rate - last.rate), Self.steepestSlope)
      if rate >= goal { return last.level - slope * (goal - last.rate) }
      last = Knot(rate: rate, level: last.level - slope * (rate - last.rate))
    }
    return last.level - min(slope, 1) * (goal - last.rate)
  }
}

extension OperatingCurve {
  /// Three lists of equal length: `threshold`, `falseAlarmsPerHour`, `missRate`.
  public var json: JSON {
    [
      "threshold": .array(points.map { .number($0.threshold) }),
      "falseAlarmsPerHour": .array(points.map { .number($0.falseAlarmsPerHour) }),
      "missRate": .array(points.map { .number($0.missRate) }),
    ]
  }

  /// Decodes ``json``.
  ///
  /// - Throws: ``DetectionFault/badSetting(name:allowed:)``.
  public init(json: JSON) throws(DetectionFault) {
    let settings = SettingsReader(json)
    let thresholds = try settings.numbers("threshold")
    let rates = try settings.numbers("falseAlarmsPerHour")
    let misses = try settings.numbers("missRate")
    guard thresholds.count == rates.count, rates.count == misses.count else {
      throw .badSetting(name: "curve", allowed: "three lists of equal length")
    }
    try self.init(
      points: thresholds.indices.map {
        Point(threshold: thresholds[$0], falseAlarmsPerHour: rates[$0], missRate: misses[$0])
      })
  }
}
