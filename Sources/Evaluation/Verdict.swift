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

/// Whether a target is met, and what would help.
public struct Verdict: Sendable {
  public let target: EvaluationTarget
  public let model: String
  public let misses: OperatingPoint.Misses
  /// Whether the share missed is at most the target's.
  public let isMet: Bool
  /// Whether the confidence interval lies on the same side of the target.
  public let isCertain: Bool
  public let remedies: [Remedy]

  /// One sentence without its full stop.
  public var message: String {
    let place = "at \(Decimals.short(target.falseAlarmsPerHour)) false alarms an hour, \(misses.condition)"
    let goal = "at most \(Decimals.short(100 * target.missRate)) %"
    guard misses.recordings > 0 else {
      return "target of \(goal) missed \(place) not measured: no recordings"
    }
    let interval = misses.interval
    return
      "target \(isMet ? "met" : "NOT MET"): \(misses.missed) of \(misses.recordings) missed, "
      + "\(Decimals.percent(misses.rate)) % "
      + "(\(Decimals.percent(interval.low))–\(Decimals.percent(interval.high)) %), \(place); \(goal) was asked"
      + (isCertain ? "" : ", which so few recordings leave open")
  }
}

extension EvaluationReport {
  /// Whether the model meets `target`, and what would help where it does not, or not surely.
  ///
  /// - Returns: nil where the target's rate or condition was not measured.
  public func verdict(on target: EvaluationTarget = EvaluationTarget(), of origin: ModelOrigin) -> Verdict? {
    guard let point = point(for: target.falseAlarmsPerHour),
      let misses = point.misses.first(where: { $0.snr == target.snr })
    else { return nil }
    let isMet = misses.recordings > 0 && misses.rate <= target.missRate
    let isCertain =
      isMet ? misses.interval.high <= target.missRate : misses.interval.low > target.missRate
    var remedies = isMet ? [] : remedies(target, point, misses, origin)
    if !isCertain, misses.recordings > 0 {
      remedies += measuring(target, misses)
    }
    if point.isEstimated {
      remedies.append(.measureMoreHours(have: hours, need: 1 / target.falseAlarmsPerHour))
    }
    return Verdict(
      target: target, model: model, misses: misses, isMet: isMet, isCertain: isCertain, remedies: remedies)
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
