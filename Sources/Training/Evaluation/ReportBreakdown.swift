import Glibc

/// The false alarms of one kind of audio or one file, compared with all others.
public struct AlarmSource: Sendable, Equatable {
  public let name: String
  public let files: Int
  public let hours: Double
  public let falseAlarms: Int
  /// The false alarms at the model's own threshold.
  public let falseAlarmsAsSet: Int
  /// The probability of this many false alarms or more if all audio caused them at the same rate.
  public let probability: Double
  /// Whether it causes more than its share: ``probability`` is below 5 % divided by the number of sources
  /// compared.
  public let isAboveShare: Bool

  /// False alarms per hour.
  public var perHour: Double { hours > 0 ? Double(falseAlarms) / hours : 0 }
  /// Its 95 % confidence interval (exact Poisson limits).
  public var interval: Interval { .rate(falseAlarms, in: hours) }

  /// Returns one entry per source at `threshold`, most false alarms per hour first.
  static func kinds(_ streams: [EvaluationScores.Stream], at threshold: Double, asSet own: Double)
    -> [AlarmSource]
  {
    compare(streams, at: threshold, asSet: own, least: 1) { $0.source }
  }

  /// Returns the single streams with two or more false alarms that cause more than their share.
  static func outstanding(_ streams: [EvaluationScores.Stream], at threshold: Double, asSet own: Double)
    -> [AlarmSource]
  {
    compare(streams, at: threshold, asSet: own, least: 2) { $0.name }.filter(\.isAboveShare)
  }

  private static func compare(
    _ streams: [EvaluationScores.Stream], at threshold: Double, asSet own: Double, least: Int,
    by name: (EvaluationScores.Stream) -> String
  ) -> [AlarmSource] {
    var order: [String] = []
    var counts: [String: (files: Int, seconds: Double, alarms: Int, asSet: Int)] = [:]
    for stream in streams {
      let key = name(stream)
      if counts[key] == nil { order.append(key) }
      var entry = counts[key] ?? (0, 0, 0, 0)
      entry.files += 1
      entry.seconds += stream.seconds
      entry.alarms += stream.peaks.count { $0 >= threshold }
      entry.asSet += stream.peaks.count { $0 >= own }
      counts[key] = entry
    }
    let seconds = streams.reduce(0) { $0 + $1.seconds }
    let alarms = counts.values.reduce(0) { $0 + $1.alarms }
    let limit = 0.05 / Double(max(1, order.count))
    return order.map { key in
      let entry = counts[key]!
      let probability = excess(entry.alarms, of: alarms, share: seconds > 0 ? entry.seconds / seconds : 1)
      return AlarmSource(
        name: key, files: entry.files, hours: entry.seconds / 3600, falseAlarms: entry.alarms,
        falseAlarmsAsSet: entry.asSet, probability: probability,
        isAboveShare: entry.alarms >= least && probability < limit)
    }.sorted { $0.perHour == $1.perHour ? $0.hours > $1.hours : $0.perHour > $1.perHour }
  }

  /// Returns the probability of `count` or more of `total` Poisson events in a part with `share` of the time.
  ///
  /// Given the total, the events of a part are binomial (Przyborowski and Wilenski, 1940).
  package static func excess(_ count: Int, of total: Int, share: Double) -> Double {
    guard count > 0, share < 1 else { return 1 }
    guard share > 0 else { return 0 }
    var sum = 0.0
    for events in count...max(count, total) {
      let ways = lgamma(Double(total) + 1) - lgamma(Double(events) + 1) - lgamma(Double(total - events) + 1)
      sum += exp(ways + Double(events) * log(share) + Double(total - events) * log1p(-share))
    }
    return min(1, sum)
  }
}

/// The recordings of one speaker, session or folder.
public struct SpeakerGroup: Sendable, Equatable {
  public let name: String
  public let recordings: Int
  public let missed: Int

  /// The miss rate, 0…1.
  public var rate: Double { Double(missed) / Double(recordings) }
  /// Its 95 % confidence interval (Wilson).
  public var interval: Interval { .share(missed, of: recordings) }

  /// Returns the groups at `threshold`, highest miss rate first; empty if there is only one group.
  static func all(_ recordings: [EvaluationScores.Recording], at threshold: Double) -> [SpeakerGroup] {
    var counts: [String: (count: Int, missed: Int)] = [:]
    for recording in recordings {
      guard let group = recording.group else { continue }
      let entry = counts[group] ?? (0, 0)
      counts[group] = (entry.count + 1, entry.missed + (recording.score < threshold ? 1 : 0))
    }
    guard counts.count > 1 else { return [] }
    return counts.map { SpeakerGroup(name: $0.key, recordings: $0.value.count, missed: $0.value.missed) }
      .sorted { $0.rate == $1.rate ? $0.name < $1.name : $0.rate > $1.rate }
  }
}
