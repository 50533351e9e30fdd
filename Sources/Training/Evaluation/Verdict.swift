/// Whether a target is met, and what would help.
public struct Verdict: Sendable {
  /// What the measurement says of the target.
  public enum Outcome: String, Sendable {
    case met, notMet
    /// The hours do not reach its rate, or there is no recording under its condition.
    case notMeasured
  }

  public let target: EvaluationTarget
  /// The model's name.
  public let model: String
  public let outcome: Outcome
  /// Of no recordings where it was not measured.
  public let misses: OperatingPoint.Misses
  /// Whether enough recordings and hours say so: the confidence interval lies on one side of the target, and the
  /// false alarms were counted.
  public let isCertain: Bool
  /// What would help, the most telling first.
  public let remedies: [Remedy]

  /// One sentence without its full stop.
  public var message: String {
    let place = "at \(Decimals.short(target.falseAlarmsPerHour)) false alarms an hour, \(misses.condition)"
    let goal = "at most \(Decimals.short(100 * target.missRate)) %"
    if outcome == .notMeasured { return "target NOT MEASURED: \(goal) missed \(place)" }
    let interval = misses.interval
    return
      "target \(outcome == .met ? "met" : "NOT MET"): \(misses.missed) of \(misses.recordings) missed, "
      + "\(Decimals.percent(misses.rate)) % "
      + "(\(Decimals.percent(interval.low))–\(Decimals.percent(interval.high)) %), \(place); \(goal) was asked"
      + (isCertain ? "" : "; so little data leaves it open")
  }
}

extension EvaluationReport {
  /// Whether the model meets `target`, and what would help where it does not, or not surely.
  public func verdict(on target: EvaluationTarget = EvaluationTarget(), of origin: ModelOrigin) -> Verdict {
    let need = 1 / target.falseAlarmsPerHour
    guard let point = point(for: target.falseAlarmsPerHour),
      let misses = point.misses.first(where: { $0.snr == target.snr }), misses.recordings > 0
    else {
      let recordings = scores.conditions.first { $0.snr == target.snr }?.recordings.count ?? 0
      return Verdict(
        target: target, model: model, outcome: .notMeasured,
        misses: OperatingPoint.Misses(snr: target.snr, missed: 0, recordings: 0), isCertain: false,
        remedies: (recordings == 0 ? [.measureMoreRecordings(have: 0, need: 50)] : [])
          + (hours < need ? [.measureMoreHours(have: hours, need: need)] : []))
    }
    let isMet = misses.rate <= target.missRate
    let isClear = isMet ? misses.interval.high <= target.missRate : misses.interval.low > target.missRate
    return Verdict(
      target: target, model: model, outcome: isMet ? .met : .notMet, misses: misses,
      isCertain: isClear && !point.isEstimated,
      remedies: (isMet ? [] : remedies(target, point, misses, origin))
        + (isClear ? [] : measuring(target, misses))
        + (point.isEstimated ? [.measureMoreHours(have: hours, need: need)] : []))
  }

  private func remedies(
    _ target: EvaluationTarget, _ point: OperatingPoint, _ misses: OperatingPoint.Misses,
    _ origin: ModelOrigin
  ) -> [Remedy] {
    var list: [Remedy] = []
    for source in sources where source.isAboveShare { list.append(.learnSource(source.name)) }
    if target.snr != nil, let clean = point.misses.first, clean.rate <= target.missRate {
      list.append(.noise)
    }
    let total = groups.reduce(0) { $0 + $1.missed }
    let hard = groups.filter { $0.missed > 0 && $0.rate >= 0.5 }
    let held = hard.reduce(0) { $0 + $1.missed }
    if target.snr == nil, (1...3).contains(hard.count), groups.count >= 3 * hard.count, 2 * held >= total {
      list.append(.enrol(groups: hard.map(\.name), missed: held, of: total))
    }
    if origin.recordings == 0 {
      list.append(.recordThePhrase)
    } else {
      if let speakers = origin.speakers, speakers < 20 { list.append(.moreSpeakers(have: speakers)) }
      if let recordings = origin.recordings, recordings < 300 {
        list.append(.moreRecordings(have: recordings))
      }
    }
    if let hours = origin.negativeHours, hours < 10 { list.append(.moreSound(hours: hours)) }
    if let syllables = origin.syllables, syllables < 3 {
      list.append(.longerPhrase(origin.phrase, syllables: syllables))
    }
    return list
  }

  /// How many recordings would tell at this share: those whose interval no longer holds the target.
  private func measuring(_ target: EvaluationTarget, _ misses: OperatingPoint.Misses) -> [Remedy] {
    var need = misses.recordings
    while need < 10_000 {
      need += max(10, need / 10)
      let interval = Interval.share(Int((misses.rate * Double(need)).rounded()), of: need)
      if interval.high <= target.missRate || interval.low > target.missRate {
        return [.measureMoreRecordings(have: misses.recordings, need: need / 10 * 10)]
      }
    }
    return []
  }
}

extension Verdict {
  /// As text: whether the target is met, then what would help, one line each, at most 80 columns wide.
  public var text: String {
    var lines = TextTable.wrap("\(model): \(message).", indent: 0, hanging: 2)
    if !remedies.isEmpty { lines.append("What would help:") }
    for remedy in remedies { lines += TextTable.wrap("- \(remedy.message)", indent: 2, hanging: 4) }
    return lines.joined(separator: "\n") + "\n"
  }
}
