import Platform

extension EvaluationReport {
  /// The report without the single scores, as one object. Its member names are stable.
  ///
  /// `curve` has one object for each of ``rates``; if the audio is too short for a rate, its `threshold` is
  /// null.
  public var json: JSON {
    [
      "model": .string(model),
      "conditions": .array(
        scores.conditions.map {
          ["name": .string($0.name), "snr": Self.number($0.snr), "recordings": .count($0.recordings.count)]
        }),
      "synthetic": .bool(scores.areSynthetic),
      "hours": .rounded(hours, digits: 4),
      "files": .count(scores.streams.count),
      "curve": .array(Self.rates.map { point(for: $0)?.json ?? ["atMost": .number($0), "threshold": nil] }),
      "calibrated": calibrated.json,
      "sources": .array(sources.map(\.json)),
      "outstandingFiles": .array(outstandingFiles.map(\.json)),
      "groups": .array(
        groups.map {
          [
            "name": .string($0.name), "recordings": .count($0.recordings), "missed": .count($0.missed),
            "missRate": .rounded($0.rate, digits: 4), "interval": $0.interval.json,
          ]
        }),
      "learnedFrom": .array(scores.trainedOn.map { .string($0) }),
      "unreadable": .array(scores.unreadable.map { .string($0) }),
      "contradictory": .array(scores.contradictory.map { .string($0) }),
      "caveats": .array(caveats.map { .string($0.message) }),
    ]
  }

  fileprivate static func number(_ value: Double?) -> JSON { value.map { .number($0) } ?? .null }
}

extension OperatingPoint {
  /// The operating point as an object; `atMost` is null for the model as configured.
  public var json: JSON {
    [
      "atMost": EvaluationReport.number(goal), "threshold": .rounded(threshold, digits: 6),
      "estimated": .bool(isEstimated), "falseAlarms": .count(falseAlarms),
      "falseAlarmsPerHour": .rounded(falseAlarmsPerHour, digits: 4), "interval": interval.json,
      "conditions": .array(
        misses.map {
          [
            "name": .string($0.condition), "snr": EvaluationReport.number($0.snr),
            "recordings": .count($0.recordings), "missed": .count($0.missed),
            "missRate": .rounded($0.rate, digits: 4), "interval": $0.interval.json,
          ]
        }),
    ]
  }
}

extension AlarmSource {
  /// The source as an object.
  public var json: JSON {
    [
      "name": .string(name), "files": .count(files), "hours": .rounded(hours, digits: 4),
      "falseAlarms": .count(falseAlarms), "falseAlarmsPerHour": .rounded(perHour, digits: 4),
      "falseAlarmsAsSet": .count(falseAlarmsAsSet), "interval": interval.json,
      "probability": .rounded(probability, digits: 6),
      "aboveShare": .bool(isAboveShare),
    ]
  }
}

extension Verdict {
  /// The verdict as an object; its outcome is `met`, `notMet` or `notMeasured`.
  public var json: JSON {
    [
      "condition": .string(misses.condition), "falseAlarmsPerHour": .number(target.falseAlarmsPerHour),
      "atMost": .number(target.missRate), "outcome": .string(outcome.rawValue),
      "falseAlarms": .count(falseAlarms),
      "missRate": outcome == .notMeasured ? .null : .rounded(misses.rate, digits: 4),
      "interval": misses.interval.json, "certain": .bool(isCertain),
      "remedies": .array(remedies.map { .string($0.message) }),
    ]
  }
}

extension Interval {
  /// `[low, high]`; an unbounded end is null.
  public var json: JSON { [.rounded(low, digits: 4), .rounded(high, digits: 4)] }
}

extension JSON {
  fileprivate static func count(_ value: Int) -> JSON { .number(Double(value)) }
}
