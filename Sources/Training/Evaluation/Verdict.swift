import Detection

/// The result of comparing a model as it runs with a target, and suggestions.
public struct Verdict: Sendable {
  /// Whether the target is met.
  public enum Outcome: String, Sendable {
    case met, notMet
    /// The audio is too short for the target's rate, or there is no recording under its condition.
    case notMeasured
  }

  public let target: EvaluationTarget
  /// The model's name.
  public let model: String
  public let outcome: Outcome
  /// The misses at the model's threshold; empty if not measured.
  public let misses: OperatingPoint.Misses
  /// The false alarms at the model's threshold, and the hours in which they were counted.
  public let falseAlarms: Int
  public let hours: Double
  /// Whether the data is sufficient: the confidence interval is on one side of the target, and the false
  /// alarms were counted rather than estimated.
  public let isCertain: Bool
  /// Suggestions, the most useful first.
  public let remedies: [Remedy]

  /// One sentence, without a full stop.
  public var message: String {
    let goal =
      "at most \(Decimals.short(100 * target.missRate)) % missed, \(misses.condition), and "
      + "\(Decimals.short(target.falseAlarmsPerHour)) false alarms per hour"
    if outcome == .notMeasured { return "target NOT MEASURED: \(goal)" }
    let interval = misses.interval
    return
      "target \(outcome == .met ? "met" : "NOT MET") as set: \(misses.missed) of \(misses.recordings) missed, "
      + "\(Decimals.percent(misses.rate)) % "
      + "(\(Decimals.percent(interval.low))–\(Decimals.percent(interval.high)) %), and "
      + "\(Decimals.count(falseAlarms, "false alarm", "false alarms")) in \(Decimals.text(hours, 1)) h, "
      + "\(Decimals.text(falseAlarms == 0 ? 0 : Double(falseAlarms) / hours, 2)) per hour; the target is \(goal)"
      + (isCertain ? "" : "; more data is needed to be certain")
  }
}

extension EvaluationReport {
  /// Returns whether the model meets `target` at ``threshold``, with suggestions if it does not or if that is uncertain.
  ///
  /// - Parameter threshold: the model's threshold at a sensitivity, for advice; nil without a choice of sensitivities.
  public func verdict(
    on target: EvaluationTarget = EvaluationTarget(), of origin: ModelOrigin,
    threshold atSensitivity: ((Double) -> Double)? = nil
  ) -> Verdict {
    let need = 1 / target.falseAlarmsPerHour
    guard let point = point(for: target.falseAlarmsPerHour),
      let misses = calibrated.misses.first(where: { $0.snr == target.snr }), misses.recordings > 0
    else {
      let recordings = scores.conditions.first { $0.snr == target.snr }?.recordings.count ?? 0
      return Verdict(
        target: target, model: model, outcome: .notMeasured,
        misses: OperatingPoint.Misses(snr: target.snr, missed: 0, recordings: 0), falseAlarms: 0,
        hours: hours,
        isCertain: false,
        remedies: (recordings == 0 ? [.measureMoreRecordings(have: 0, need: 50)] : [])
          + (hours < need ? [.measureMoreHours(have: hours, need: need)] : []))
    }
    let isQuiet = calibrated.falseAlarmsPerHour <= target.falseAlarmsPerHour
    let isMet = misses.rate <= target.missRate && isQuiet
    let isClear =
      misses.rate <= target.missRate
      ? misses.interval.high <= target.missRate : misses.interval.low > target.missRate
    var advice: [Remedy] = []
    if !isMet {
      if let atSensitivity, let value = sensitivity(for: target, threshold: atSensitivity) {
        advice.append(.sensitivity(value))
      }
      advice += remedies(target, point, misses, origin)
    }
    if !isClear { advice += measuring(target, misses) }
    if point.isEstimated { advice.append(.measureMoreHours(have: hours, need: need)) }
    return Verdict(
      target: target, model: model, outcome: isMet ? .met : .notMet, misses: misses,
      falseAlarms: calibrated.falseAlarms, hours: hours, isCertain: isClear && !point.isEstimated,
      remedies: advice)
  }

