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

/// Something that would bring a model nearer to its target.
public enum Remedy: Sendable, Equatable {
  /// The model learned from synthetic voices alone.
  case recordThePhrase
  case moreRecordings(have: Int)
  case moreSpeakers(have: Int)
  /// Few groups hold most of the misses.
  case enrol(groups: [String], missed: Int, of: Int)
  case longerPhrase(String, syllables: Int)
  case moreSound(hours: Double)
  /// A source gives more than its share of the false alarms, and raises the threshold for everyone.
  case learnSource(String)
  /// Too few recordings to tell.
  case measureMoreRecordings(have: Int, need: Int)
  case measureMoreHours(have: Double, need: Double)
  /// Misses come with noise.
  case noise

  /// One sentence without its full stop.
  public var message: String {
    switch self {
    case .recordThePhrase:
      "recordings of real people saying the phrase (train --positives): it knows synthetic voices only"
    case .moreRecordings(let have):
      "more recordings of the phrase: it learned from \(have); some hundreds are better"
    case .moreSpeakers(let have):
      "more speakers: it learned from \(Decimals.count(have, "session", "sessions")); twenty or more are better"
    case .enrol(let groups, let missed, let total):
      "the voices of \(groups.joined(separator: ", ")), \(missed) of \(total) misses: enrol them, or train on more "
        + "recordings of such voices"
    case .longerPhrase(let phrase, let syllables):
      "a longer phrase: \"\(phrase)\" has about \(Decimals.count(syllables, "syllable", "syllables")); four or more "
        + "are told apart better"
    case .moreSound(let hours):
      "more sound without the phrase (train --negatives): it learned from \(Decimals.text(hours, 1)) h; ten hours of "
        + "speech, music and noise are better"
    case .learnSource(let name):
      "sound like \(name) among the --negatives of the training: it gives more than its share of the false alarms"
    case .measureMoreRecordings(let have, let need):
      "\(need) recordings or more to measure on: \(have == 0 ? "there is none" : "\(have) leave the miss rate open")"
    case .measureMoreHours(let have, let need):
      "\(Decimals.short(need)) h or more to measure on: \(Decimals.text(have, 2)) h cannot count such a rate"
    case .noise:
      "noise of the place where it listens (train --noise), a nearer microphone, or the front end's noise suppression"
    }
  }
}

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

/// What is known of how a model was made; what is not known is not advised on.
public struct ModelOrigin: Sendable, Equatable {
  public var phrase: String
  /// Real recordings of the phrase that it learned from.
  public var recordings: Int?
  /// The speakers or sessions that they come from.
  public var speakers: Int?
  /// Hours of real sound without the phrase.
  public var negativeHours: Double?

  public init(
    phrase: String, recordings: Int? = nil, speakers: Int? = nil, negativeHours: Double? = nil
  ) {
    self.phrase = phrase
    self.recordings = recordings
    self.speakers = speakers
    self.negativeHours = negativeHours
  }

  /// Groups of vowels in a phrase of Latin letters, about its syllables; nil for other scripts.
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
      // The silent e of "home".
      if count > 1, word.hasSuffix("e"), !word.hasSuffix("le") { count -= 1 }
      return sum + max(count, 1)
    }
  }
}