  /// The sensitivity nearest to the standard one at which the target is met, in steps of 0.05; nil if there is none.
  private func sensitivity(for target: EvaluationTarget, threshold: (Double) -> Double) -> Double? {
    let steps = (0...10).flatMap { [10 - $0, 10 + $0] }
    return steps.map { Double($0) / 20 }.first { value in
      let point = operatingPoint(nil, threshold(value))
      guard let misses = point.misses.first(where: { $0.snr == target.snr }) else { return false }
      return misses.rate <= target.missRate && point.falseAlarmsPerHour <= target.falseAlarmsPerHour
    }
  }

  private func remedies(
    _ target: EvaluationTarget, _ point: OperatingPoint, _ misses: OperatingPoint.Misses,
    _ origin: ModelOrigin
  ) -> [Remedy] {
    var list: [Remedy] = []
    for source in sources where source.isAboveShare { list.append(.addSource(source.name)) }
    if target.snr != nil, let clean = point.misses.first, clean.rate <= target.missRate {
      list.append(.noise)
    }
    let total = groups.reduce(0) { $0 + $1.missed }
    let hard = groups.filter { $0.missed > 0 && $0.rate >= 0.5 }
    let held = hard.reduce(0) { $0 + $1.missed }
    if target.snr == nil, (1...3).contains(hard.count), groups.count >= 3 * hard.count, 2 * held >= total {
      list.append(.enroll(groups: hard.map(\.name), missed: held, of: total))
    }
    if origin.recordings == 0 {
      list.append(.recordThePhrase)
    } else {
      if let speakers = origin.speakers, speakers < 20 { list.append(.moreSpeakers(have: speakers)) }
      if let recordings = origin.recordings, recordings < 300 {
        list.append(.moreRecordings(have: recordings))
      }
    }
    if let hours = origin.negativeHours, hours < 10 { list.append(.moreNegatives(hours: hours)) }
    if let syllables = origin.syllables, syllables < 3 {
      list.append(.longerPhrase(origin.phrase, syllables: syllables))
    }
    return list
  }

  /// Suggests a number of recordings at which the interval of this miss rate no longer contains the target.
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
  /// The verdict and the suggestions as text, up to 80 columns wide.
  public var text: String {
    var lines = TextTable.wrap("\(model): \(message).", indent: 0, hanging: 2)
    if !remedies.isEmpty { lines.append("Suggestions:") }
    for remedy in remedies { lines += TextTable.wrap("- \(remedy.message)", indent: 2, hanging: 4) }
    return lines.joined(separator: "\n") + "\n"
  }
}

/// A suggestion to improve a model or its evaluation.
public enum Remedy: Sendable, Equatable {
  /// The target is met at this sensitivity.
  case sensitivity(Double)
  /// The model was trained on synthetic voices only.
  case recordThePhrase
  case moreRecordings(have: Int)
  case moreSpeakers(have: Int)
  /// A few groups have most of the misses.
  case enroll(groups: [String], missed: Int, of: Int)
  case longerPhrase(String, syllables: Int)
  case moreNegatives(hours: Double)
  /// A source causes more than its share of the false alarms and so raises the threshold.
  case addSource(String)
  /// There are too few recordings for a certain result.
  case measureMoreRecordings(have: Int, need: Int)
  case measureMoreHours(have: Double, need: Double)
  /// The target is missed in noise only.
  case noise

  /// One sentence, without a full stop.
  public var message: String {
    switch self {
    case .sensitivity(let value):
      "run it with --sensitivity \(Decimals.short(value)), at which it meets the target on this audio"
    case .recordThePhrase:
      "record real people saying the phrase (train --positives): it was trained on synthetic voices only"
    case .moreRecordings(let have):
      "add recordings of the phrase: it was trained on \(have); use 300 or more"
    case .moreSpeakers(let have):
      "add speakers: it was trained on \(Decimals.count(have, "session", "sessions")); use 20 or more"
    case .enroll(let groups, let missed, let total):
      "enroll the voices of \(groups.joined(separator: ", ")) (\(missed) of \(total) misses), or train on more "
        + "recordings of such voices"
    case .longerPhrase(let phrase, let syllables):
      "choose a longer phrase: \"\(phrase)\" has about \(Decimals.count(syllables, "syllable", "syllables")); use "
        + "four or more"
    case .moreNegatives(let hours):
      "add audio without the phrase (train --negatives), best from where it is used: "
        + (hours > 0
          ? "it was trained on \(Decimals.text(hours, 1)) h" : "it was trained on hotword's background only")
        + "; use 10 h or more of speech, music and noise"
    case .addSource(let name):
      "add audio like \(name) to --negatives of the training: it causes more than its share of false alarms"
    case .measureMoreRecordings(let have, let need):
      have == 0
        ? "measure with recordings of the phrase (--positives), \(need) or more: there are none"
        : "to be certain, measure with \(need) recordings of the phrase or more instead of \(have)"
    case .measureMoreHours(let have, let need):
      "measure on \(Decimals.short(need)) h or more: \(Decimals.text(have, 2)) h are too short to count such a rate"
    case .noise:
      "train with noise from the place of use (train --noise), move the microphone closer, or turn on noise suppression"
    }
  }
}

/// The highest accepted miss rate at a rate of false alarms.
public struct EvaluationTarget: Sendable, Equatable {
  /// The miss rate, 0…1.
  public var missRate: Double
  /// One of ``EvaluationReport/rates``.
  public var falseAlarmsPerHour: Double
  /// The condition: nil for clean recordings, else a signal-to-noise ratio in dB that was measured.
  public var snr: Double?

  public init(missRate: Double = 0.05, falseAlarmsPerHour: Double = 0.5, snr: Double? = nil) {
    self.missRate = missRate
    self.falseAlarmsPerHour = falseAlarmsPerHour
    self.snr = snr
  }
}

/// How a model was made, as far as known. Unknown facts lead to no suggestion.
public struct ModelOrigin: Sendable, Equatable {
  public var phrase: String
  /// The number of real recordings of the phrase that it was trained on.
  public var recordings: Int?
  /// The number of speakers or sessions of those recordings.
  public var speakers: Int?
  /// Hours of real audio without the phrase.
  public var negativeHours: Double?

  public init(
    phrase: String, recordings: Int? = nil, speakers: Int? = nil, negativeHours: Double? = nil
  ) {
    self.phrase = phrase
    self.recordings = recordings
    self.speakers = speakers
    self.negativeHours = negativeHours
  }

  /// What the file of `model` tells; its recordings are the most that it or a version before was trained on.
  public init(_ model: HotwordModel) {
    func most(_ name: String) -> Int? {
      model.versions.compactMap { $0[name]?.number.flatMap { Int(exactly: $0) } }.max()
    }
    self.init(
      phrase: model.phrase, recordings: most("recordings"), speakers: most("sessions"),
      negativeHours: model.training["negativeHours"]?.number)
  }

  /// The number of vowel groups in a phrase of Latin letters, an estimate of its syllables; nil for other
  /// scripts.
  var syllables: Int? {
    let letters = phrase.lowercased().unicodeScalars.filter(\.properties.isAlphabetic)
    guard !letters.isEmpty, letters.allSatisfy({ $0.value < 0x250 }) else { return nil }
    return phrase.lowercased().split(separator: " ").reduce(0) { sum, word in
      var count = 0
      var inVowel = false
      for scalar in String(word).unicodeScalars {
        let isVowel = "aeiouyàáâãäåæèéêëìíîïòóôõöøœùúûüý".unicodeScalars.contains(scalar)
        if isVowel, !inVowel { count += 1 }
        inVowel = isVowel
      }
      // A final silent e, as in "home".
      if count > 1, word.hasSuffix("e"), !word.hasSuffix("le") { count -= 1 }
      return sum + max(count, 1)
    }
  }
}
